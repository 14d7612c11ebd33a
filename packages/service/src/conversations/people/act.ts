import type { JsonObject } from '@trestle/protocol'
import type { HeldConversation } from '../base/change-conversation.ts'
import { queueDelivery } from '../base/queue-delivery.ts'
import { changeReaction, findMessage } from '../base/stored-message.ts'
import { reopen } from './write-message.ts'

/** A click on a button of a card, or a choice in its list. */
export interface Click {
  /** The id of the button or list. */
  readonly actionId: string
  /** The value it was sent with. */
  readonly value?: unknown
  /** The message that holds it. */
  readonly sourceMessageId?: string | undefined
  /** Who clicked, in the form of the agent protocol. */
  readonly author: JsonObject
}

/**
 * Tells the agent of a click. A conversation that was resolved is open again.
 *
 * @param held - The conversation.
 * @param click - The click.
 * @throws {ApiError} 409 or 422 when the message is not there.
 */
export async function click(
  held: HeldConversation,
  { actionId, value, sourceMessageId, author }: Click,
): Promise<void> {
  if (sourceMessageId !== undefined) await findMessage(held, sourceMessageId, { field: 'sourceMessageId' })
  reopen(held)
  const action = { id: actionId, value, sourceMessageId, author }
  const about = sourceMessageId === undefined ? {} : { messageId: sourceMessageId }
  await queueDelivery(held, { target: 'bridge', event: 'onAction', ...about, body: { action } })
}

/** A reaction of a person. */
export interface PersonReaction {
  /** Row id of the message. */
  readonly messageId: string
  /** The name of the emoji, or the emoji itself. */
  readonly emoji: string
  /** False when it is taken back. */
  readonly added: boolean
  /** Who reacts, in the form of the agent protocol. */
  readonly author: JsonObject & { readonly userId: string }
}

/**
 * Stores a reaction of a person, and tells the agent where that is news.
 *
 * @param held - The conversation.
 * @param given - The reaction.
 * @throws {ApiError} 409 or 422 when the message is not there.
 */
export async function react(
  held: HeldConversation,
  { messageId, emoji, added, author }: PersonReaction,
): Promise<void> {
  const message = await findMessage(held, messageId, { field: 'messageId' })
  const reaction = { emoji, by: 'user', userId: author.userId } as const
  if (!(await changeReaction(held, message, { reaction, added }))) return
  held.row.lastActivityAt = held.nowMs
  const body = { reaction: { emoji, added, messageId, author } }
  await queueDelivery(held, { target: 'bridge', event: 'onReaction', messageId, body })
}

/**
 * Ends a conversation and tells the agent; does nothing where it has ended.
 *
 * @param held - The conversation.
 */
export async function resolve(held: HeldConversation): Promise<void> {
  const { row, nowMs } = held
  if (row.status === 'resolved') return
  Object.assign(row, { status: 'resolved', typingUntil: null, lastActivityAt: nowMs })
  await queueDelivery(held, { target: 'bridge', event: 'onResolve' })
}
