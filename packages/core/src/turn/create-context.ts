import { type AgentEvent, isObject, type JsonObject, setOwn } from '@trestle/protocol'
import type { AgentContext } from '../agent/agent-context.ts'
import type { AgentDefinition } from '../agent/agent-definition.ts'
import type { ReplyContent, SentMessage } from '../agent/reply-content.ts'
import { replyLimits } from '../agent/reply-limits.ts'
import { isPlain } from '../base/json.ts'
import type { TriggerOptions } from '../trigger/trigger-workflow.ts'
import { createQuestions } from './create-questions.ts'
import type { PhaseIds } from './phase-ids.ts'
import { checkText, checkValueLength } from './reply/check-text.ts'
import { toJsonValue } from './reply/json-value.ts'
import type { Messenger } from './reply/messenger.ts'
import { type Format, isStream, toFormat } from './reply/reply-format.ts'
import { streamReply } from './reply/stream-reply.ts'
import { takeContent } from './reply/wire-content.ts'

/** The dependencies of the context's functions. */
export interface ContextParts {
  readonly agent: AgentDefinition
  readonly event: AgentEvent
  readonly messenger: Messenger
  /** Aborts when the turn ends, or its time limit is reached. */
  readonly signal: AbortSignal
  readonly account: Pick<TriggerOptions, 'secretKey' | 'apiUrl'>
  /** The ids of questions and triggers. */
  readonly ids: PhaseIds
}

/**
 * Creates the context of a handler. Its promises do not have to be awaited: an unhandled failure does not end the
 * process.
 */
export function createContext(parts: ContextParts): AgentContext {
  const { agent, event, messenger, signal } = parts
  const { deliveryId, conversation, history, subscriber, notification, platform, platformContext, context } = event
  const all = {
    ...createSending(parts),
    ...createQuestions(parts),
    trigger: toTrigger(parts),
  }
  return Object.freeze({
    agentId: agent.id,
    ...{ deliveryId, history, subscriber, notification, platform, platformContext, context, signal },
    conversation: { ...conversation, id: event.conversationId },
    ...(event.message && { message: event.message }),
    ...(event.action && { action: event.action }),
    ...(event.reaction && { reaction: event.reaction }),
    ...watched(all, messenger),
  }) as unknown as AgentContext
}

type AnyFunction = (...args: never[]) => Promise<unknown>

/** Wraps functions so that an unhandled rejection of their promises cannot end the process. */
function watched<TFunctions extends Readonly<Record<string, AnyFunction>>>(
  functions: TFunctions,
  messenger: Messenger,
): TFunctions {
  const wrapped = Object.entries(functions).map(([name, call]) => [
    name,
    (...args: never[]) => {
      // After the turn has ended, calls are not validated and do not throw: the messenger logs a warning, and the
      // promise never settles.
      const promise: Promise<unknown> = messenger.open ? call(...args) : messenger.send(() => ({ typing: false }))
      messenger.hold(promise)
      return promise
    },
  ])
  return Object.fromEntries(wrapped) as TFunctions
}

type Sending = Pick<AgentContext, 'reply' | 'edit' | 'delete' | 'react' | 'typing' | 'resolve' | 'setMetadata'>

