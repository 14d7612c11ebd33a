import type { JsonObject } from '@trestle/protocol'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { notFound } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { queryText } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { runLine, wholeRun } from '../../resources/studio/runs.ts'
import { holdsAnyCase } from '../../store/holds.ts'
import type { RunRow } from '../../store/schema/run.ts'
import { showRun, toStep } from './run-page.ts'

const statuses = ['running', 'completed', 'failed', 'merged', 'canceled'] as const
const common = { category: 'global', wrapped: false, method: 'GET' } as const
const path = '/v1/studio/runs'

/** Operations that list and show runs. */
export const studioRunOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.runList',
    path,
    summary: 'Lists runs with the status of each step, newest first',
    query: z.strictObject({
      ...cursorFields(['createdAt']),
      workflowId: queryText(),
      subscriberId: queryText(),
      transactionId: queryText(),
      status: z.enum(statuses, `must be one of ${statuses.join(', ')}`).optional(),
      search: queryText(200),
    }),
    output: cursorPageOf(runLine),
    async handler({ store, environment }, { query }) {
      const source = {
        from: sql`"runs"`,
        select: sql`"runs".*, (select "name" from "workflows" where "workflows"."id" = "runs"."workflowId") as "workflowName"`,
        where: [sql`"environmentId" = ${environment.id}`, ...toConditions(query)],
        id: sql`"id"`,
      }
      const page = await readCursorPage<RunRow & { readonly workflowName: string | null }>(store.db, source, query)
      const ids = page.data.map(({ id }) => id)
      const jobs =
        ids.length === 0
          ? []
          : await store.db.selectFrom('jobs').selectAll().where('runId', 'in', ids).orderBy('position').execute()
      return {
        ...page,
        data: page.data.map((row) => ({
          ...toLine(row),
          steps: jobs.filter(({ runId }) => runId === row.id).map(toStep),
        })),
      }
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

interface RunQuery {
  readonly workflowId?: string | undefined
  readonly subscriberId?: string | undefined
  readonly transactionId?: string | undefined
  readonly status?: string | undefined
  readonly search?: string | undefined
}

function toConditions({ workflowId, subscriberId, transactionId, status, search }: RunQuery): RawBuilder<unknown>[] {
  const conditions = [
    workflowId === undefined ? undefined : sql`"workflowIdentifier" = ${workflowId}`,
    subscriberId === undefined ? undefined : sql`"externalSubscriberId" = ${subscriberId}`,
    transactionId === undefined ? undefined : sql`"transactionId" = ${transactionId}`,
    status === undefined ? undefined : sql`"status" = ${status}`,
    search === undefined
      ? undefined
      : sql`(${sql.join(
          ['transactionId', 'externalSubscriberId', 'workflowIdentifier'].map((name) =>
            holdsAnyCase(sql.ref(name), search),
          ),
          sql` or `,
        )})`,
  ]
  return conditions.filter((condition) => condition !== undefined)
}

function toLine(row: RunRow & { readonly workflowName: string | null }): JsonObject {
  return {
    _id: row.id,
    workflowId: row.workflowIdentifier,
    workflowName: row.workflowName ?? row.workflowIdentifier,
    transactionId: row.transactionId,
    subscriberId: row.externalSubscriberId,
    status: row.status,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    finishedAt: row.finishedAt === null ? null : new Date(row.finishedAt).toISOString(),
  }
}
