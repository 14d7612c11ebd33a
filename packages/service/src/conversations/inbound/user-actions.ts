import type { JsonObject } from '@trestle/protocol'
import type { HeldConversation } from '../base/change-conversation.ts'
import { queueDelivery } from '../base/queue-delivery.ts'
import { changeReaction, findMessage } from '../base/stored-message.ts'
import { reopen } from './write-message.ts'

/** A click on a button of a card, or a choice in its list. */
export interface Click {
  /** The id of the button or list. */
  readonly actionId: string
  /** The value sent with it. */
  readonly value?: unknown
  /** The message that contains it. */
  readonly sourceMessageId?: string | undefined
  /** The user, in the format of the agent protocol. */
  readonly author: JsonObject
}

/**
 * Reports a click to the agent. Reopens a resolved conversation.
 *
 * @throws {ApiError} 409 or 422 if the message does not exist.
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

export interface UserReaction {
  /** Row id of the message. */
  readonly messageId: string
  /** The name of the emoji, or the emoji itself. */
  readonly emoji: string
  /** False to remove it. */
  readonly added: boolean
  /** The user, in the format of the agent protocol. */
  readonly author: JsonObject & { readonly userId: string }
}

/**
 * Stores a user's reaction, and reports changes to the agent.
 *
 * @throws {ApiError} 409 or 422 if the message does not exist.
 */
export async function react(held: HeldConversation, { messageId, emoji, added, author }: UserReaction): Promise<void> {
  const message = await findMessage(held, messageId, { field: 'messageId' })
  const reaction = { emoji, by: 'user', userId: author.userId } as const
  if (!(await changeReaction(held, message, { reaction, added }))) return
  held.row.lastActivityAt = held.nowMs
  const body = { reaction: { emoji, added, messageId, author } }
  await queueDelivery(held, { target: 'bridge', event: 'onReaction', messageId, body })
}

/** Resolves a conversation and reports it to the agent; does nothing if it is already resolved. */
export async function resolve(held: HeldConversation): Promise<void> {
  const { row, nowMs } = held
  if (row.status === 'resolved') return
  Object.assign(row, { status: 'resolved', typingUntil: null, lastActivityAt: nowMs })
  await queueDelivery(held, { target: 'bridge', event: 'onResolve' })
}
