import type { BridgeFailure } from '../../bridge/bridge-call.ts'
import { createId } from '../../store/create-id.ts'
import { isOver, isRunCanceled, type JobView } from '../decision/job-view.ts'
import { loadJobViews, queueJobs } from '../run/advance-run.ts'
import type { JobChange } from '../run/job-change.ts'

/**
 * Handles a bridge that could not run a step because another step must run first. The named step then runs first, once,
 * and the workflow's author is warned.
 *
 * @param change - The called step.
 * @param failure - The bridge's response.
 * @returns `pending` if the step now waits, or `canceled` if its run was canceled in the meantime. `undefined` if the
 * step cannot wait: another failure, a finished or unlisted step, a second wait, or a bridge that decides the next
 * step.
 */
export async function waitForNamedStep(
  change: JobChange,
  failure: BridgeFailure,
): Promise<'pending' | 'canceled' | undefined> {
  const { tx, run, job, history } = change
  if (failure.code !== 'ExecutionStateCorruptError' || job.waitsForId !== null || run.next !== null) return undefined
  const jobs = await loadJobViews(tx, run.id)
  if (isRunCanceled(run, jobs)) {
    history.note({ runId: run.id, jobId: job.id }, 'canceled')
    return 'canceled'
  }
  const named = findNamed(jobs, failure)
  if (!named || named.id === job.id || waitsOn(jobs, named, job.id)) return undefined
  await tx.updateTable('jobs').set({ waitsForId: named.id }).where('id', '=', job.id).execute()
  history.note({ runId: run.id, jobId: job.id }, 'waitsForStep', { stepId: named.stepId, message: failure.message })
  await warn(change, named.stepId, failure.message)
  if (named.status === 'pending') await queueJobs(change, [named])
  return 'pending'
}

function findNamed(jobs: readonly JobView[], { data }: BridgeFailure): JobView | undefined {
  const stepId = typeof data === 'object' && data !== null ? Reflect.get(data, 'stepId') : undefined
  return jobs.find((job) => job.stepId === stepId && !isOver(job))
}

/** Returns whether a job waits for another one, directly or indirectly. */
function waitsOn(jobs: readonly JobView[], from: JobView, targetId: string): boolean {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  for (let job: JobView | undefined = from, left = jobs.length; job && left > 0; left--) {
    if (job.waitsFor === targetId) return true
    job = job.waitsFor === null ? undefined : byId.get(job.waitsFor)
  }
  return false
}

async function warn({ tx, run, job, nowMs }: JobChange, namedId: string, answer: string): Promise<void> {
  const message = `Step "${job.stepId}" was called before step "${namedId}", which it needs; the bridge answered: ${answer}`
  await tx
    .insertInto('workflowWarnings')
    .values({
      id: createId(nowMs),
      environmentId: run.environmentId,
      workflowId: run.workflowId,
      code: 'ExecutionStateCorruptError',
      stepId: job.stepId,
      message,
      count: 1,
      createdAt: nowMs,
      updatedAt: nowMs,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workflowId', 'code', 'stepId'])
        .doUpdateSet((row) => ({ count: row('workflowWarnings.count', '+', 1), message, updatedAt: nowMs })),
    )
    .execute()
}
