import type { NextReply } from '@trestle/protocol'
import { findStepFault } from '../../bridge/workflows/check-manifests.ts'
import { learnSteps } from '../../bridge/workflows/learn-steps.ts'
import { parseJson } from '../base/parse-json.ts'
import type { JobStep } from '../run/held-job.ts'
import type { NextChange } from './next-change.ts'

/**
 * Stores the manifests of unlisted steps that the call requested.
 *
 * @param reply - The bridge's reply.
 */
export async function learnFrom({ tx, run, held, nowMs }: NextChange, { metadata }: NextReply): Promise<void> {
  const { steps } = (metadata ?? {}) as { readonly steps?: unknown }
  if (!Array.isArray(steps)) return
  const unlisted = held.jobs.flatMap(({ id, step }) => {
    const { unlisted: isUnlisted, ...listed } = parseJson(step) as JobStep
    return isUnlisted ? [{ id, listed }] : []
  })
  const learned = unlisted.flatMap(({ id, listed }) => {
    const manifest = steps.find((one) => one?.stepId === listed.stepId)
    return manifest && findStepFault({ steps: [manifest] }) === undefined ? [{ id, listed, manifest }] : []
  })
  if (learned.length === 0) return
  await learnSteps(tx, { workflowId: run.workflowId, manifests: learned.map(({ manifest }) => manifest), nowMs })
  for (const { id, listed } of learned)
    await tx
      .updateTable('jobs')
      .set({ step: JSON.stringify(listed) })
      .where('id', '=', id)
      .execute()
}
