import {
  type AgentAction,
  type AgentConversation,
  type AgentEvent,
  type AgentEventName,
  type AgentHistoryEntry,
  type AgentMessage,
  type AgentNotification,
  type AgentReaction,
  agentEventNames,
  CodedError,
  isObject,
  type JsonObject,
} from '@trestle/protocol'
import type { AgentDefinition } from '../agent/agent-definition.ts'
import { invalidBody } from '../call/parse.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { agentEventSchema, partOfEvent } from './agent-event-schema.ts'

const compiled = compileSchema(agentEventSchema)

/**
 * Validates the name of an event.
 *
 * @throws CodedError - `InvalidActionError`.
 */
export function parseEventName(name: string | undefined): AgentEventName {
  const eventName = agentEventNames.find((candidate) => candidate === name)
  if (eventName) return eventName
  const problem = name === undefined ? 'The query has no event' : `${JSON.stringify(name.slice(0, 50))} is not an event`
  throw new CodedError('InvalidActionError', `${problem} of an agent. The events are ${agentEventNames.join(', ')}.`)
}

/**
 * Parses the body of an agent event: validates its shape, its required part, and the action with the agent's schemas.
 *
 * @throws CodedError - `RequestBodyInvalidError` with all errors.
 * @source protocol.md#events
 */
export async function parseAgentEvent(
  body: JsonObject,
  name: AgentEventName,
  agent: AgentDefinition,
): Promise<AgentEvent> {
  const { issues } = await compiled.check(body)
  if (issues) throw invalidBody(issues)
  const part = partOfEvent[name]
  if (part && !isObject(body[part])) throw invalidBody([{ path: `/${part}`, message: `is required in ${name}` }])
  const event = toEvent(body)
  return name === 'onAction' && event.action ? { ...event, action: await toAction(event.action, agent) } : event
}

/** Validates an action with its schema; handlers receive the value with defaults and transforms applied. */
async function toAction(action: AgentAction, { id, actions }: AgentDefinition): Promise<AgentAction> {
  if (!actions) return action
  const schema = actions.get(action.id)
  if (!schema) {
    const knownActionIds = [...actions.keys()].join(', ')
    throw invalidBody([
      { path: '/action/id', message: `is not an action of agent "${id}", which has: ${knownActionIds}` },
    ])
  }
  if (!schema.given) return action
  const { issues, ...verdict } = await schema.check(action.value)
  if (!issues) return { ...action, value: 'value' in verdict ? verdict.value : undefined }
  throw invalidBody(issues.map(({ path, message }) => ({ path: `/action/value${path}`, message })))
}

function toEvent(body: JsonObject): AgentEvent {
  const part = <TPart>(name: string, toPart: (given: JsonObject) => unknown): TPart | null => {
    const given = body[name]
    return isObject(given) ? (toPart(given) as TPart) : null
  }
  const identity = (given: JsonObject): JsonObject => given
  return {
    ...(pick(body, ['deliveryId', 'replyUrl', 'conversationId', 'integrationIdentifier', 'timestamp']) as Pick<
      AgentEvent,
      'deliveryId' | 'replyUrl' | 'conversationId' | 'integrationIdentifier' | 'timestamp'
    >),
    message: part<AgentMessage>('message', toMessage),
    action: part<AgentAction>('action', toActionPart),
    reaction: part<AgentReaction>('reaction', (given) => ({ added: true, ...toSigned(given, reactionFields) })),
    conversation: {
      metadata: {},
      ...part<AgentConversation>('conversation', (given) => pick(given, conversationFields)),
    },
    history: ((body['history'] ?? []) as readonly JsonObject[]).map(
      (entry) => pick(entry, ['role', 'text', 'messageId', 'timestamp']) as unknown as AgentHistoryEntry,
    ),
    subscriber: part('subscriber', identity),
    notification: part<AgentNotification>('notification', (given) => ({
      payload: {},
      ...pick(given, notificationFields),
    })),
    platform: typeof body['platform'] === 'string' ? body['platform'] : '',
    platformContext: part<JsonObject>('platformContext', identity) ?? {},
    context: part<JsonObject>('context', identity) ?? {},
  }
}

const reactionFields = ['emoji', 'added', 'messageId']
const conversationFields = ['identifier', 'status', 'metadata', 'messageCount', 'createdAt', 'lastActivityAt']
const notificationFields = ['id', 'workflowId', 'messageId', 'platformMessageId', 'sentAt', 'body', 'payload']

function toMessage(given: JsonObject): JsonObject {
  const attachments = (given['attachments'] ?? []) as readonly JsonObject[]
  return {
    ...toSigned(given, ['text', 'platformMessageId', 'timestamp']),
    attachments: attachments.map((attachment) => pick(attachment, ['url', 'name', 'mimeType', 'size'])),
  }
}

function toActionPart(given: JsonObject): JsonObject {
  const { value, answer } = given
  return {
    ...toSigned(given, ['id', 'sourceMessageId']),
    ...(value !== undefined && { value }),
    ...(isObject(answer) && { answer: pick(answer, ['questionId', 'type', 'text', 'choice', 'approved', 'note']) }),
  }
}

/** Picks the given fields and the author. */
function toSigned(given: JsonObject, fields: readonly string[]): JsonObject {
  const { author } = given
  return {
    ...pick(given, fields),
    ...(isObject(author) && { author: pick(author, ['userId', 'fullName', 'userName', 'isBot']) }),
  }
}

/** Picks own fields that are not `null`. */
function pick(given: JsonObject, fields: readonly string[]): JsonObject {
  const picked: JsonObject = {}
  for (const field of fields) {
    const value = Object.hasOwn(given, field) ? given[field] : undefined
    if (value !== undefined && value !== null) picked[field] = value
  }
  return picked
}
