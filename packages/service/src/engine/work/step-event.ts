import type { JsonObject, NextEvent, StepState, Subscriber, TakenStep } from '@trestle/protocol'
import { wake } from '../../messages/wake.ts'
import { createQueryKey, runPrepared } from '../../store/prepared.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { JobRow } from '../../store/schema/run.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import { groupBy, hasOneOf } from '../../store/shared/row-list.ts'
import type { Session } from '../../store/store.ts'
import { parseJson, parseObject } from '../base/parse-json.ts'
import { isTaken } from '../decision/next-turn.ts'
import { toStoredState } from '../decision/stored-state.ts'
import type { HeldJob, JobStep, LoadedRun } from '../run/held-job.ts'
import type { HeldRun } from '../run/held-run.ts'

const inAppMessagesOfJobsQuery = createQueryKey('in-app messages of jobs')

type Event = Omit<Partial<NextEvent>, 'env'>

/** The columns of an in-app message that record what its recipient did. */
export type SeenMessage = Pick<
  MessageRow,
  'jobId' | 'seen' | 'read' | 'lastSeenAt' | 'lastReadAt' | 'snoozedUntil' | 'deliveredAt'
>

/** Loads the in-app messages of jobs; see {@link findSeen}. */
export type LoadSeen = (jobIds: readonly string[]) => Promise<readonly SeenMessage[]>

/**
 * Returns the in-app messages of jobs, for several callers at once.
 *
 * @param requests - The row ids of each caller's jobs.
 * @returns The messages of each.
 */
export async function findSeen(
  db: Session,
  requests: readonly (readonly string[])[],
): Promise<readonly (readonly SeenMessage[])[]> {
  const { condition, value, form, isNamed } = hasOneOf(db, 'jobId', requests.flat())
  const { rows } = await runPrepared(db, {
    key: inAppMessagesOfJobsQuery,
    form,
    values: [value, 'in_app'],
    isNamed,
    build: () =>
      db
        .selectFrom('messages')
        .select(['jobId', 'seen', 'read', 'lastSeenAt', 'lastReadAt', 'snoozedUntil', 'deliveredAt'])
        .where(condition)
        .where('channel', '=', 'in_app'),
  })
  const messagesOf = groupBy(rows, ({ jobId }) => jobId)
  return requests.map((jobIds) => jobIds.flatMap((id) => messagesOf.get(id) ?? []))
}

/**
 * Returns the event of a bridge call for a step.
 *
 * @param loadSeen - Returns the status of in-app messages.
 * @source bridge-protocol.md#requests, service-api.md#triggers
 */
export async function toStepEvent(loadSeen: LoadSeen, held: HeldJob, nowMs: number): Promise<Event> {
  const { job, run, jobs } = held
  const controls = toStepControls(run)[job.stepId] ?? {}
  const event = { ...(await toEvent(loadSeen, held, nowMs)), controls, jobId: job.id }
  if (run.next === null) return event
  return { ...event, next: true, runId: run.id, taken: toTaken(jobs.filter(({ id }) => id !== job.id)) }
}

/**
 * Returns the event of a bridge call that asks for the next step of a run.
 *
 * @param loadSeen - Returns the status of in-app messages.
 * @param times - The time, in milliseconds since 1970, and how long the bridge must be inactive before it reports that
 * nothing comes next.
 */
export async function toNextEvent(
  loadSeen: LoadSeen,
  held: HeldRun,
  { nowMs, quietMs }: { readonly nowMs: number; readonly quietMs: number },
): Promise<Event> {
  const { run, jobs } = held
  const describe = jobs.filter(isUnlisted).map(({ stepId }) => stepId)
  return {
    ...(await toEvent(loadSeen, held, nowMs)),
    runId: run.id,
    taken: toTaken(jobs),
    stepControls: toStepControls(run),
    wait: quietMs,
    final: true,
    ...(describe.length > 0 && { describe }),
  }
}

async function toEvent(loadSeen: LoadSeen, { run, jobs, subscriber }: LoadedRun, nowMs: number): Promise<Event> {
  const actor = run.actor === null ? undefined : (parseObject(run.actor) as Subscriber)
  return {
    payload: parseObject(run.payload),
    controls: {},
    state: await toState(loadSeen, jobs, nowMs),
    subscriber: toEventSubscriber(subscriber),
    context: run.context === null ? {} : parseObject(run.context),
    ...(actor && { actor }),
  }
}

function toStepControls({ controls }: LoadedRun['run']): Record<string, JsonObject> {
  return parseObject(controls) as Record<string, JsonObject>
}

function toTaken(jobs: readonly JobRow[]): readonly TakenStep[] {
  return jobs.filter(isTaken).map(({ stepId }) => ({ stepId }))
}

function isUnlisted({ step }: JobRow): boolean {
  return (parseJson(step) as JobStep).unlisted === true
}

/** Returns a subscriber in the format for bridges. */
export function toEventSubscriber(row: SubscriberRow): Subscriber & JsonObject {
  const { id, subscriberId, firstName, lastName, email, phone, avatar, locale, timezone, data } = row
  const named = { firstName, lastName, email, phone, avatar, locale, timezone }
  return { _id: id, subscriberId, ...named, data: data === null ? null : parseObject(data) }
}

async function toState(loadSeen: LoadSeen, jobs: readonly JobRow[], nowMs: number): Promise<readonly StepState[]> {
  const inbox = jobs.filter(({ type, status }) => type === 'in_app' && status === 'completed')
  const seen = inbox.length === 0 ? new Map<string, JsonObject>() : await toSeen(loadSeen, inbox, nowMs)
  return toStoredState(
    jobs.map((job) => ({
      stepId: job.stepId,
      type: job.type,
      status: job.status,
      stage: job.stage,
      result: seen.get(job.id) ?? (job.result === null ? null : parseObject(job.result)),
      error: job.error === null ? null : parseJson(job.error),
      completedOrder: job.completedOrder,
    })),
  )
}

/** Returns the seen and read status of in-app messages, by job. */
async function toSeen(
  loadSeen: LoadSeen,
  jobs: readonly JobRow[],
  nowMs: number,
): Promise<ReadonlyMap<string, JsonObject>> {
  // The message of a copied result belongs to the job that sent it.
  const ids = new Map(jobs.map((job) => [(parseJson(job.step) as JobStep).reusedFrom?.jobId ?? job.id, job.id]))
  const rows = await loadSeen([...ids.keys()])
  return new Map(
    rows.map((row) => {
      const { jobId, seen, read, lastSeenAt, lastReadAt } = wake(row, nowMs)
      const [lastSeenDate, lastReadDate] = [toDate(lastSeenAt), toDate(lastReadAt)]
      return [ids.get(jobId) ?? jobId, { seen: seen === 1, read: read === 1, lastSeenDate, lastReadDate }]
    }),
  )
}

function toDate(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
