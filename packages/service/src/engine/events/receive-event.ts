import { createHistory, type History } from '../base/history.ts'
import { parseObject } from '../base/parse-json.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun } from '../run/advance-run.ts'
import { lockRun } from '../run/lock-run.ts'
import { type EventWait, type FoundEvent, findEvent, loadEventWait } from './find-event.ts'

type ReceivePorts = Pick<EnginePorts, 'store' | 'clock' | 'queue' | 'events'>

/**
 * Lets a step receive the first event that it waits for, if there is one. Whether it is received, or the wait ends
 * otherwise, is decided once, by the change of the job's row.
 *
 * @param ports - The ports of the engine.
 * @param jobId - Row id of the job.
 * @param notesRefusal - Whether the history has a line for an event that the step cannot receive.
 * @returns Whether it received one.
 */
export async function receiveEvent(
  ports: ReceivePorts,
  jobId: string,
  notesRefusal: (eventId: string) => boolean,
): Promise<boolean> {
  const wait = await loadEventWait(ports.store.db, jobId)
  if (!wait) return false
  const found = await findEvent(ports.store.db, wait)
  const refused = found.refused.filter(({ id }) => notesRefusal(id))
  if (!found.event && refused.length === 0) return false
  return settleWait(ports, wait, { ...found, refused })
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
    const history = createHistory(run.environmentId, nowMs)
    for (const { id, reason } of refused) noteRefusal(history, job, { eventId: id, reason })
    const payload = event ? parseObject(event.payload) : {}
    const ended = event
      ? await tx
          .updateTable('jobs')
          .set({
            ...{ status: 'completed', result: JSON.stringify({ received: true, payload }), eventId: event.id },
            ...{ endedAt: nowMs, completedOrder: run.sequence, updatedAt: nowMs },
          })
          .where('id', '=', job.id)
          .where('status', '=', 'delayed')
          .returning('id')
          .executeTakeFirst()
      : undefined
    if (event && ended) {
      history.note({ runId, jobId: job.id }, 'eventReceived', { eventId: event.id, event: event.name })
      await advanceRun({ tx, run, nowMs, history, queue, events })
    }
    await history.write(tx)
    return ended !== undefined
  })
}

function noteRefusal(history: History, { runId, id }: EventWait['job'], raw: object): void {
  history.note({ runId, jobId: id }, 'eventRefused', raw)
}
