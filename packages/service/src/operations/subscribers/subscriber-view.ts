import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
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

/** The schema of a subscriber, for the description of the API. */
export const subscriberOutput: z.ZodType = z.object({
  _id: z.string(),
  subscriberId: z.string(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
  avatar: z.string().optional(),
  locale: z.string().optional(),
  timezone: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  channels: z.array(
    z.object({
      providerId: z.string(),
      integrationIdentifier: z.string().optional(),
      credentials: z.record(z.string(), z.unknown()),
      _integrationId: z.string(),
    }),
  ),
  isOnline: z.boolean().optional(),
  lastOnlineAt: z.string().optional(),
  _organizationId: z.string(),
  _environmentId: z.string(),
  deleted: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  __v: z.number(),
})
