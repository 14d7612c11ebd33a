import type { JsonObject } from '@trestle/protocol'
import { closed, nullable, text } from '../../schema/object-schema.ts'
import { cardSchema } from '../cards/card-schema.ts'

// A path with two slashes (or a backslash) in front leads to another host.
const redirectUrl = { type: 'string', pattern: '^(https?://[^\\s]+|/(?![/\\\\])[^\\s]*)$' }
const redirect = closed(
  { url: redirectUrl, target: { enum: ['_self', '_blank', '_parent', '_top', '_unfencedTop'] } },
  ['url'],
)
const action = closed({ label: text, redirect }, ['label'])

/** The shape of an email. */
export const emailSchema: JsonObject = closed(
  {
    subject: { type: 'string', minLength: 1 },
    body: text,
    from: closed({ email: text, name: text }),
    replyTo: text,
    preheader: text,
    useProviderDefaults: { type: 'boolean' },
  },
  ['subject', 'body'],
)

/** The shape of a text message, and of a message to an operations tool. */
export const textSchema: JsonObject = closed({ body: text }, ['body'])

/** The shape of a push message. */
export const pushSchema: JsonObject = closed({ subject: text, body: text }, ['subject', 'body'])

/** The shape of a chat message: text, a card, or both. */
export const chatSchema: JsonObject = {
  ...closed({ body: text, card: cardSchema }),
  anyOf: [{ required: ['body'] }, { required: ['card'] }],
}

/** The shape of an in-app message. */
export const inAppSchema: JsonObject = {
  ...closed({
    subject: { type: 'string', minLength: 1 },
    body: { type: 'string', minLength: 1 },
    avatar: text,
    primaryAction: action,
    secondaryAction: action,
    redirect,
    data: { type: 'object' },
  }),
  anyOf: [{ required: ['subject'] }, { required: ['body'] }],
}

/** The result of an in-app message that later steps see. */
export const inAppResultSchema: JsonObject = closed(
  {
    seen: { type: 'boolean' },
    read: { type: 'boolean' },
    lastSeenDate: nullable({ type: 'string', format: 'date-time' }),
    lastReadDate: nullable({ type: 'string', format: 'date-time' }),
  },
  ['seen', 'read', 'lastSeenDate', 'lastReadDate'],
)
