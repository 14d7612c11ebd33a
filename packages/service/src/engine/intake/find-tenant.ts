import type { TenantRow, WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'

/**
 * Returns the tenant a trigger names.
 *
 * @param db - The session.
 * @param environmentId - Row id of the environment.
 * @param tenant - An identifier, an object with `identifier`, or nothing.
 * @returns The tenant; `undefined` where none is named, `unknown` where the environment does not have it.
 */
export async function findTenant(
  db: Session,
  environmentId: string,
  tenant: unknown,
): Promise<TenantRow | 'unknown' | undefined> {
  if (tenant === undefined || tenant === null) return undefined
  const identifier = typeof tenant === 'object' ? Reflect.get(tenant, 'identifier') : tenant
  if (typeof identifier !== 'string') return 'unknown'
  const row = await db
    .selectFrom('tenants')
    .selectAll()
    .where('environmentId', '=', environmentId)
    .where('identifier', '=', identifier)
    .executeTakeFirst()
  return row ?? 'unknown'
}

/**
 * Whether triggers of a workflow start runs: what was set for the tenant wins over the workflow's own switch.
 *
 * @param db - The session.
 * @param workflow - The workflow.
 * @param tenant - The tenant, if there is one.
 */
export async function isActiveFor(
  db: Session,
  workflow: Pick<WorkflowRow, 'id' | 'active'>,
  tenant: TenantRow | undefined,
): Promise<boolean> {
  if (!tenant) return workflow.active === 1
  const override = await db
    .selectFrom('workflowOverrides')
    .select('active')
    .where('workflowId', '=', workflow.id)
    .where('tenantId', '=', tenant.id)
    .executeTakeFirst()
  return (override ?? workflow).active === 1
}
