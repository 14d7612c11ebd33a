import type { JsonObject } from '@trestle/protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError, invalid, notFound } from '../../api/api-error.ts'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { filledText, jsonObject, queryText } from '../../api/input.ts'
import { refuseLargePage } from '../../api/page-size.ts'
import { hideSecrets, loadHide, restoreSecrets } from '../../context/hide-secrets.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { triggerResult } from '../../resources/activity/event.ts'
import { cursorPageOf } from '../../resources/page.ts'
import { bridgeCall } from '../../resources/studio/runs.ts'
import type { RunRow } from '../../store/schema/run.ts'
import { showCall } from './show-call.ts'

const common = { category: 'global', wrapped: false } as const
const path = '/v1/studio/runs/{runId}'
const recipient = z.union([filledText(), z.strictObject({ type: z.literal('Topic'), topicKey: filledText() })])

/** Returns bridge calls in the order of their ids. Variables may have become secret after a call. */
async function showCalls(context: CallContext, ids: readonly string[]): Promise<readonly JsonObject[]> {
  if (ids.length === 0) return []
  const { db } = context.store
  await refuseLargePage(db, { table: 'bridgeCalls', by: 'id', ids, columns: ['request', 'reply'] })
  const rows = await db.selectFrom('bridgeCalls').selectAll().where('id', 'in', ids).execute()
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return hideSecrets(context, ids.flatMap((id) => rowOf.get(id) ?? []).map(showCall))
}

/** Operations that inspect and control single runs. */
export const runControlOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'studio.bridgeCalls',
    access: 'view',
    method: 'GET',
    path: '/v1/studio/bridge-calls',
    summary: 'Lists the bridge calls with request and reply, newest first, secrets masked',
    query: z.strictObject({
      ...cursorFields(['createdAt']),
      runId: queryText(),
      jobId: queryText(),
      action: queryText(),
    }),
    output: cursorPageOf(bridgeCall),
    async handler(context, { query }) {
      const { store, environment } = context
      const named = (['runId', 'jobId', 'action'] as const).flatMap((name) =>
        query[name] === undefined ? [] : [sql`${sql.ref(name)} = ${query[name]}`],
      )
      const source = {
        from: sql`"bridgeCalls"`,
        select: sql`"id"`,
        where: [sql`"environmentId" = ${environment.id}`, ...named],
        id: sql`"id"`,
      }
      const page = await readCursorPage(store.db, source, query)
      return {
        ...page,
        data: await showCalls(
          context,
          page.data.map(({ id }) => id),
        ),
      }
    },
  }),
  operation({
    ...common,
    name: 'studio.skipWait',
    access: 'edit',
    method: 'POST',
    path: '/v1/studio/jobs/{jobId}/skip-wait',
    summary: 'Ends a delay or digest now',
    output: z.object({ skipped: z.boolean() }),
    async handler({ engine, environment, store }, { params }) {
      const { jobId = '' } = params
      const job = await store.db
        .selectFrom('jobs')
        .select('status')
        .where('id', '=', jobId)
        .where('environmentId', '=', environment.id)
        .executeTakeFirst()
      if (!job) throw notFound('Step', jobId)
      const skipped = await engine.skipWait({ environmentId: environment.id, jobId })
      if (!skipped && job.status === 'delayed')
        throw new ApiError(409, 'The step waits for the runs that it triggered. Cancel them to end it.')
      if (!skipped) throw new ApiError(409, `The step is not waiting; it is ${job.status}.`)
      return { skipped }
    },
  }),
  operation({
    ...common,
    name: 'studio.cancel',
    access: 'edit',
    method: 'POST',
    path: `${path}/cancel`,
    summary: "Cancels the pending work of a run's transaction, and returns whether there was any",
    output: z.object({ canceled: z.boolean() }),
    async handler(context, { params }) {
      const { transactionId } = await findRun(context, params['runId'])
      const named = { environmentId: context.environment.id, transactionId, by: 'studio', who: context.by } as const
      return { canceled: await context.engine.cancel(named) }
    },
  }),
  operation({
    ...common,
    name: 'studio.repeat',
    access: 'edit',
    method: 'POST',
    path: `${path}/repeat`,
    summary: 'Runs a workflow again in a new transaction, with the data of the run or with changed data',
    status: 201,
    body: z
      .strictObject({
        payload: jsonObject().optional().describe('The payload. Masked values keep the values of the run.'),
        to: recipient.optional().describe('The recipient.'),
      })
      .optional(),
    output: triggerResult,
    async handler(context, { params, body: { payload, to } = {} }) {
      const run = await findRun(context, params['runId'])
      const change = { payload: payload && (await restorePayload(context, run, { payload, to })), to }
      const result = await context.engine.repeat({ environmentId: context.environment.id, runId: run.id, ...change })
      if (!result) throw notFound('Workflow', run.workflowIdentifier)
      return result
    },
  }),
  operation({
    ...common,
    name: 'studio.repeatFromStep',
    access: 'edit',
    method: 'POST',
    path: `${path}/repeat-from-step`,
    summary: 'Runs a workflow again from a step in a new transaction, with copies of the results before it',
    status: 201,
    body: z.strictObject({ stepId: filledText().describe('The step to start from.') }),
    output: triggerResult,
    async handler(context, { params, body: { stepId } }) {
      const run = await findRun(context, params['runId'])
      const step = await context.store.db
        .selectFrom('jobs')
        .select('id')
        .where('runId', '=', run.id)
        .where('stepId', '=', stepId)
        .executeTakeFirst()
      if (!step) throw notFound('Step', stepId)
      const named = { environmentId: context.environment.id, runId: run.id, stepId }
      const result = await context.engine.repeatFromStep(named)
      if (!result) throw notFound('Workflow', run.workflowIdentifier)
      if (typeof result === 'string') throw new ApiError(409, result)
      return result
    },
  }),
])

async function findRun({ store, environment }: CallContext, runId = ''): Promise<RunRow> {
  const row = await store.db
    .selectFrom('runs')
    .selectAll()
    .where('id', '=', runId)
    .where('environmentId', '=', environment.id)
    .executeTakeFirst()
  if (!row) throw notFound('Run', runId)
  return row
}

interface Change {
  readonly payload: JsonObject
  readonly to: z.infer<typeof recipient> | undefined
}

/** A masked secret is only sent to the recipient of the original run. */
async function restorePayload(context: CallContext, run: RunRow, { payload, to }: Change): Promise<JsonObject> {
  const restored = restoreSecrets(payload, JSON.parse(run.payload), await loadHide(context)) as JsonObject
  const isSame = to === undefined || to === run.externalSubscriberId
  if (isSame || JSON.stringify(restored) === JSON.stringify(payload)) return restored
  throw invalid('payload', 'has masked secrets of the run. Enter them, or keep the recipient')
}
