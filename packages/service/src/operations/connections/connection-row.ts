import type { JsonObject } from '@trestle/protocol'
import { ApiError, notFound } from '../../api/api-error.ts'
import { secretMask } from '../../bridge/mask-secrets.ts'
import type { CallContext } from '../../context/service-context.ts'
import { compact, toObject } from '../../json/json.ts'
import type { ChannelConnectionRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'

/**
 * Finds a channel connection.
 *
 * @param db - Where from.
 * @param context - The call.
 * @param identifier - Its identifier.
 * @throws {ApiError} There is none.
 */
export async function findConnectionRow(
  db: Session,
  { environment }: CallContext,
  identifier = '',
): Promise<ChannelConnectionRow> {
  const row = await db
    .selectFrom('channelConnections')
    .selectAll()
    .where('environmentId', '=', environment.id)
    .where('identifier', '=', identifier)
    .executeTakeFirst()
  if (!row) throw notFound('Channel connection', identifier)
  return row
}

/**
 * Throws where there is such a connection: one for a subscriber (or for all), its contexts and an integration.
 *
 * @param tx - The transaction.
 * @param row - The new connection.
 * @throws {ApiError} There is one.
 */
export async function refuseSecond(tx: Session, row: ChannelConnectionRow): Promise<void> {
  const other = await tx
    .selectFrom('channelConnections')
    .select('identifier')
    .where('environmentId', '=', row.environmentId)
    .where('integrationIdentifier', '=', row.integrationIdentifier)
    .where('subscriberId', row.subscriberId === null ? 'is' : '=', row.subscriberId)
    .where('contextKeys', '=', row.contextKeys)
    .executeTakeFirst()
  if (other) throw new ApiError(409, `There is such a connection already: "${other.identifier}".`)
}

/**
 * Stores a connection.
 *
 * @param identifier - Its identifier, for the error.
 * @param write - Stores it.
 * @throws {ApiError} The identifier is taken.
 */
export async function unlessTaken(identifier: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new ApiError(409, `The channel connection "${identifier}" exists already.`)
  }
}

/**
 * Returns a channel connection as the API shows it, its tokens masked.
 *
 * @param row - The connection.
 * @param context - The call, whose vault opens the tokens.
 */
export function showConnection(row: ChannelConnectionRow, { vault }: CallContext): JsonObject {
  const { accessToken, refreshToken, ...times } = toObject(JSON.parse(vault.open(row.auth)))
  const mask = (token: unknown) => (token === undefined ? undefined : secretMask)
  return {
    identifier: row.identifier,
    channel: row.channel,
    providerId: row.providerId,
    integrationIdentifier: row.integrationIdentifier,
    subscriberId: row.subscriberId,
    contextKeys: JSON.parse(row.contextKeys),
    workspace: JSON.parse(row.workspace),
    auth: compact({ accessToken: mask(accessToken), refreshToken: mask(refreshToken), ...times }),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  }
}
