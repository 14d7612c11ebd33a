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
 * Rejects a second connection for the same subscriber (or for all), contexts and integration.
 *
 * @throws {ApiError} 409 if one exists.
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
  if (other)
    throw new ApiError(
      409,
      `The connection "${other.identifier}" already exists for this subscriber, integration and contexts.`,
    )
}

/**
 * Returns a channel connection in the API format, with its tokens masked.
 *
 * @param context - The call, whose vault decrypts the tokens.
 */
export function showConnection(row: ChannelConnectionRow, { vault }: CallContext): JsonObject {
  const { accessToken, refreshToken, ...times } = toObject(JSON.parse(vault.open(row.auth, sealedPlaces.auth(row.id))))
  const mask = (token: unknown) => (token === undefined ? undefined : secretMask)
  const auth = compact({ accessToken: mask(accessToken), refreshToken: mask(refreshToken), ...times })
  return { ...showColumns(row), workspace: JSON.parse(row.workspace), auth }
}
