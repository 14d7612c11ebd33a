import type { JsonObject } from '@trestle/protocol'
import { ApiError, invalid, notFound } from '../../api/api-error.ts'
import { webAddress } from '../../api/input.ts'
import type { CallContext } from '../../context/service-context.ts'
import { compact } from '../../json/json.ts'
import { createId } from '../../store/create-id.ts'
import type { DomainRouteRow, DomainRow } from '../../store/schema/domain.ts'
import type { Session } from '../../store/store.ts'

const maxRoutes = 1000
const webhookField = webAddress(2000)

/** Returns a route in the API format. */
export function toRoute(row: DomainRouteRow, organizationId: string): JsonObject {
  return compact({
    _id: row.id,
    _domainId: row.domainId,
    address: row.address,
    type: row.type,
    agentId: row.agentId ?? undefined,
    webhookUrl: row.webhookUrl ?? undefined,
    _environmentId: row.environmentId,
    _organizationId: organizationId,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    data: row.data === null ? undefined : JSON.parse(row.data),
  })
}

/** The destination of a route as callers send it. */
export interface RouteFields {
  /** The type of destination. */
  readonly type: DomainRouteRow['type']
  /** The agent id in the bridge. */
  readonly agentId?: string | undefined
  /** The URL to call. */
  readonly webhookUrl?: string | undefined
  readonly data?: Readonly<Record<string, string>> | undefined
}

/**
 * Returns the columns of a route's destination. Public clients have no field `webhookUrl`, so it may also be in the
 * data of the route.
 *
 * @param environmentId - Row id of the environment.
 * @throws {ApiError} 422 if the destination is missing or the agent does not exist in the environment.
 */
export async function toDestination(
  db: Session,
  environmentId: string,
  { type, agentId, webhookUrl, data }: RouteFields,
): Promise<Pick<DomainRouteRow, 'type' | 'agentId' | 'webhookUrl'>> {
  if (type === 'webhook') {
    const url = webhookUrl ?? data?.['webhookUrl']
    if (url === undefined)
      throw invalid('webhookUrl', 'is missing: required for a route of type webhook, here or in data.webhookUrl')
    const { success, error } = webhookField.safeParse(url)
    if (!success)
      throw invalid(webhookUrl === undefined ? 'data.webhookUrl' : 'webhookUrl', String(error.issues[0]?.message))
    return { type, agentId: null, webhookUrl: url }
  }
  if (agentId === undefined) throw invalid('agentId', 'is missing: required for a route of type agent')
  const agent = await db
    .selectFrom('agents')
    .select('id')
    .where('environmentId', '=', environmentId)
    .where('identifier', '=', agentId)
    .executeTakeFirst()
  if (!agent) throw invalid('agentId', 'is not an agent of this environment; sync its bridge first', agentId)
  return { type, agentId, webhookUrl: null }
}

/**
 * Returns a route of a domain.
 *
 * @throws {ApiError} 404
 */
export async function findRoute(db: Session, domain: DomainRow, address: string): Promise<DomainRouteRow> {
  const row = await db
    .selectFrom('domainRoutes')
    .selectAll()
    .where('domainId', '=', domain.id)
    .where('address', '=', address.toLowerCase())
    .executeTakeFirst()
  if (!row) throw notFound('Route', `${address}@${domain.name}`)
  return row
}

/**
 * Inserts a route.
 *
 * @throws {ApiError} 409 if the domain already has one for the address, or the maximum number of routes.
 */
export async function addRoute(
  tx: Session,
  { domain, clock }: { readonly domain: DomainRow; readonly clock: CallContext['clock'] },
  { address, data, ...fields }: RouteFields & { readonly address: string },
): Promise<DomainRouteRow> {
  const { count } = await tx
    .selectFrom('domainRoutes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('domainId', '=', domain.id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxRoutes) throw new ApiError(409, `The domain has ${maxRoutes} routes, which is the maximum.`)
  const nowMs = clock.now()
  const destination = await toDestination(tx, domain.environmentId, { ...fields, data })
  const row = await tx
    .insertInto('domainRoutes')
    .values({
      ...{ id: createId(nowMs), environmentId: domain.environmentId, domainId: domain.id, address, ...destination },
      ...{ data: data === undefined ? null : JSON.stringify(data), createdAt: nowMs, updatedAt: nowMs },
    })
    .onConflict((conflict) => conflict.columns(['domainId', 'address']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new ApiError(409, `${address}@${domain.name} already has a route. Change or delete it.`)
  return row
}
