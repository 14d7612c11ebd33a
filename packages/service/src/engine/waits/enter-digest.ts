import type { JsonObject } from '@trestle/protocol'
import { decideDigest, type SettledWait, toDigestResult, toLookBackEnd } from '@trestle/run-rules'
import { parseObject } from '../base/parse-json.ts'
import type { JobChange, Settled } from '../run/job-change.ts'
import { hasNoNextSteps } from './end-digests.ts'

/**
 * Brings a run to a digest: it opens one, joins the one that is open, or passes at once.
 *
 * @param change - The digest's job, and what it takes.
 * @param outputs - What its handler returned.
 * @param wait - When a digest that opens now ends.
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
    rest: { status: 'merged', ...(open && { digestedRunId: open.runId }) },
  }
}

/**
 * Returns the name of what a step's digests or throttles share: environment, workflow, step, recipient and key.
 *
 * @param change - The step's job.
 * @param key - The key its handler returned.
 */
export function toBucket({ run, job }: Pick<JobChange, 'run' | 'job'>, key: unknown): string {
  return JSON.stringify([run.environmentId, run.workflowId, job.stepId, run.subscriberId, key ?? null])
}

/** Locks a bucket for the rest of the transaction; it is made where it is missing, or was removed just now. */
async function lockBucket({ tx, run, nowMs }: JobChange, bucket: string) {
  const { environmentId } = run
  return tx
    .insertInto('digests')
    .values({ bucket, environmentId, jobId: null, dueAt: null, lastEventAt: null, updatedAt: nowMs })
    .onConflict((conflict) => conflict.column('bucket').doUpdateSet({ updatedAt: nowMs }))
    .returning(['jobId', 'lastEventAt'])
    .executeTakeFirstOrThrow()
}
