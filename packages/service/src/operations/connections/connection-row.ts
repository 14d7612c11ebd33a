import type { JsonObject } from '@trestle/protocol'
import { ApiError } from '../../api/api-error.ts'
import { secretMask } from '../../bridge/mask-secrets.ts'
import type { CallContext } from '../../context/service-context.ts'
import { compact, toObject } from '../../json/json.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import type { ChannelConnectionRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'
import { showColumns } from './connection-table.ts'

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
 * Returns a channel connection as the API shows it, its tokens masked.
 *
 * @param row - The connection.
 * @param context - The call, whose vault opens the tokens.
 */
export function showConnection(row: ChannelConnectionRow, { vault }: CallContext): JsonObject {
  const { accessToken, refreshToken, ...times } = toObject(JSON.parse(vault.open(row.auth, sealedPlaces.auth(row.id))))
  const mask = (token: unknown) => (token === undefined ? undefined : secretMask)
  const auth = compact({ accessToken: mask(accessToken), refreshToken: mask(refreshToken), ...times })
  return { ...showColumns(row), workspace: JSON.parse(row.workspace), auth }
}
