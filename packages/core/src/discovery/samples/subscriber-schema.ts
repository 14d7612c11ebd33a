import type { JsonObject } from '@trestle/protocol'

/** The schemas of subscribers and actors, for sample data. */
interface PersonSchemas {
  readonly person: JsonObject
  /** The schema without `data`, which is defined by the app and has no schema. */
  readonly withoutData: JsonObject
}

/** The shape of `data`. */
export const personDataSchema: JsonObject = { type: 'object' }

/**
 * The shape of a recipient.
 *
 * @source service-api.md#subscriber
 */
export const subscriberSchemas: PersonSchemas = toSchemas('subscriber-1', {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'user@example.com',
  phone: '+15550100',
  avatar: 'https://example.com/',
})

/**
 * The shape of the actor, a person other than the recipient.
 *
 * @source service-api.md#subscriber
 */
export const actorSchemas: PersonSchemas = toSchemas('actor-1', {
  firstName: 'Grace',
  lastName: 'Hopper',
  email: 'grace@example.com',
  phone: '+15550101',
  avatar: 'https://example.com/grace',
})

function toSchemas(id: string, own: Readonly<Record<string, string>>): PersonSchemas {
  const { firstName, lastName, email, phone, avatar } = own
  const field = (extra: JsonObject): JsonObject => ({ type: ['string', 'null'], ...extra })
  const fields = {
    subscriberId: { type: 'string', minLength: 1, default: id },
    firstName: field({ minLength: 1, examples: [firstName] }),
    lastName: field({ minLength: 1, examples: [lastName] }),
    email: field({ format: 'email', examples: [email] }),
    phone: field({ minLength: 1, examples: [phone] }),
    avatar: field({ format: 'uri', examples: [avatar] }),
    locale: field({ minLength: 1, examples: ['en-US'] }),
    timezone: field({ minLength: 1, examples: ['Europe/Berlin'] }),
  }
  const toSchema = (properties: JsonObject): JsonObject => {
    return { type: 'object', required: Object.keys(properties), properties }
  }
  return { person: toSchema({ ...fields, data: personDataSchema }), withoutData: toSchema(fields) }
}
