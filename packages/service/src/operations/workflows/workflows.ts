import { sql } from 'kysely'
import { z } from 'zod'
import { ApiError, refuseTaken } from '../../api/api-error.ts'
import { filledText, jsonObject, pathId, queryList, queryNumber, queryText, text } from '../../api/input.ts'
import { queryChoices } from '../../api/query-fields.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { severity } from '../../resources/channel.ts'
import { named } from '../../resources/named.ts'
import { workflow, workflowList } from '../../resources/workflows/workflow.ts'
import { holds, holdsAnyCase } from '../../store/holds.ts'
import type { WorkflowRow } from '../../store/schema/workflow.ts'
import { checkPayloadSchema, emptyWorkflow, storeWorkflow, type WorkflowChange } from './store-workflow.ts'
import { preferencesField, stepsField, workflowFields } from './workflow-body.ts'
import { checkIdentifier, findWorkflow, removeWorkflow } from './workflow-row.ts'
import { showWorkflow, toListed } from './workflow-view.ts'

const common = { category: 'configuration', wrapped: false } as const
const path = '/v2/workflows'
const sortable = ['createdAt', 'updatedAt', 'name', 'lastTriggeredAt'] as const
const agent = z.strictObject({ identifier: filledText(), providers: jsonObject().optional() }).nullish()
const fields = { ...workflowFields, name: filledText(), steps: stepsField, agent, severity: severity.optional() }

