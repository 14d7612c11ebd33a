import type { JsonObject } from '@trestle/protocol'
import { decideDigest, type SettledWait, toDigestResult, toLookBackEnd } from '@trestle/run-rules'
import { parseObject } from '../base/parse-json.ts'
import type { JobChange, Settled } from '../run/job-change.ts'
import { hasNoNextSteps } from './end-digests.ts'

/**
 * Enters a digest: opens one, joins the open one, or passes at once.
 *
 * @param outputs - The outputs of the handler.
 * @param wait - The end of a digest that opens now.
 * @source service-api.md#digest
 */
export async function enterDigest(change: JobChange, outputs: JsonObject, wait: SettledWait): Promise<Settled> {
  const { tx, run, job, nowMs, history } = change
  const subject = { runId: run.id, jobId: job.id }
  const bucket = toBucket(change, outputs['digestKey'])
  const digest = await lockBucket(change, bucket)
  const turn = decideDigest({ openJobId: digest.jobId, lastEventMs: digest.lastEventAt }, outputs, nowMs)
  if (turn === 'opened' && (await hasNoNextSteps(change))) {
    history.note(subject, 'digestLeft')
    return { status: 'skipped', outputs }
  }
  const changes = {
    opened: { jobId: job.id, dueAt: wait.endMs },
    merged: {},
    passed: { dueAt: toLookBackEnd(outputs, nowMs) ?? null },
  } as const
  await tx
    .updateTable('digests')
    .set({ lastEventAt: nowMs, updatedAt: nowMs, ...changes[turn] })
    .where('bucket', '=', bucket)
    .execute()
  if (turn === 'passed') {
    history.note(subject, 'digestPassed')
    const event = { id: run.id, atMs: run.createdAt, payload: parseObject(run.payload) }
    return { status: 'completed', result: toDigestResult([event]), outputs, patch: { bucket } }
  }
  if (turn === 'opened') {
    history.note(subject, 'digested', { waitMs: wait.endMs - nowMs, until: new Date(wait.endMs).toISOString() })
    return {
      status: 'delayed',
      outputs,
      patch: { bucket, dueAt: wait.endMs, scheduleExtensions: wait.extended ? 1 : 0 },
    }
  }
  const open = await tx.selectFrom('jobs').select('runId').where('id', '=', digest.jobId).executeTakeFirst()
  history.note(subject, 'digestMerged', { jobId: digest.jobId, runId: open?.runId })
  return {
    status: 'merged',
    outputs,
    patch: { bucket, mergedIntoId: digest.jobId },
    rest: { status: 'merged', name: 'digestMerged', ...(open && { digestedRunId: open.runId }) },
  }
}

/**
 * Returns the key that the digests or throttles of a step share: environment, workflow, step, recipient and key.
 *
 * @param key - The key that the handler returned.
 */
export function toBucket({ run, job }: Pick<JobChange, 'run' | 'job'>, key: unknown): string {
  return JSON.stringify([run.environmentId, run.workflowId, job.stepId, run.subscriberId, key ?? null])
}

/** Locks a bucket for the rest of the transaction. Creates it if it does not exist. */
async function lockBucket({ tx, run, nowMs }: JobChange, bucket: string) {
  const { environmentId } = run
  return tx
    .insertInto('digests')
    .values({ bucket, environmentId, jobId: null, dueAt: null, lastEventAt: null, updatedAt: nowMs })
    .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ updatedAt: nowMs }))
    .returning(['jobId', 'lastEventAt'])
    .executeTakeFirstOrThrow()
}
