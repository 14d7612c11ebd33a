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

/** Returns a route as the API shows it. */
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

/** What callers say of a route. */
export interface RouteFields {
  /** What takes the mail. */
  readonly type: DomainRouteRow['type']
  /** The agent's id in the bridge. */
  readonly agentId?: string | undefined
  /** The address that is called. */
  readonly webhookUrl?: string | undefined
  /** Free fields. */
  readonly data?: Readonly<Record<string, string>> | undefined
}

/**
 * Returns the columns of a route's destination. Public clients know no `webhookUrl`: theirs is in the data of the route.
 *
 * @param db - The session.
 * @param environmentId - Row id of the environment.
 * @param fields - What callers say.
 * @throws {ApiError} 422 if the destination is missing, or the environment has no such agent.
 */
export async function toDestination(
  db: Session,
  environmentId: string,
  { type, agentId, webhookUrl, data }: RouteFields,
): Promise<Pick<DomainRouteRow, 'type' | 'agentId' | 'webhookUrl'>> {
  if (type === 'webhook') {
    const url = webhookUrl ?? data?.['webhookUrl']
    if (url === undefined)
      throw invalid('webhookUrl', 'is missing: a route of type webhook needs it, here or in data.webhookUrl')
    const { success, error } = webhookField.safeParse(url)
    if (!success)
      throw invalid(webhookUrl === undefined ? 'data.webhookUrl' : 'webhookUrl', String(error.issues[0]?.message))
    return { type, agentId: null, webhookUrl: url }
  }
  if (agentId === undefined) throw invalid('agentId', 'is missing: a route of type agent needs it')
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
 * Stores a route.
 *
 * @throws {ApiError} 409 if the domain has one for the address, or has as many as it may.
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
  if (Number(count) >= maxRoutes) throw new ApiError(409, `The domain has ${maxRoutes} routes, which is the most.`)
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
  if (!row) throw new ApiError(409, `${address}@${domain.name} has a route already. Change or delete it.`)
  return row
}
