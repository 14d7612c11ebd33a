import type { Subscriber } from '@trestle/protocol'
import { type ConversationState, toHistory } from './conversation-state.ts'
import type { TurnEvent } from './conversation-turn.ts'

/** The inputs of an event body. */
export interface EventParts {
  /** The id of the conversation. */
  readonly id: string
  /** The event, after it was applied to the conversation. */
  readonly event: TurnEvent
  readonly state: ConversationState
  readonly replyUrl: string
  readonly subscriber: Subscriber
  readonly platform: string
}

/** Returns the body of an event, with the whole conversation. */
export function toEventBody({ id, event, state, replyUrl, subscriber, platform }: EventParts): object {
  const { status, metadata, messages, turns } = state
  const timestamp = turns.at(-1)?.at
  const { message } = event.part
  return {
    version: 1,
    deliveryId: `${id}.${turns.length}`,
    replyUrl,
    conversationId: id,
    integrationIdentifier: 'test',
    timestamp,
    ...event.part,
    ...(message && { message: { ...message, timestamp, attachments: [] } }),
    conversation: {
      ...{ identifier: id, status, metadata, messageCount: messages.length },
      ...{ createdAt: turns[0]?.at, lastActivityAt: timestamp },
    },
    history: toHistory(state, event.event === 'onMessage' ? event.message?.messageId : undefined),
    subscriber,
    platform,
    platformContext: {},
  }
}
