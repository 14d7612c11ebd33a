import type { JsonObject } from '@trestle/protocol'

const field = (extra: JsonObject = {}): JsonObject => ({ type: ['string', 'null'], ...extra })

/**
 * The shape of a recipient, for sample data.
 *
 * @source Specification, "Subscriber".
 */
export const subscriberSchema: JsonObject = {
  type: 'object',
  required: ['subscriberId', 'firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone', 'data'],
  properties: {
    subscriberId: { type: 'string', minLength: 1, default: 'subscriber-1' },
    firstName: field({ minLength: 1, examples: ['Ada'] }),
    lastName: field({ minLength: 1, examples: ['Lovelace'] }),
    email: field({ format: 'email' }),
    phone: field({ minLength: 1, examples: ['+15550100'] }),
    avatar: field({ format: 'uri' }),
    locale: field({ minLength: 1, examples: ['en-US'] }),
    timezone: field({ minLength: 1, examples: ['Europe/Berlin'] }),
    data: { type: 'object' },
  },
}
