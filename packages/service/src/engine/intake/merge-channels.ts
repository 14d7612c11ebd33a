import type { JsonObject } from '@trestle/protocol'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { type ChannelIntegration, findChannelIntegration, isOf } from './channel-integration.ts'

/**
 * Returns the channels of a subscriber with others: one of the same integration is replaced, and so is one of the same
 * provider where neither names an integration. Of two for the same the later counts.
 *
 * @param tx - The session.
 * @param row - The subscriber as stored.
 * @param given - The channels, each of which names its provider.
 * @returns JSON.
 */
export async function mergeChannels(tx: Session, row: SubscriberRow, given: readonly JsonObject[]): Promise<string> {
  let channels = JSON.parse(row.channels) as readonly JsonObject[]
  for (const channel of given) {
    const found = await findGiven(tx, row, channel)
    const identifier = found ? { integrationIdentifier: found.identifier } : {}
    const isReplaced = (known: JsonObject): boolean =>
      toKey(known) === toKey(channel) || (found !== undefined && isOf(known, found))
    const next = { ...channel, ...identifier, _integrationId: found?.id ?? '' }
    channels = [...channels.filter((known) => !isReplaced(known)), next]
  }
  return JSON.stringify(channels)
}

function toKey({ providerId, integrationIdentifier }: JsonObject): string {
  return JSON.stringify([providerId, integrationIdentifier ?? null])
}

async function findGiven(
  tx: Session,
  { environmentId }: SubscriberRow,
  { providerId, integrationIdentifier: given }: JsonObject,
): Promise<ChannelIntegration | undefined> {
  if (typeof providerId !== 'string') return undefined
  const identifier = typeof given === 'string' ? given : undefined
  return findChannelIntegration(tx, { environmentId, providerId, identifier })
}
