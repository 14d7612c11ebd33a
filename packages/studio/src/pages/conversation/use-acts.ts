import type { SendRequest } from '../../api/api.ts'
import type { QuestionAnswer } from '../../api/generated/resources.ts'
import { useSend } from '../../session/queries.ts'
import { toast } from '../../ui/overlay/toasts.tsx'

/** The actions in a conversation. */
export interface Acts {
  /** Whether a request is in progress. */
  readonly isPending: boolean
  /** Sends a message; `onSent` is called when the service has stored it. */
  write(text: string, onSent: () => void): void
  /** Clicks a card's button, or selects an option in its list. */
  click(actionId: string, value: string | undefined, sourceMessageId: string): void
  /** Answers a question. */
  answer(questionId: string, answer: QuestionAnswer): void
  /** Adds or removes a reaction. */
  react(messageId: string, emoji: string, added: boolean): void
  /** Resends an event that did not reach the bridge. */
  sendAgain(deliveryId: string): void
  /** Resolves the conversation. */
  resolve(): void
}

/**
 * Returns the actions in a conversation. Rejected requests are reported immediately.
 *
 * @param conversationId - The conversation.
 */
export function useActs(conversationId: string): Acts {
  const path = `/v1/studio/conversations/${encodeURIComponent(conversationId)}`
  const send = useSend(['/v1/studio/conversations'])
  const noop = (): void => undefined
  const act = (title: string, request: Pick<SendRequest, 'path' | 'body'>, onSuccess: () => void = noop): void =>
    send.mutate(
      { method: 'POST', ...request },
      { onSuccess, onError: (error) => toast(title, { description: error.message, tone: 'bad' }) },
    )
  return {
    isPending: send.isPending,
    write: (text, onSent) => act("Couldn't send the message", { path: `${path}/messages`, body: { text } }, onSent),
    click: (actionId, value, sourceMessageId) =>
      act("Couldn't send the click", { path: `${path}/actions`, body: { actionId, value, sourceMessageId } }),
    answer: (questionId, answer) =>
      act("Couldn't send the answer", { path: `${path}/answers`, body: { questionId, ...answer } }),
    react: (messageId, emoji, added) =>
      act("Couldn't send the reaction", { path: `${path}/reactions`, body: { messageId, emoji, added } }),
    sendAgain: (deliveryId) =>
      act("Couldn't resend the event", { path: `${path}/deliveries/${encodeURIComponent(deliveryId)}/send-again` }),
    resolve: () => act("Couldn't resolve the conversation", { path: `${path}/resolve` }),
  }
}
