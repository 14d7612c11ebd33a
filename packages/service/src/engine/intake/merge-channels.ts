import type { JsonObject } from '@trestle/protocol'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'
import type { Session } from '../../store/store.ts'

/**
 * Returns the channels of a subscriber with those that came with a trigger: one of the same provider and integration is
 * replaced.
 *
 * @param tx - The session.
 * @param row - The subscriber as stored.
 * @param given - What came: `{ providerId, credentials, integrationIdentifier? }` each.
 * @returns JSON.
 */
export async function mergeChannels(tx: Session, row: SubscriberRow, given: readonly JsonObject[]): Promise<string> {
  const known = JSON.parse(row.channels) as readonly JsonObject[]
  const added: JsonObject[] = []
  for (const channel of given) {
    const integration = await findIntegration(tx, row.environmentId, channel)
    added.push({ ...channel, _integrationId: integration ?? '' })
  }
  const kept = known.filter((channel) => !added.some((other) => toKey(other) === toKey(channel)))
  return JSON.stringify([...kept, ...added])
}

function toKey({ providerId, integrationIdentifier }: JsonObject): string {
  return JSON.stringify([providerId, integrationIdentifier ?? null])
}

async function findIntegration(tx: Session, environmentId: string, channel: JsonObject): Promise<string | undefined> {
  const { providerId, integrationIdentifier } = channel
  if (typeof providerId !== 'string') return undefined
  let query = tx
    .selectFrom('integrations')
    .select('id')
    .where('environmentId', '=', environmentId)
    .where('providerId', '=', providerId)
  if (typeof integrationIdentifier === 'string') query = query.where('identifier', '=', integrationIdentifier)
  const row = await query.orderBy('isPrimary', 'desc').orderBy('active', 'desc').executeTakeFirst()
  return row?.id
}
