import { stepTypes } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { notFound } from '../../api/api-error.ts'
import { queryList, queryNumber, queryText } from '../../api/input.ts'
import { pageFields, toNumberedPage } from '../../api/numbered-page.ts'
import { queryChoices, queryTime } from '../../api/query-fields.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { severities } from '../../messages/severities.ts'
import { dayStatistics, notification } from '../../resources/activity/notification.ts'
import { runRecording } from '../../resources/activity/recording.ts'
import { openPageOf } from '../../resources/page.ts'
import type { RunRow } from '../../store/schema/run.ts'
import { listRunIds } from './list-runs.ts'
import { loadChildIds } from './run-family.ts'
import { showRecording } from './run-recording.ts'
import { showRuns } from './run-view.ts'

const dayMs = 24 * 60 * 60 * 1000
const common = { category: 'global', wrapped: true } as const
const path = '/v1/notifications'

/** The operations on runs, which the API calls notifications. */
export const notificationOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'notifications.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists runs, newest first.',
    wrapped: false,
    query: z.strictObject({
      ...pageFields({ limit: 10, max: 100 }),
      channels: queryChoices(stepTypes),
      templates: queryList(),
      emails: queryList(),
      subscriberIds: queryList(),
      severity: queryChoices(severities),
      contextKeys: queryList(),
      search: queryText(),
      transactionId: queryList(),
      topicKey: queryText(),
      subscriptionId: queryText(),
      after: queryTime(),
      before: queryTime(),
    }),
    output: openPageOf(notification),
    async handler(context, { query }) {
      const page = toNumberedPage(await listRunIds(context.store.db, context.environment.id, query), query)
      return { ...page, data: await showRuns(context, page.data) }
    },
  }),
  operation({
    ...common,
    name: 'notifications.getStatistics',
    access: 'view',
    method: 'GET',
    path: `${path}/stats`,
    summary: 'Counts the runs of the last week and the last month.',
    output: z.object({ weeklySent: z.number(), monthlySent: z.number() }),
    async handler(context) {
      const nowMs = context.clock.now()
      const weeklySent = await countSince(context, nowMs - 7 * dayMs)
      return { weeklySent, monthlySent: await countSince(context, nowMs - 30 * dayMs) }
    },
  }),
  operation({
    ...common,
    name: 'notifications.getGraphStatistics',
    access: 'view',
    method: 'GET',
    path: `${path}/graph/stats`,
    summary: 'Counts runs per day.',
    query: z.strictObject({ days: queryNumber({ fallback: 32, min: 1, max: 366 }) }),
    output: z.array(dayStatistics),
    handler: (context, { query }) => countByDay(context, context.clock.now() - query.days * dayMs),
  }),
  operation({
    ...common,
    name: 'notifications.get',
    access: 'view',
    method: 'GET',
    path: `${path}/{notificationId}`,
    summary: 'Returns a run with its steps.',
    output: notification,
    async handler(context, { params }) {
      const run = await findRun(context, params['notificationId'])
      const [view] = await showRuns(context, [run.id])
      return { ...view, _childNotificationIds: await loadChildIds(context.store.db, run.id) }
    },
  }),
  operation({
    ...common,
    name: 'notifications.getRecording',
    access: 'view',
    method: 'GET',
    path: `${path}/{notificationId}/recording`,
    summary: 'Returns what the bridge received and returned in a run, so that the run can be replayed.',
    output: runRecording,
    handler: async (context, { params }) => showRecording(context, await findRun(context, params['notificationId'])),
  }),
])

async function findRun({ store, environment }: CallContext, id = ''): Promise<RunRow> {
  const row = await store.db
    .selectFrom('runs')
    .selectAll()
    .where('id', '=', id)
    .where('environmentId', '=', environment.id)
    .executeTakeFirst()
  if (!row) throw notFound('Notification', id)
  return row
}

async function countSince({ store, environment }: CallContext, sinceMs: number): Promise<number> {
  const row = await store.db
    .selectFrom('runs')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('environmentId', '=', environment.id)
    .where('id', '>=', idAt(sinceMs))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

interface Day {
  readonly day: number
  readonly workflowId: string
  readonly channels: string
  readonly count: number
}

/** The length of a day is a literal: SQLite binds numbers as REAL, and every run would have its own quotient. */
async function countByDay({ store, environment }: CallContext, sinceMs: number): Promise<unknown> {
  const { rows } =
    await sql<Day>`select ("createdAt" / ${sql.lit(dayMs)}) as "day", "workflowId", "channels", count(*) as "count"
    from "runs" where "environmentId" = ${environment.id} and "id" >= ${idAt(sinceMs)}
    group by 1, "workflowId", "channels"`.execute(store.db)
  const days = new Map<number, { count: number; templates: Set<string>; channels: Set<string> }>()
  for (const { day, workflowId, channels, count } of rows) {
    const key = Number(day)
    const sum = days.get(key) ?? { count: 0, templates: new Set(), channels: new Set() }
    days.set(key, sum)
    sum.count += Number(count)
    sum.templates.add(workflowId)
    for (const channel of JSON.parse(channels) as readonly string[]) sum.channels.add(channel)
  }
  const sorted = [...days].sort(([left], [right]) => left - right)
  return sorted.map(([day, { count, templates, channels }]) => ({
    _id: new Date(day * dayMs).toISOString().slice(0, 10),
    count,
    templates: [...templates],
    channels: [...channels],
  }))
}

/** Row ids start with the time, so the index on them serves time ranges. */
const idAt = (ms: number): string => Math.max(0, Math.trunc(ms)).toString(16).padStart(12, '0')
