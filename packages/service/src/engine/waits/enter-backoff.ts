import { toRetryWait } from '@trestle/run-rules'
import type { BridgeFailure } from '../../bridge/bridge-call.ts'
import { isRunCanceled } from '../decision/job-view.ts'
import { loadJobViews } from '../run/advance-run.ts'
import type { JobChange, Settled } from '../run/job-change.ts'

/** Fails a step, or lets it wait for its next attempt. A canceled or failed run starts no further attempt. */
export async function settleFailure(change: JobChange, failure: BridgeFailure | undefined): Promise<Settled> {
  const { run, job, history, nowMs } = change
  const subject = { runId: run.id, jobId: job.id }
  const waitMs = toRetryWait(failure?.data, job.attempts)
  if (waitMs === undefined || (await isStopped(change))) {
    history.note(subject, 'bridgeFailed', failure)
    return { status: 'failed', error: failure }
  }
  const attempts = job.attempts + 1
  const dueAt = nowMs + waitMs
  history.note(subject, 'stepRetried', { ...failure, attempt: attempts, waitMs, until: new Date(dueAt).toISOString() })
  return { status: 'delayed', patch: { stage: 'retrying', attempts, dueAt } }
}

async function isStopped({ tx, run }: JobChange): Promise<boolean> {
  return run.next === 'failed' || isRunCanceled(run, await loadJobViews(tx, run.id))
}
