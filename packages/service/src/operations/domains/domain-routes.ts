import { sql } from 'kysely'
import { z } from 'zod'
import { cursorFields, readCursorPage } from '../../api/cursor-page.ts'
import { filledText, queryText, text } from '../../api/input.ts'
import { type AnyOperation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import { domainRoute } from '../../resources/domain.ts'
import { cursorPageOf } from '../../resources/page.ts'
import type { DomainRouteRow } from '../../store/schema/domain.ts'
import { dataField, localPart } from './domain-fields.ts'
import { findDomain } from './domain-row.ts'
import { addRoute, findRoute, type RouteFields, toDestination, toRoute } from './route-row.ts'

const common = { category: 'global', wrapped: true, output: domainRoute } as const
const path = '/v1/domains/{domain}/routes'
const order = { _id: 'id', id: 'id', createdAt: 'createdAt', updatedAt: 'updatedAt', address: 'address' } as const
const type = z.enum(['agent', 'webhook'], 'must be agent or webhook')
const fields = { agentId: filledText().optional(), webhookUrl: text(2000).optional(), data: dataField.optional() }

/** Operations on routes: the destinations of a domain's mail. */
export const domainRouteOperations: readonly AnyOperation[] = Object.freeze([
  operation({
    ...common,
    name: 'domains.listRoutes',
    access: 'view',
    method: 'GET',
    path,
    summary: 'Lists the routes of a domain.',
    wrapped: false,
    query: z.strictObject({ ...cursorFields(Object.keys(order)), agentId: queryText() }),
    output: cursorPageOf(domainRoute),
    async handler(context, { params, query }) {
      const { store, organizationId } = context
      const domain = await findDomain(store.db, context, String(params['domain']))
      const where = [sql`"domainId" = ${domain.id}`]
      if (query.agentId !== undefined) where.push(sql`"agentId" = ${query.agentId}`)
      const columns = Object.fromEntries(Object.entries(order).map(([field, column]) => [field, sql.ref(column)]))
      const source = { from: sql`"domainRoutes"`, select: sql`*`, where, id: sql`"id"`, order: columns }
      const page = await readCursorPage<DomainRouteRow>(store.db, source, query)
      return { ...page, data: page.data.map((row) => toRoute(row, organizationId)) }
    },
  }),
  operation({
    ...common,
    name: 'domains.createRoute',
    access: 'administer',
    method: 'POST',
    path,
    summary: 'Adds a route for one address, or with * for all other addresses.',
    status: 201,
    body: z.strictObject({ address: localPart, type, ...fields }),
    handler: (context, { params, body }) =>
      context.store.serializable(async (tx) => {
        const domain = await findDomain(tx, context, String(params['domain']))
        return toRoute(await addRoute(tx, { domain, clock: context.clock }, body), context.organizationId)
      }),
  }),
  operation({
    ...common,
    name: 'domains.getRoute',
    access: 'view',
    method: 'GET',
    path: `${path}/{address}`,
    summary: 'Returns a route.',
    async handler(context, { params }) {
      const domain = await findDomain(context.store.db, context, String(params['domain']))
      return toRoute(await findRoute(context.store.db, domain, String(params['address'])), context.organizationId)
    },
  }),
  operation({
    ...common,
    name: 'domains.updateRoute',
    access: 'administer',
    method: 'PATCH',
    path: `${path}/{address}`,
    summary: 'Changes the destination of mail for an address.',
    body: z.strictObject({ type: type.optional(), ...fields }),
    handler: (context, { params, body }) => update(context, params, body),
  }),
  operation({
    ...common,
    name: 'domains.deleteRoute',
    access: 'administer',
    method: 'DELETE',
    path: `${path}/{address}`,
    summary: 'Deletes a route.',
    wrapped: false,
    status: 204,
    handler: (context, { params }) =>
      context.store.transaction(async (tx) => {
        const domain = await findDomain(tx, context, String(params['domain']))
        const { id } = await findRoute(tx, domain, String(params['address']))
        await tx.deleteFrom('domainRoutes').where('id', '=', id).execute()
      }),
  }),
])

function update(
  context: CallContext,
  params: Readonly<Record<string, string>>,
  body: Omit<RouteFields, 'type'> & { readonly type?: RouteFields['type'] | undefined },
): Promise<unknown> {
  return context.store.serializable(async (tx) => {
    const domain = await findDomain(tx, context, String(params['domain']))
    const row = await findRoute(tx, domain, String(params['address']))
    const { data } = body
    const destination = await toDestination(tx, domain.environmentId, {
      type: body.type ?? row.type,
      agentId: body.agentId ?? row.agentId ?? undefined,
      webhookUrl: body.webhookUrl ?? data?.['webhookUrl'] ?? row.webhookUrl ?? undefined,
    })
    const changed = await tx
      .updateTable('domainRoutes')
      .set({
        ...destination,
        ...(data === undefined ? {} : { data: JSON.stringify(data) }),
        updatedAt: context.clock.now(),
      })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return toRoute(changed, context.organizationId)
  })
}
