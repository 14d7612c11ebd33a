import type { TakenItem } from '../../queue/queue.ts'
import { updateById } from '../../store/shared/row-list.ts'
import { isTaken, toNextTurn } from '../decision/next-turn.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { queueNext } from '../run/advance-run.ts'
import { toRunWork } from '../run/lane.ts'
import { lockRun } from '../run/lock-run.ts'
import type { NextChange } from './next-change.ts'

const firstDelayMs = 5_000
/** Steps that the bridge has not named yet start at most this long after the bridge is available again. */
const maxDelayMs = 900_000
/** The delay no longer grows by then, and the column is small. */
const maxFailures = 1_000

/**
 * Calls the bridge of a run again after a call that failed, if it could not run a step because other steps were taken.
 * Failing the run would end its waits, whose steps do not depend on this call. While steps are taken, the delay grows
 * with each failure; the end of a step leads to a call at once.
 *
 * @param reason - Why the call failed, for the history.
 * @returns Whether the call is repeated; otherwise the failure may be that of a step, or of the workflow function.
 */
export async function repeatCall(change: NextChange, reason: object): Promise<boolean> {
  const { tx, run, held, jobs, nowMs, history, queue } = change
  const turn = toNextTurn({ done: false, hasDispatched: false, waited: true, before: held.jobs, now: jobs })
  if (turn === 'stuck' && !held.jobs.some(isTaken)) return false
  const failures = turn === 'wait' ? Math.min(held.run.nextFailures + 1, maxFailures) : 0
  const waitMs = failures === 0 ? 0 : Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs)
  const until = new Date(nowMs + waitMs).toISOString()
  history.note({ runId: run.id, jobId: null }, 'nextRepeated', { ...reason, waitMs, until })
  if (failures === 0) await queueNext(change)
  else {
    // The run stays idle, so that the end of a step can call the bridge before.
    await updateById(tx, { table: 'runs', id: run.id, values: { nextFailures: failures } })
    await queue.add(tx, [toRunWork(run, 'repeat-next', `${run.id}/${failures}`)], { delayMs: waitMs })
  }
  return true
}

/**
 * Queues the next call of a run whose last call failed. Does nothing if the bridge was called in the meantime: if that
 * call failed too, it has its own repetition.
 *
 * @param item - The work; its id is the row id of the run and the number of failed calls.
 */
export async function repeatNext(
  { store, queue, clock }: EnginePorts,
  { id, complete }: Pick<TakenItem, 'id' | 'complete'>,
): Promise<void> {
  const [runId = '', failures] = id.split('/')
  await store.transaction(async (tx) => {
    const nowMs = clock.now()
    const run = await lockRun(tx, runId, nowMs)
    if (run?.next === 'idle' && run.nextFailures === Number(failures))
      await queueNext({ tx, run, nowMs, queue }, run.nextFailures)
    await complete(tx)
  })
}
