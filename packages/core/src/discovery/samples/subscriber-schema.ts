import type { JsonObject } from '@trestle/protocol'

const field = (extra: JsonObject = {}): JsonObject => ({ type: ['string', 'null'], ...extra })

/**
 * The shape of a recipient, for sample data.
 *
 * @source service-api.md#subscriber
 */
export const subscriberSchema: JsonObject = toPersonSchema('subscriber-1', {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'user@example.com',
  phone: '+15550100',
  avatar: 'https://example.com/',
})

/**
 * The shape of who caused the notification: somebody else than the recipient.
 *
 * @source service-api.md#subscriber
 */
export const actorSchema: JsonObject = toPersonSchema('actor-1', {
  firstName: 'Grace',
  lastName: 'Hopper',
  email: 'grace@example.com',
  phone: '+15550101',
  avatar: 'https://example.com/grace',
})

function toPersonSchema(id: string, own: Readonly<Record<string, string>>): JsonObject {
  const { firstName, lastName, email, phone, avatar } = own
  return {
    type: 'object',
    required: ['subscriberId', 'firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone', 'data'],
    properties: {
      subscriberId: { type: 'string', minLength: 1, default: id },
      firstName: field({ minLength: 1, examples: [firstName] }),
      lastName: field({ minLength: 1, examples: [lastName] }),
      email: field({ format: 'email', examples: [email] }),
      phone: field({ minLength: 1, examples: [phone] }),
      avatar: field({ format: 'uri', examples: [avatar] }),
      locale: field({ minLength: 1, examples: ['en-US'] }),
      timezone: field({ minLength: 1, examples: ['Europe/Berlin'] }),
      data: { type: 'object' },
    },
  }
}
