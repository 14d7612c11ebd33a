import type { EmittedEventRow, RunRow } from '../../store/schema/run.ts'
import type { Session } from '../../store/store.ts'
import { createHistory, type History } from '../base/history.ts'
import { parseObject } from '../base/parse-json.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun } from '../run/advance-run.ts'
import { lockRun } from '../run/lock-run.ts'
import { type EventWait, type FoundEvent, findEvent, isLookBackDue, loadEventWait } from './find-event.ts'

type ReceivePorts = Pick<EnginePorts, 'store' | 'clock' | 'queue' | 'events'>

/**
 * Lets a step receive the first event that it waits for, if there is one. The change of the job's row decides, exactly
 * once, whether it is received or the wait ends otherwise.
 *
 * @param ports - The ports of the engine.
 * @param jobId - Row id of the job.
 * @param cause - The event that has arrived, or whether the wait starts or ends. An event that the step cannot receive is
 *   added to the history once, when it arrives or when the wait starts.
 * @returns Whether it received one.
 */
export async function receiveEvent(
  ports: ReceivePorts,
  jobId: string,
  cause: Pick<EmittedEventRow, 'id'> | 'start' | 'end',
): Promise<boolean> {
  const { db } = ports.store
  const isArrival = typeof cause === 'object'
  const arrivedId = isArrival && !(await isLookBackDue(db, jobId)) ? cause.id : undefined
  for (;;) {
    const wait = await loadEventWait(db, jobId)
    if (!wait) return false
    const searchResult = await findEvent(db, wait, arrivedId)
    const refused = searchResult.refused.filter(({ id }) => (isArrival ? id === cause.id : cause === 'start'))
    if (!searchResult.event && refused.length === 0) return false
    if (await settleWait(ports, wait, { ...searchResult, refused })) return true
    if (!searchResult.event) return false
    // The wait has ended in the meantime, or another step of the run has received the event.
  }
}

function settleWait(
  { store, clock, queue, events }: ReceivePorts,
  { job, run: { id: runId } }: EventWait,
  { event, refused }: FoundEvent,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    const nowMs = clock.now()
    const run = await lockRun(tx, runId, nowMs)
    if (!run) return false
    if (event && !(await completeWait({ tx, run, nowMs }, job, event))) return false
    const history = createHistory(run.environmentId, nowMs)
    for (const { id, reason } of refused) noteRefusal(history, job, { eventId: id, reason })
    if (event) {
      history.note({ runId, jobId: job.id }, 'eventReceived', { eventId: event.id, event: event.name })
      await advanceRun({ tx, run, nowMs, history, queue, events })
    }
    await history.write(tx)
    return event !== undefined
  })
}

/** Returns whether the step receives the event: it still waits, and no other step of its locked run has received it. */
async function completeWait(
  { tx, run, nowMs }: { readonly tx: Session; readonly run: RunRow; readonly nowMs: number },
  job: EventWait['job'],
  event: EmittedEventRow,
): Promise<boolean> {
  const result = JSON.stringify({ received: true, payload: parseObject(event.payload) })
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({
      ...{ status: 'completed', result, eventId: event.id },
      ...{ endedAt: nowMs, completedOrder: run.sequence, updatedAt: nowMs },
    })
    .where('id', '=', job.id)
    .where('status', '=', 'delayed')
    .where(
      'runId',
      'not in',
      tx.selectFrom('jobs').select('runId').where('runId', '=', run.id).where('eventId', '=', event.id),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

function noteRefusal(history: History, { runId, id }: EventWait['job'], raw: object): void {
  history.note({ runId, jobId: id }, 'eventRefused', raw)
}
