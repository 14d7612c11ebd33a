import type { ExecuteEvent, JsonObject, StepState, StepType, Subscriber } from '@trestle/protocol'
import { wake } from '../../messages/wake.ts'
import type { JobRow } from '../../store/schema/run.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { parseJson, parseObject } from '../base/parse-json.ts'
import { toStoredState } from '../decision/stored-state.ts'
import type { HeldJob } from '../run/held-job.ts'

/**
 * Returns the event a bridge is given for a step.
 *
 * @param db - The session, to look up what is known of in-app messages.
 * @param held - The step and its run.
 * @param nowMs - The time, milliseconds since 1970.
 * @source Protocol, "Requests"; facts of the REST API, "Request".
 */
export async function toStepEvent(db: Session, held: HeldJob, nowMs: number): Promise<Omit<ExecuteEvent, 'env'>> {
  const { job, run, subscriber } = held
  const controls = parseObject(run.controls)[job.stepId]
  const actor = run.actor === null ? undefined : (parseObject(run.actor) as Subscriber)
  return {
    payload: parseObject(run.payload),
    controls: (controls ?? {}) as JsonObject,
    state: await toState(db, held.jobs, nowMs),
    subscriber: toEventSubscriber(subscriber),
    context: run.context === null ? {} : parseObject(run.context),
    ...(actor && { actor }),
    jobId: job.id,
  }
}

/**
 * Returns a subscriber as bridges are told of it.
 *
 * @param row - The row.
 */
export function toEventSubscriber(row: SubscriberRow): Subscriber & JsonObject {
  const { id, subscriberId, firstName, lastName, email, phone, avatar, locale, timezone, data } = row
  const named = { firstName, lastName, email, phone, avatar, locale, timezone }
  return { _id: id, subscriberId, ...named, data: data === null ? null : parseObject(data) }
}

async function toState(db: Session, jobs: readonly JobRow[], nowMs: number): Promise<readonly StepState[]> {
  const inbox = jobs.filter(({ type, status }) => type === 'in_app' && status === 'completed')
  const seen = inbox.length === 0 ? new Map<string, JsonObject>() : await loadSeen(db, inbox, nowMs)
  return toStoredState(
    jobs.map((job) => ({
      stepId: job.stepId,
      type: job.type as StepType,
      status: job.status,
      result: seen.get(job.id) ?? (job.result === null ? null : parseObject(job.result)),
      error: job.error === null ? null : parseJson(job.error),
      completedOrder: job.completedOrder,
    })),
  )
}

/** Returns what recipients did with in-app messages, by the job that made them. */
async function loadSeen(db: Session, jobs: readonly JobRow[], nowMs: number): Promise<ReadonlyMap<string, JsonObject>> {
  const rows = await db
    .selectFrom('messages')
    .select(['jobId', 'seen', 'read', 'lastSeenAt', 'lastReadAt', 'snoozedUntil', 'deliveredAt'])
    .where(
      'jobId',
      'in',
      jobs.map(({ id }) => id),
    )
    .where('channel', '=', 'in_app')
    .execute()
  return new Map(
    rows.map((row) => {
      const { jobId, seen, read, lastSeenAt, lastReadAt } = wake(row, nowMs)
      const [lastSeenDate, lastReadDate] = [toDate(lastSeenAt), toDate(lastReadAt)]
      return [jobId, { seen: seen === 1, read: read === 1, lastSeenDate, lastReadDate }]
    }),
  )
}

function toDate(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
