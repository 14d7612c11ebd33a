import type { JsonObject } from '@trestle/protocol'
import { notFound, refuseTaken } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import { createId } from '../../store/create-id.ts'
import type { WorkflowOverrideRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'
import { findTenant } from '../tenants/tenants.ts'
import { findWorkflow } from '../workflows/workflow-row.ts'

export interface OverrideFields {
  /** Whether the workflow is active for the tenant. */
  readonly active?: boolean | undefined
  /** Enabled channels. */
  readonly preferenceSettings?: JsonObject | undefined
}

/**
 * Inserts an override.
 *
 * @throws {ApiError} 404 for an unknown workflow or tenant, 409 if the override already exists.
 */
export async function createOverride(
  context: CallContext,
  body: OverrideFields & { readonly workflowId: string; readonly tenantId: string },
): Promise<JsonObject> {
  const nowMs = context.clock.now()
  const created = context.store.transaction(async (tx) => {
    const workflow = await findWorkflow(tx, context, body.workflowId)
    const tenant = await findTenant(tx, context, body.tenantId)
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
    await tx.insertInto('workflowOverrides').values(row).execute()
    return toOverride(row, context)
  })
  return created.catch(refuseTaken('This workflow already has an override for this tenant.'))
}

/** Updates an override. Omitted fields keep their values. */
export async function updateOverride(
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

/**
 * Returns the override of a workflow for a tenant.
 *
 * @throws {ApiError} 404
 */
export async function findOverrideOf(
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

/**
 * Returns an override by its row id.
 *
 * @throws {ApiError} 404
 */
export async function findOverride(
  db: Session,
  { environment }: CallContext,
  id: string,
): Promise<WorkflowOverrideRow> {
  const row = await db
    .selectFrom('workflowOverrides')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('Workflow override', id)
  return row
}

/** Returns an override in the API format. */
export function toOverride(row: WorkflowOverrideRow, { organizationId }: CallContext): JsonObject {
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
