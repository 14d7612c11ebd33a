import type { JsonObject } from '@trestle/protocol'

const id = { type: 'string', minLength: 1, maxLength: 255 }
const text = { type: 'string' }
const questionId = { type: 'string', minLength: 1, maxLength: 1024 }
const optionalText = { type: ['string', 'null'] }
const optionalObject = { type: ['object', 'null'] }
const optionalNumber = { type: ['number', 'null'] }

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
})
const orNull = (schema: JsonObject): JsonObject => ({ ...schema, type: ['object', 'null'] })

const author = orNull(
  object({ userId: id, fullName: optionalText, userName: optionalText, isBot: { type: ['boolean', 'null'] } }, [
    'userId',
  ]),
)

const attachment = object({ url: optionalText, name: optionalText, mimeType: optionalText, size: optionalNumber })

const message = object(
  {
    text,
    platformMessageId: optionalText,
    author,
    timestamp: optionalText,
    attachments: { type: ['array', 'null'], items: attachment, maxItems: 100 },
  },
  ['text'],
)

const answer = {
  oneOf: [
    { type: 'null' },
    object({ questionId, type: { const: 'text' }, text }, ['questionId', 'type', 'text']),
    object({ questionId, type: { const: 'choice' }, choice: text }, ['questionId', 'type', 'choice']),
    object({ questionId, type: { const: 'approval' }, approved: { type: 'boolean' }, note: optionalText }, [
      'questionId',
      'type',
      'approved',
    ]),
  ],
}

const action = object({ id, value: {}, sourceMessageId: optionalText, author, answer }, ['id'])

const reaction = object({ emoji: id, added: { type: ['boolean', 'null'] }, messageId: id, author }, [
  'emoji',
  'messageId',
])

const historyEntry = object(
  { role: { enum: ['user', 'agent', 'system'] }, text, messageId: optionalText, timestamp: optionalText },
  ['role', 'text'],
)

const conversation = object({
  identifier: optionalText,
  status: optionalText,
  metadata: optionalObject,
  messageCount: optionalNumber,
  createdAt: optionalText,
  lastActivityAt: optionalText,
})

const notification = object({
  id: optionalText,
  workflowId: optionalText,
  messageId: optionalText,
  platformMessageId: optionalText,
  sentAt: optionalText,
  body: optionalText,
  payload: optionalObject,
})

/** The required part of each event; `onResolve` requires none. */
export const partOfEvent: Readonly<
  Record<'onMessage' | 'onAction' | 'onReaction' | 'onResolve', 'message' | 'action' | 'reaction' | undefined>
> = { onMessage: 'message', onAction: 'action', onReaction: 'reaction', onResolve: undefined }

/**
 * The body of an agent event as JSON Schema. Unlisted fields are ignored.
 *
 * @source protocol.md#events
 */
export const agentEventSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'The body of an agent event',
  ...object(
    {
      version: { enum: [1, null] },
      deliveryId: id,
      replyUrl: { type: 'string', minLength: 1, maxLength: 2048 },
      conversationId: id,
      integrationIdentifier: id,
      timestamp: optionalText,
      message: orNull(message),
      action: orNull(action),
      reaction: orNull(reaction),
      conversation: orNull(conversation),
      history: { type: ['array', 'null'], items: historyEntry, maxItems: 1000 },
      subscriber: optionalObject,
      notification: orNull(notification),
      platform: optionalText,
      platformContext: optionalObject,
      context: optionalObject,
    },
    ['deliveryId', 'replyUrl', 'conversationId', 'integrationIdentifier'],
  ),
}
