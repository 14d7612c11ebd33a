import type { JsonObject } from '@trestle/protocol'
import { compact } from '../../json/json.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'

/**
 * Returns a subscriber as the API shows it.
 *
 * @source service-api.md#subscriber
 */
export function toSubscriber(row: SubscriberRow, organizationId: string): JsonObject {
  return compact({
    _id: row.id,
    subscriberId: row.subscriberId,
    firstName: row.firstName ?? undefined,
    lastName: row.lastName ?? undefined,
    email: row.email ?? undefined,
    phone: row.phone ?? undefined,
    avatar: row.avatar ?? undefined,
    locale: row.locale ?? undefined,
    timezone: row.timezone ?? undefined,
    data: row.data === null ? undefined : JSON.parse(row.data),
    channels: JSON.parse(row.channels),
    isOnline: row.isOnline === null ? undefined : row.isOnline === 1,
    lastOnlineAt: row.lastOnlineAt === null ? undefined : new Date(row.lastOnlineAt).toISOString(),
    _organizationId: organizationId,
    _environmentId: row.environmentId,
    deleted: false,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    __v: 0,
  })
}