function createSending({ agent, event, messenger }: ContextParts): Sending {
  const edit = async (messageId: string | undefined, content: string | ReplyContent): Promise<void> => {
    const id = toMessageId(messageId, 'edit')
    const toWire = takeContent(content, agent)
    await messenger.send(async () => ({ edit: { messageId: id, ...(await toWire()) } }))
  }
  const remove = async (messageId: string | undefined): Promise<void> => {
    const id = toMessageId(messageId, 'delete')
    await messenger.send(() => ({ deleteMessages: [id] }))
  }
  const toSent = (messageId: string | undefined): SentMessage => ({
    messageId,
    edit: (content) => messenger.hold(edit(messageId, content)),
    delete: () => messenger.hold(remove(messageId)),
  })
  return {
    async reply(reply, options) {
      const format = toFormat(reply, options)
      if (isStream(reply)) return toSent(await sendStream({ messenger, edit }, reply, format ?? 'markdown'))
      const toWire = takeContent(typeof reply === 'string' ? { [format ?? 'text']: reply } : reply, agent)
      const { messageId } = await messenger.send(async () => ({ reply: await toWire() }))
      return toSent(messageId)
    },
    edit,
    delete: remove,
    async react(emoji, messageId = messageOf(event)) {
      checkText('react(): the emoji', emoji, { min: 1, max: replyLimits.emoji })
      const id = toMessageId(messageId, 'react to')
      await messenger.send(() => ({ addReactions: [{ messageId: id, emoji }] }))
    },
    async typing(on = true) {
      await messenger.send(() => ({ typing: on !== false }))
    },
    async resolve(summary) {
      const max = replyLimits.summary
      const resolve = summary === undefined ? {} : { summary: checkText('resolve(): the summary', summary, { max }) }
      await messenger.send(() => ({ resolve }))
    },
    async setMetadata(fields) {
      const metadata = toJsonValue(fields, 'setMetadata()') as JsonObject
      if (!isObject(metadata)) throw new TypeError('setMetadata(): the fields must be an object.')
      for (const name of Object.keys(metadata)) checkText('setMetadata(): a name', name, { max: replyLimits.id })
      checkValueLength('setMetadata(): the data', metadata)
      await messenger.send(() => ({ metadata }))
    },
  }
}

async function sendStream(
  { messenger, edit }: Pick<ContextParts, 'messenger'> & { edit: AgentContext['edit'] },
  parts: AsyncIterable<string>,
  format: Format,
): Promise<string | undefined> {
  let sent: { readonly messageId?: string } | undefined
  await streamReply(parts, {
    isOpen: () => messenger.open,
    async show(text) {
      const content = await takeContent({ [format]: text })()
      if (!sent) sent = await messenger.send(() => ({ reply: content }))
      else await edit(toMessageId(sent.messageId, 'edit'), content as unknown as ReplyContent)
    },
  })
  return sent?.messageId
}

function toTrigger({ event, account, signal, ids }: ContextParts): AgentContext['trigger'] {
  return async (workflow, ...[given]) => {
    const to = given?.to ?? event.subscriber?.subscriberId
    if (to === undefined)
      throw new TypeError('trigger(): this conversation has no subscriber, so the request needs a recipient in "to".')
    const request = copyPlain({ ...given, to }) as Parameters<typeof workflow.trigger>[0]
    // Stays the same in every delivery attempt, so that a workflow is triggered once.
    const idempotencyKey = await ids.nextTrigger()
    return workflow.trigger(request, { ...account, signal, idempotencyKey })
  }
}

/** Copies the current state of lists and plain objects; other values are kept unchanged for the schema to check. */
function copyPlain(value: unknown, copies = new Map<object, unknown>()): unknown {
  if (typeof value !== 'object' || value === null) return value
  // Preserves cycles.
  const existingCopy = copies.get(value)
  if (existingCopy !== undefined) return existingCopy
  if (Array.isArray(value)) {
    const list: unknown[] = []
    copies.set(value, list)
    for (const item of value) list.push(copyPlain(item, copies))
    return list
  }
  if (!isPlain(value)) return value
  const copy = {}
  copies.set(value, copy)
  for (const [name, field] of Object.entries(value)) setOwn(copy, name, copyPlain(field, copies))
  return copy
}

function messageOf({ message, action, reaction }: AgentEvent): string | undefined {
  return message?.platformMessageId ?? action?.sourceMessageId ?? reaction?.messageId
}

function toMessageId(messageId: unknown, what: string): string {
  if (typeof messageId !== 'string' || messageId === '')
    throw new TypeError(`The id of the message to ${what} is missing.`)
  return checkText(`The id of the message to ${what}`, messageId, { max: replyLimits.id })
}
