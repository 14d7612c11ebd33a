import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import { notFound, refuseTaken } from '../../api/api-error.ts'
import { jsonObject, pathId, text } from '../../api/input.ts'
import { pageFields, toNumberedPage } from '../../api/numbered-page.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { compact } from '../../json/json.ts'
import { tenant } from '../../resources/environment.ts'
import { named } from '../../resources/named.ts'
import { openPageOf } from '../../resources/page.ts'
import { createId } from '../../store/create-id.ts'
import type { TenantRow } from '../../store/schema/workflow.ts'
import type { Session } from '../../store/store.ts'

const path = '/v1/tenants'
const common = { category: 'global', wrapped: true } as const
const fields = {
  name: text(500).optional().describe('The display name.'),
  data: jsonObject().optional().describe('Custom data.'),
}

export const tenantOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'tenants.list',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists tenants by page number.',
    wrapped: false,
    query: z.strictObject(pageFields({ limit: 10, max: 100 })),
    output: openPageOf(tenant),
    async handler({ store, environment }, { query }) {
      const rows = await store.db
        .selectFrom('tenants')
        .selectAll()
        .where('environmentId', '=', environment.id)
        .orderBy('id', 'desc')
        .limit(query.limit + 1)
        .offset(query.page * query.limit)
        .execute()
      return toNumberedPage(rows.map(toTenant), query)
    },
  }),
  operation({
    ...common,
    name: 'tenants.create',
    access: 'edit',
    method: 'POST',
    path,
    summary: 'Creates a tenant.',
    status: 201,
    body: named(
      'NewTenant',
      'A new tenant.',
      z.strictObject({ identifier: pathId().describe('The identifier.'), ...fields }),
    ),
    output: tenant,
    async handler({ store, environment, clock }, { body: { identifier, name, data } }) {
      const nowMs = clock.now()
      const row: TenantRow = {
        id: createId(nowMs),
        environmentId: environment.id,
        identifier,
        name: name ?? null,
        data: data === undefined ? null : JSON.stringify(data),
        createdAt: nowMs,
        updatedAt: nowMs,
      }
      await store.db
        .insertInto('tenants')
        .values(row)
        .execute()
        .catch(refuseTaken('A tenant with this identifier already exists.'))
      return toTenant(row)
    },
  }),
  operation({
    ...common,
    name: 'tenants.get',
    access: 'view',
    method: 'GET',
    path: `${path}/{identifier}`,
    summary: 'Returns a tenant.',
    output: tenant,
    handler: async (context, { params }) =>
      toTenant(await findTenant(context.store.db, context, String(params['identifier']))),
  }),
  operation({
    ...common,
    name: 'tenants.update',
    access: 'edit',
    method: 'PATCH',
    path: `${path}/{identifier}`,
    summary: 'Updates the given fields of a tenant.',
    body: named(
      'TenantUpdate',
      'A change to a tenant.',
      z.strictObject({ identifier: pathId().optional().describe('The identifier.'), ...fields }),
    ),
    output: tenant,
    handler: (context, { params, body: { identifier, name, data } }) =>
      context.store
        .transaction(async (tx) => {
          const row = await findTenant(tx, context, String(params['identifier']))
          const next: TenantRow = {
            ...row,
            identifier: identifier ?? row.identifier,
            name: name ?? row.name,
            data: data === undefined ? row.data : JSON.stringify(data),
            updatedAt: context.clock.now(),
          }
          await tx.updateTable('tenants').set(next).where('id', '=', row.id).execute()
          return toTenant(next)
        })
        .catch(refuseTaken('A tenant with this identifier already exists.')),
  }),
  operation({
    ...common,
    name: 'tenants.delete',
    access: 'edit',
    method: 'DELETE',
    path: `${path}/{identifier}`,
    summary: 'Deletes a tenant with its workflow overrides.',
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const { id } = await findTenant(tx, context, String(params['identifier']))
        await tx.deleteFrom('workflowOverrides').where('tenantId', '=', id).execute()
        await tx.deleteFrom('tenants').where('id', '=', id).execute()
      }),
  }),
])

function toTenant(row: TenantRow): JsonObject {
  return compact({
    _id: row.id,
    identifier: row.identifier,
    name: row.name ?? undefined,
    data: row.data === null ? undefined : JSON.parse(row.data),
    _environmentId: row.environmentId,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  })
}

/**
 * Returns a tenant of the call's environment.
 *
 * @param id - Its identifier or row id.
 * @throws {ApiError} 404
 */
export async function findTenant(
  db: Session,
  { environment }: Pick<CallContext, 'environment'>,
  id: string,
): Promise<TenantRow> {
  const row = await db
    .selectFrom('tenants')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where(({ or, eb }) => or([eb('identifier', '=', id), eb('id', '=', id)]))
    .executeTakeFirst()
  if (!row) throw notFound('Tenant', id)
  return row
}