/** Operations (v2) on workflows. */
export const workflowOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'workflows.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists workflows.',
    query: z.strictObject({
      limit: queryNumber({ fallback: 50, min: 1, max: 100 }),
      offset: queryNumber({ fallback: 0, max: 1_000_000 }),
      orderBy: z.enum(sortable, `must be one of ${sortable.join(', ')}`).optional(),
      orderDirection: z.enum(['ASC', 'DESC'], 'must be ASC or DESC').optional(),
      query: queryText(),
      tags: queryList(),
      status: queryChoices(['ACTIVE', 'INACTIVE', 'ERROR']),
    }),
    output: workflowList,
    handler: (context, { query }) => list(context, query),
  }),
  operation({
    ...common,
    name: 'workflows.create',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Creates a workflow.',
    status: 201,
    body: named(
      'NewWorkflow',
      'A new workflow.',
      z.strictObject({
        ...fields,
        workflowId: pathId().describe('The identifier.'),
        preferences: preferencesField.optional().describe('The preferences.'),
        __source: text(100).optional().describe('The origin, for statistics.'),
      }),
    ),
    output: workflow,
    async handler(context, { body: { workflowId, agent: given, __source, ...body } }) {
      const extra = { ...(given ? { agent: given } : {}), ...(__source === undefined ? {} : { __source }) }
      const change: WorkflowChange = { ...body, extra }
      const row = emptyWorkflow(context, body.name, workflowId)
      await checkPayloadSchema(context, body.payloadSchema)
      const stored = context.store.transaction(async (tx) =>
        showWorkflow(tx, await storeWorkflow(tx, row, { change, nowMs: context.clock.now(), isNew: true })),
      )
      return stored.catch(refuseTaken(`Workflow ${JSON.stringify(workflowId)} already exists.`))
    },
  }),
  operation({
    ...common,
    name: 'workflows.get',
    access: 'view',
    method: 'GET',
    path: `${path}/{workflowId}`,
    summary: 'Returns a workflow, by its identifier or id.',
    query: z.strictObject({ environmentId: queryText() }),
    output: workflow,
    async handler(context, { params, query: { environmentId } }) {
      if (environmentId !== undefined && environmentId !== context.environment.id)
        throw new ApiError(403, `The secret key belongs to ${context.environment.name} only.`)
      const { db } = context.store
      return showWorkflow(db, await findWorkflow(db, context, String(params['workflowId'])))
    },
  }),
  operation({
    ...common,
    name: 'workflows.update',
    access: 'edit',
    method: 'PUT',
    path: `${path}/{workflowId}`,
    summary: 'Replaces the steps and preferences of a workflow, and updates the given fields.',
    body: named(
      'WorkflowUpdate',
      'The new version of a workflow. Omitted steps are deleted.',
      z.strictObject({
        ...fields,
        preferences: preferencesField.describe('The preferences.'),
        workflowId: pathId().optional().describe('The identifier.'),
        origin: text(100).optional(),
      }),
    ),
    output: workflow,
    handler: (context, { params, body: { origin: _, agent: given, ...body } }) =>
      change(context, String(params['workflowId']), { ...body, ...(given ? { extra: { agent: given } } : {}) }),
  }),
  operation({
    ...common,
    name: 'workflows.patch',
    access: 'edit',
    method: 'PATCH',
    path: `${path}/{workflowId}`,
    summary: 'Updates the given fields of a workflow.',
    body: named('WorkflowPatch', 'A change to some fields of a workflow.', z.strictObject(workflowFields)),
    output: workflow,
    handler: (context, { params, body }) => change(context, String(params['workflowId']), body),
  }),
  operation({
    ...common,
    name: 'workflows.delete',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{workflowId}`,
    summary: 'Deletes a workflow; its runs are kept.',
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) =>
        removeWorkflow(tx, await findWorkflow(tx, context, String(params['workflowId']))),
      ),
  }),
])

async function change(
  context: CallContext,
  id: string,
  { workflowId, ...given }: WorkflowChange & { readonly workflowId?: string | undefined },
): Promise<unknown> {
  await checkPayloadSchema(context, given.payloadSchema)
  return context.store.transaction(async (tx) => {
    const row = await findWorkflow(tx, context, id)
    checkIdentifier(row, 'workflowId', workflowId)
    if (given.steps && row.origin === 'external')
      throw new ApiError(409, 'The steps of this workflow come from its bridge. Change them there and sync.')
    return showWorkflow(tx, await storeWorkflow(tx, row, { change: given, nowMs: context.clock.now() }))
  })
}

interface ListQuery {
  readonly limit: number
  readonly offset: number
  readonly orderBy?: (typeof sortable)[number] | undefined
  readonly orderDirection?: 'ASC' | 'DESC' | undefined
  readonly query?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly status?: readonly string[] | undefined
}

async function list({ store, environment }: CallContext, given: ListQuery): Promise<unknown> {
  const { limit, offset, orderBy = 'createdAt', orderDirection = 'DESC', query, tags, status } = given
  const where = [sql`"environmentId" = ${environment.id}`]
  if (query !== undefined)
    where.push(sql`(${holdsAnyCase(sql.ref('name'), query)} or ${holdsAnyCase(sql.ref('identifier'), query)})`)
  if (tags)
    where.push(
      sql`(${sql.join(
        tags.map((tag) => holds(sql.ref('tags'), JSON.stringify(tag))),
        sql` or `,
      )})`,
    )
  if (status) {
    const wanted = status.map((word) => ['INACTIVE', 'ACTIVE'].indexOf(word))
    where.push(sql`"active" in (${sql.join(wanted)})`)
  }
  const conditions = sql.join(where, sql` and `)
  const direction = sql.raw(orderDirection === 'ASC' ? 'asc' : 'desc')
  const { rows } = await sql<WorkflowRow>`select * from "workflows" where ${conditions}
    order by ${orderBy === 'lastTriggeredAt' ? sql`coalesce("lastTriggeredAt", 0)` : sql.ref(orderBy)} ${direction}, "id" ${direction} limit ${limit} offset ${offset}`.execute(
    store.db,
  )
  const counted = await sql<{
    readonly count: number
  }>`select count(*) as "count" from "workflows" where ${conditions}`.execute(store.db)
  return { workflows: rows.map(toListed), totalCount: Number(counted.rows[0]?.count ?? 0) }
}
