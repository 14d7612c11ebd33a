import type { JsonObject } from '@trestle/protocol'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'
import { belongsTo, type ChannelIntegration, findChannelIntegration } from './channel-integration.ts'

/**
 * Merges new channels into those of a subscriber. A new channel replaces the one of the same integration, or the one of
 * the same provider if neither names an integration. The later of two equal channels wins.
 *
 * @param row - The stored subscriber.
 * @param newChannels - The channels; each has a provider.
 * @returns The channels as JSON.
 */
export async function mergeChannels(
  tx: Session,
  row: SubscriberRow,
  newChannels: readonly JsonObject[],
): Promise<string> {
  let channels = JSON.parse(row.channels) as readonly JsonObject[]
  for (const channel of newChannels) {
    const integration = await findIntegration(tx, row, channel)
    const identifier = integration ? { integrationIdentifier: integration.identifier } : {}
    const isReplaced = (existing: JsonObject): boolean =>
      toKey(existing) === toKey(channel) || (integration !== undefined && belongsTo(existing, integration))
    const next = { ...channel, ...identifier, _integrationId: integration?.id ?? '' }
    channels = [...channels.filter((existing) => !isReplaced(existing)), next]
  }
  return JSON.stringify(channels)
}

function toKey({ providerId, integrationIdentifier }: JsonObject): string {
  return JSON.stringify([providerId, integrationIdentifier ?? null])
}

async function findIntegration(
  tx: Session,
  { environmentId }: SubscriberRow,
  { providerId, integrationIdentifier: namedIdentifier }: JsonObject,
): Promise<ChannelIntegration | undefined> {
  if (typeof providerId !== 'string') return undefined
  const identifier = typeof namedIdentifier === 'string' ? namedIdentifier : undefined
  return findChannelIntegration(tx, { environmentId, providerId, identifier })
}
