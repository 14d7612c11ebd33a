import { toEmptyResult } from '@trestle/run-rules'
import { systemClock } from '../../clock/clock.ts'
import type { TakenItem } from '../../queue/queue.ts'
import { isOverload } from '../../store/faults/is-overload.ts'
import type { Session } from '../../store/store.ts'
import { createHistory } from '../base/history.ts'
import { isRunCanceled } from '../decision/job-view.ts'
import type { SentMessage } from '../port/channel-port.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { advanceRun, loadJobViews } from '../run/advance-run.ts'
import { endOverRun } from '../run/close-run.ts'
import { cancelMessages, recordMessageEnd } from '../run/fail-messages.ts'
import { isFinalStep, withoutFinal } from '../run/final-step.ts'
import type { HeldJob } from '../run/held-job.ts'
import { type JobChange, writeJob } from '../run/job-change.ts'
import { toRunWork } from '../run/lane.ts'
import { lockRun } from '../run/lock-run.ts'
import { handOver } from './hand-over.ts'

const minRetryMs = 100
const maxRetryMs = 2_000
/** About a minute in total. */
const maxAttempts = 34

/**
 * Sends the stored messages of a step to their providers, and ends the step. Each outcome is stored before the next
 * message is sent. A message whose outcome was not stored, because the service was stopped, is sent again, up to a
 * limit. If messages are postponed, the step is queued for the earliest of them.
 *
 * @param complete - Removes the work from the queue.
 */
export async function sendMessages(ports: EnginePorts, held: HeldJob, complete: TakenItem['complete']): Promise<void> {
  const { store, clock } = ports
  const pending = await store.db
    .selectFrom('messages')
    .select(['id', 'retryAt'])
    .where('jobId', '=', held.job.id)
    .where('status', '=', 'pending')
    .orderBy('id')
    .execute()
  const nowMs = clock.now()
  const due = pending.filter(({ retryAt }) => retryAt === null || retryAt <= nowMs)
  const times = pending.map(({ retryAt }) => retryAt).filter((retryAt) => retryAt !== null && retryAt > nowMs)
  const last = due.pop()
  for (const { id } of due) {
    const sent = await handOver(ports, held, id)
    if (!sent) continue
    times.push(toRetryAt(sent))
    const isHeld = await storeWithRetry(ports, async (tx) => {
      const change = await openChange(ports, tx, held)
      if (change) await storeSent(change, id, sent)
      await change?.history.write(tx)
      return change !== undefined
    })
    // The process that holds the step now sends the rest.
    if (!isHeld) return
  }
  const sent = last && (await handOver(ports, held, last.id))
  times.push(sent ? toRetryAt(sent) : null)
  const retryAt = Math.min(...times.filter((time) => time !== null))
  await storeWithRetry(ports, async (tx) => {
    const change = await openChange(ports, tx, held)
    if (change && sent) await storeSent(change, last.id, sent)
    if (change) await (Number.isFinite(retryAt) ? postpone(change, retryAt) : endStep(change))
    await change?.history.write(tx)
    await complete(tx)
  })
}

/**
 * Retries the transaction during short outages of the database, because without the stored outcome, the message would
 * be sent again.
 */
async function storeWithRetry<TResult>(
  { store }: EnginePorts,
  write: (tx: Session) => Promise<TResult>,
): Promise<TResult> {
  for (let attempt = 1; ; attempt++)
    try {
      return await store.transaction(write)
    } catch (error) {
      if (attempt >= maxAttempts || !isOverload(error)) throw error
      await systemClock.sleep(Math.min(minRetryMs * 2 ** (attempt - 1), maxRetryMs))
    }
}

function toRetryAt({ patch }: SentMessage): number | null {
  return patch.status === 'pending' ? (patch.retryAt ?? null) : null
}

/** Returns the change of a step; `undefined` if this process no longer holds it. */
async function openChange(
  { clock, queue, channels, events }: EnginePorts,
  tx: Session,
  held: HeldJob,
): Promise<JobChange | undefined> {
  const nowMs = clock.now()
  const run = await lockRun(tx, held.run.id, nowMs)
  const job = await tx.selectFrom('jobs').selectAll().where('id', '=', held.job.id).executeTakeFirst()
  if (!run || job?.claim !== held.claim || job.status !== 'running') return undefined
  const history = createHistory(run.environmentId, nowMs)
  return { tx, run, job, subscriber: held.subscriber, nowMs, history, queue, channels, events }
}

async function storeSent(change: JobChange, id: string, { patch, notes }: SentMessage): Promise<void> {
  const { tx, run, job, nowMs, history } = change
  await tx
    .updateTable('messages')
    .set({ updatedAt: nowMs, ...patch, handOvers: 0 })
    .where('id', '=', id)
    .execute()
  for (const note of notes) history.noteDelivery({ runId: run.id, jobId: job.id }, { messageId: id, ...note })
  await recordMessageEnd(change, { id, status: patch.status })
}

/**
 * Queues the step, so that it can be canceled. Cancels it at once if its run was canceled during the call to the
 * provider.
 */
async function postpone(change: JobChange, retryAt: number): Promise<void> {
  const { tx, run, job, queue, nowMs, history } = change
  if (isRunCanceled(run, await loadJobViews(tx, run.id))) {
    history.note({ runId: run.id, jobId: job.id }, 'canceled')
    await writeJob(change, { status: 'canceled', patch: { stage: null } })
    await cancelMessages(change, [job.id])
    return advanceRun(change)
  }
  await writeJob(change, { status: 'queued', patch: withoutFinal(job) })
  await advanceRun(change)
  await queue.add(tx, [toRunWork(run, 'job', job.id)], {
    delayMs: Math.max(0, retryAt - nowMs),
  })
}

async function endStep(change: JobChange): Promise<void> {
  const result = toEmptyResult(change.job.type)
  await writeJob(change, { status: 'completed', result, patch: { stage: null } })
  const { tx, run, job } = change
  if (isFinalStep(job) && run.next === 'idle') await endOverRun(change, 'done', await loadJobViews(tx, run.id))
  else await advanceRun(change)
}
