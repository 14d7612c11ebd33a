import { type JsonObject, stepTypes } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { notFound } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { queryList, queryText } from '../../api/input.ts'
import { queryChoices, queryTime } from '../../api/query-fields.ts'
import { hideSecrets } from '../../context/hide-secrets.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { runCounts, runLine, wholeRun } from '../../resources/studio/runs.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import { groupBy } from '../../store/shared/row-list.ts'
import { foundStatuses, hasWarnings, toConditions } from '../activity/list-runs.ts'
import { showRun, toStep } from './run-page.ts'
import { loadReasonRows, type ReasonRows, toRunReason, toStepReason } from './step-reason.ts'

const common = { category: 'global', wrapped: false, access: 'view', method: 'GET' } as const
const path = '/v1/studio/runs'

/** Operations that list, count and show runs. */
export const studioRunOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.runList',
    path,
    summary: 'Lists runs with the status of each step and why it did not send, newest first',
    query: z.strictObject({
      ...cursorFields(['createdAt']),
      workflowId: queryList(),
      subscriberId: queryText(),
      transactionId: queryText(),
      status: queryChoices(foundStatuses),
      channel: queryChoices(stepTypes),
      topicKey: queryText(),
      errorCode: queryText(),
      createdAfter: queryTime(),
      createdBefore: queryTime(),
      search: queryText(200),
    }),
    output: cursorPageOf(runLine),
    async handler(context, { query }) {
      const { store, environment } = context
      const { subscriberId, transactionId } = query
      const where = toConditions(environment.id, {
        workflowIds: query.workflowId,
        subscriberIds: subscriberId === undefined ? undefined : [subscriberId],
        transactionId: transactionId === undefined ? undefined : [transactionId],
        statuses: query.status,
        channels: query.channel,
        topicKey: query.topicKey,
        errorCode: query.errorCode,
        after: query.createdAfter,
        before: query.createdBefore,
        searchAll: query.search,
      })
      const source = {
        from: sql`"runs"`,
        select: sql`${sql.join(lineColumns.map((column) => sql.ref(column)))}, (select "name" from "workflows"
          where "workflows"."id" = "runs"."workflowId") as "workflowName"`,
        where,
        id: sql`"id"`,
      }
      const page = await readCursorPage<NamedRun>(store.db, source, query)
      return { ...page, data: await toLines(context, page.data) }
    },
  }),
  operation({
    ...common,
    name: 'studio.runCounts',
    path: '/v1/studio/run-counts',
    summary: 'Counts the runs of each status that were created since a time',
    query: z.strictObject({ createdAfter: queryTime() }),
    output: runCounts,
    async handler({ store, environment }, { query }) {
      const where = toConditions(environment.id, { after: query.createdAfter })
      const { rows } = await sql<{ readonly status: RunRow['status']; readonly warns: number; readonly count: number }>`
        select "status", "warns", count(*) as "count" from (
          select "status", case when "status" = 'completed' and ${hasWarnings} then 1 else 0 end as "warns"
          from "runs" where ${sql.join(where, sql` and `)}) as "found" group by "status", "warns"`.execute(store.db)
      const counts: Record<string, number> = Object.fromEntries(foundStatuses.map((status) => [status, 0]))
      for (const { status, warns, count } of rows) counts[Number(warns) === 1 ? 'warning' : status] = Number(count)
      return counts
    },
  }),
  operation({
    ...common,
    name: 'studio.runGet',
    path: `${path}/{runId}`,
    summary: 'Returns a run with steps, history, bridge calls and messages, secrets masked',
    output: wholeRun,
    async handler(context, { params }) {
      const { runId = '' } = params
      const row = await context.store.db
        .selectFrom('runs')
        .selectAll()
        .where('id', '=', runId)
        .where('environmentId', '=', context.environment.id)
        .executeTakeFirst()
      if (!row) throw notFound('Run', runId)
      return showRun(context, row)
    },
  }),
])

/** The columns of a run in a list: none that may be large, such as its payload. */
const lineColumns = [
  'id',
  'workflowIdentifier',
  'transactionId',
  'externalSubscriberId',
  'status',
  'tenant',
  'digestedRunId',
  'createdAt',
  'updatedAt',
  'finishedAt',
] as const
const stepColumns = ['id', 'runId', 'stepId', 'type', 'status', 'parallelGroup', 'wave', 'dueAt', 'error'] as const

interface NamedRun extends Pick<RunRow, (typeof lineColumns)[number]> {
  readonly workflowName: string | null
}

type LineStep = Pick<JobRow, (typeof stepColumns)[number]>

async function toLines(context: CallContext, runs: readonly NamedRun[]): Promise<readonly JsonObject[]> {
  const { db } = context.store
  const ids = runs.map(({ id }) => id)
  if (ids.length === 0) return []
  const [jobs, rows] = await Promise.all([
    db.selectFrom('jobs').select(stepColumns).where('runId', 'in', ids).orderBy('position').execute(),
    loadReasonRows(db, ids),
  ])
  const jobsOf = groupBy<LineStep>(jobs, ({ runId }) => runId)
  const lines = runs.map((run) => toLine(run, jobsOf.get(run.id) ?? [], rows))
  return hideSecrets(context, lines)
}

function toLine(run: NamedRun, jobs: readonly LineStep[], rows: ReasonRows): JsonObject {
  return {
    _id: run.id,
    workflowId: run.workflowIdentifier,
    workflowName: run.workflowName ?? run.workflowIdentifier,
    transactionId: run.transactionId,
    subscriberId: run.externalSubscriberId,
    status: run.status,
    hasWarnings: rows.warned.has(run.id),
    reason: run.status === 'failed' ? toRunReason(run.id, rows) : null,
    createdAt: new Date(run.createdAt).toISOString(),
    updatedAt: new Date(run.updatedAt).toISOString(),
    finishedAt: run.finishedAt === null ? null : new Date(run.finishedAt).toISOString(),
    steps: jobs.map((job) => ({ ...toStep(job), reason: toStepReason({ run, job }, rows) })),
  }
}
