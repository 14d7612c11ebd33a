import { OutboundError } from '@trestle/bridge-client'
import type { JsonObject } from '@trestle/protocol'
import { ApiError, invalid, notFound } from '../../api/api-error.ts'
import type { CallContext } from '../../context/service-context.ts'
import { compact } from '../../json/json.ts'
import type { WebhookEndpointRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

const maxEndpoints = 20

/** Returns an endpoint as the API shows it, without its secrets. */
export function toEndpoint(row: WebhookEndpointRow, { organizationId }: CallContext): JsonObject {
  return compact({
    _id: row.id,
    _environmentId: row.environmentId,
    _organizationId: organizationId,
    url: row.url,
    description: row.description,
    eventTypes: JSON.parse(row.eventTypes),
    active: row.active === 1,
    disabledReason: row.disabledReason ?? undefined,
    failingSince: row.failingSince === null ? undefined : new Date(row.failingSince).toISOString(),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  })
}

/**
 * Returns an endpoint of the call's environment.
 *
 * @throws {ApiError} 404
 */
export async function findEndpoint(db: Session, { environment }: CallContext, id: string): Promise<WebhookEndpointRow> {
  const row = await db
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('id', '=', id)
    .where('environmentId', '=', environment.id)
    .executeTakeFirst()
  if (!row) throw notFound('Webhook endpoint', id)
  return row
}

/**
 * Checks that the environment may have another endpoint.
 *
 * @throws {ApiError} 409
 */
export async function checkCount(tx: Session, { environment }: CallContext): Promise<void> {
  const { count } = await tx
    .selectFrom('webhookEndpoints')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('environmentId', '=', environment.id)
    .executeTakeFirstOrThrow()
  if (Number(count) < maxEndpoints) return
  throw new ApiError(409, `The environment has ${maxEndpoints} webhook endpoints, which is the maximum.`)
}

/**
 * Checks that the network policy allows a URL. Its host may be unreachable at the moment.
 *
 * @throws {ApiError} 422
 */
export async function checkUrl({ outbound, signal }: CallContext, url: string): Promise<void> {
  const { hostname, port, protocol, username, password } = new URL(url)
  if (username !== '' || password !== '') throw invalid('url', 'must not contain a user name or password')
  const host = hostname.replace(/^\[|\]$/g, '')
  try {
    await outbound.resolveHost(host, signal, Number(port) || (protocol === 'https:' ? 443 : 80))
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.isRefused) throw invalid('url', `is not allowed: ${error.message}`)
    if (error.code === 'DNS_LOOKUP_FAILED') throw invalid('url', `must have a host that exists; ${host} does not`)
  }
}
