import type { TenantRow, WorkflowRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'

/**
 * Returns the tenant that a trigger names.
 *
 * @param tenant - An identifier, an object with `identifier`, or nothing.
 * @returns The tenant; `undefined` if none is named, `unknown` if the environment does not have it.
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
 * Returns whether triggers of a workflow start runs. An override for the tenant has priority over the workflow's own
 * setting.
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
