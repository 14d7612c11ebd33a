import type { StepManifest } from '@trestle/protocol'
import type { StoredStep } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { toStoredStep } from './stored-step.ts'

/** Steps learned from a run. */
export interface LearnedSteps {
  /** Row id of the workflow. */
  readonly workflowId: string
  readonly manifests: readonly StepManifest[]
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/** The maximum number of learned steps per workflow, because ids that contain data would add more with every run. */
const maxLearned = 50

/**
 * Stores steps that are missing from a workflow's list, or are only listed from the source text.
 *
 * @param tx - The transaction.
 * @param learned - The steps to store. Steps of deleted workflows are dropped.
 */
export async function learnSteps(tx: Session, { workflowId, manifests, nowMs }: LearnedSteps): Promise<void> {
  const workflow = await tx
    .updateTable('workflows')
    .set({ updatedAt: nowMs })
    .where('id', '=', workflowId)
    .where('origin', '=', 'external')
    .returning('steps')
    .executeTakeFirst()
  if (!workflow) return
  const steps = new Map((JSON.parse(workflow.steps) as readonly StoredStep[]).map((step) => [step.stepId, step]))
  let room = maxLearned - [...steps.values()].filter(isLearned).length
  for (const manifest of manifests) {
    const before = steps.get(manifest.stepId)
    if (before === undefined && room-- <= 0) continue
    const step = toStoredStep(manifest, before, nowMs)
    const isListed = before !== undefined && !isLearned(before)
    steps.set(step.stepId, isListed ? step : { ...step, extra: { ...step.extra, learned: true } })
  }
  const text = JSON.stringify([...steps.values()])
  await tx.updateTable('workflows').set({ steps: text }).where('id', '=', workflowId).execute()
}

/** Returns whether a step was learned from a run and is missing from the bridge's list. */
export function isLearned({ extra }: Pick<StoredStep, 'extra'>): boolean {
  return extra['learned'] === true
}
