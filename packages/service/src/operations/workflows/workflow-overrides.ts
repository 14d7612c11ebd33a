import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { ApiError, notFound } from '../../api/api-error.ts'
import { filledText } from '../../api/input.ts'
import { pageFields, toNumberedPage } from '../../api/numbered-page.ts'
import type { CallContext } from '../../context/service-context.ts'
import { createId } from '../../store/create-id.ts'
import type { WorkflowOverrideRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import { type AnyOperation, operation } from '../operation.ts'
import { findTenant } from '../tenants/tenants.ts'
import { findWorkflow } from './workflow-row.ts'

const channels = z.strictObject({
  email: z.boolean().optional(),
  sms: z.boolean().optional(),
  in_app: z.boolean().optional(),
  chat: z.boolean().optional(),
  push: z.boolean().optional(),
  tool: z.boolean().optional(),
})
const fields = { active: z.boolean().optional(), preferenceSettings: channels.optional() }
const output = z.object({ _id: z.string(), _workflowId: z.string(), _tenantId: z.string(), active: z.boolean() })
const common = { category: 'configuration', wrapped: true, output } as const
const path = '/v1/workflow-overrides'
const pairPath = `${path}/workflows/{workflowId}/tenants/{tenantId}`

/** The operations on how workflows differ by tenant. */
export const workflowOverrideOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'workflowOverrides.create',
    method: 'POST',
    path,
    summary: 'Creates the override of a workflow for a tenant.',
    status: 201,
    body: z.strictObject({ workflowId: filledText(), tenantId: filledText(), ...fields }),
    handler: (context, { body }) => create(context, body),
  }),
  operation({
    ...common,
    name: 'workflowOverrides.list',
    method: 'GET',
    path,
    summary: 'Lists overrides by page number.',
    wrapped: false,
    query: z.strictObject(pageFields({ limit: 10, max: 100 })),
    output: z.object({ data: z.array(output), page: z.number(), pageSize: z.number(), hasMore: z.boolean() }),
    async handler(context, { query }) {
      const rows = await context.store.db
        .selectFrom('workflowOverrides')
        .selectAll()
        .where('environmentId', '=', context.environment.id)
        .orderBy('id', 'desc')
        .limit(query.limit + 1)
        .offset(query.page * query.limit)
        .execute()
      return toNumberedPage(
        rows.map((row) => toOverride(row, context)),
        query,
      )
    },
  }),
  operation({
    ...common,
    name: 'workflowOverrides.get',
    method: 'GET',
    path: pairPath,
    summary: 'Returns the override of a workflow for a tenant.',
    handler: async (context, { params }) => toOverride(await findPair(context.store.db, context, params), context),
  }),
  operation({
    ...common,
    name: 'workflowOverrides.getById',
    method: 'GET',
    path: `${path}/{overrideId}`,
    summary: 'Returns an override.',
    handler: async (context, { params }) =>
      toOverride(await findById(context.store.db, context, String(params['overrideId'])), context),
  }),
  operation({
    ...common,
    name: 'workflowOverrides.updateById',
    method: 'PUT',
    path: `${path}/{overrideId}`,
    summary: 'Changes an override.',
    body: z.strictObject(fields),
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) =>
        update(tx, context, { row: await findById(tx, context, String(params['overrideId'])), body }),
      ),
  }),
  operation({
    ...common,
    name: 'workflowOverrides.update',
    method: 'PUT',
    path: pairPath,
    summary: 'Changes the override of a workflow for a tenant.',
    body: z.strictObject(fields),
    handler: (context, { params, body }) =>
      context.store.transaction(async (tx) => update(tx, context, { row: await findPair(tx, context, params), body })),
  }),
  operation({
    ...common,
    name: 'workflowOverrides.delete',
    method: 'DELETE',
    path: `${path}/{overrideId}`,
    summary: 'Deletes an override.',
    output: z.boolean(),
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const { id } = await findById(tx, context, String(params['overrideId']))
        await tx.deleteFrom('workflowOverrides').where('id', '=', id).execute()
        return true
      }),
  }),
])

interface OverrideFields {
  readonly active?: boolean | undefined
  readonly preferenceSettings?: JsonObject | undefined
}

async function create(
  context: CallContext,
  body: OverrideFields & { readonly workflowId: string; readonly tenantId: string },
): Promise<JsonObject> {
  const { db } = context.store
  const nowMs = context.clock.now()
  const workflow = await findWorkflow(db, context, body.workflowId)
  const tenant = await findTenant(db, context, body.tenantId)
  const row: WorkflowOverrideRow = {
    id: createId(nowMs),
    environmentId: context.environment.id,
    workflowId: workflow.id,
    tenantId: tenant.id,
    active: body.active === false ? 0 : 1,
    preferenceSettings: JSON.stringify(body.preferenceSettings ?? {}),
    createdAt: nowMs,
    updatedAt: nowMs,
  }
  try {
    await db.insertInto('workflowOverrides').values(row).execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw new ApiError(409, 'This workflow has an override for this tenant already.')
    throw error
  }
  return toOverride(row, context)
}

async function update(
  tx: Session,
  context: CallContext,
  { row, body }: { readonly row: WorkflowOverrideRow; readonly body: OverrideFields },
): Promise<JsonObject> {
  const { active, preferenceSettings } = body
  const next: WorkflowOverrideRow = {
    ...row,
    active: active === undefined ? row.active : active ? 1 : 0,
    preferenceSettings:
      preferenceSettings === undefined
        ? row.preferenceSettings
        : JSON.stringify({ ...JSON.parse(row.preferenceSettings), ...preferenceSettings }),
    updatedAt: context.clock.now(),
  }
  await tx.updateTable('workflowOverrides').set(next).where('id', '=', row.id).execute()
  return toOverride(next, context)
}

async function findPair(
  db: Session,
  context: CallContext,
  params: Readonly<Record<string, string>>,
): Promise<WorkflowOverrideRow> {
  const workflow = await findWorkflow(db, context, String(params['workflowId']))
  const tenant = await findTenant(db, context, String(params['tenantId']))
  const row = await db
    .selectFrom('workflowOverrides')
    .selectAll()
    .where('workflowId', '=', workflow.id)
    .where('tenantId', '=', tenant.id)
    .executeTakeFirst()
  if (!row) throw notFound('An override for the tenant', tenant.identifier)
  return row
}

async function findById(db: Session, { environment }: CallContext, id: string): Promise<WorkflowOverrideRow> {
  const row = await db
    .selectFrom('workflowOverrides')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('Workflow override', id)
  return row
}

function toOverride(row: WorkflowOverrideRow, { organizationId }: CallContext): JsonObject {
  return {
    _id: row.id,
    _organizationId: organizationId,
    _environmentId: row.environmentId,
    _workflowId: row.workflowId,
    _tenantId: row.tenantId,
    active: row.active === 1,
    preferenceSettings: JSON.parse(row.preferenceSettings),
    deleted: false,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  }
}
