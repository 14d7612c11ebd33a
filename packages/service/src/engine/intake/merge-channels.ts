import type { JsonObject } from '@trestle/protocol'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/**
 * Returns the channels of a subscriber with others: one of the same integration is replaced, and so is one of the same
 * provider where neither names an integration. Of two for the same the later counts.
 *
 * @param tx - The session.
 * @param row - The subscriber as stored.
 * @param given - What came: `{ providerId, credentials, integrationIdentifier? }` each.
 * @returns JSON.
 */
export async function mergeChannels(tx: Session, row: SubscriberRow, given: readonly JsonObject[]): Promise<string> {
  let channels = JSON.parse(row.channels) as readonly JsonObject[]
  for (const channel of given) {
    const found = await findIntegration(tx, row.environmentId, channel)
    const identifier = found ? { integrationIdentifier: found.identifier } : {}
    const isReplaced = (known: JsonObject): boolean =>
      toKey(known) === toKey(channel) || (found !== undefined && known['_integrationId'] === found.id)
    const next = { ...channel, ...identifier, _integrationId: found?.id ?? '' }
    channels = [...channels.filter((known) => !isReplaced(known)), next]
  }
  return JSON.stringify(channels)
}

function toKey({ providerId, integrationIdentifier }: JsonObject): string {
  return JSON.stringify([providerId, integrationIdentifier ?? null])
}

interface Found {
  readonly id: string
  readonly identifier: string
}

/** The integration a channel goes through; without an identifier the first choice of the provider. */
async function findIntegration(tx: Session, environmentId: string, channel: JsonObject): Promise<Found | undefined> {
  const { providerId, integrationIdentifier } = channel
  if (typeof providerId !== 'string') return undefined
  let query = tx
    .selectFrom('integrations')
    .select(['id', 'identifier'])
    .where('environmentId', '=', environmentId)
    .where('providerId', '=', providerId)
  if (typeof integrationIdentifier === 'string') query = query.where('identifier', '=', integrationIdentifier)
  return query.orderBy('active', 'desc').orderBy('isPrimary', 'desc').orderBy('id').executeTakeFirst()
}
