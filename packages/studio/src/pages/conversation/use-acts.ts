import type { SendRequest } from '../../api/api.ts'
import type { QuestionAnswer } from '../../api/generated/resources.ts'
import { useSend } from '../../session/queries.ts'
import { toast } from '../../ui/overlay/toasts.tsx'

/** What a person can do in a conversation. */
export interface Acts {
  /** Whether something is on its way to the service. */
  readonly isPending: boolean
  /** Writes a message; `onSent` is called when the service has it. */
  write(text: string, onSent: () => void): void
  /** Clicks a button of a card, or chooses in its list. */
  click(actionId: string, value: string | undefined, sourceMessageId: string): void
  /** Answers a question. */
  answer(questionId: string, answer: QuestionAnswer): void
  /** Reacts to a message, or takes the reaction back. */
  react(messageId: string, emoji: string, added: boolean): void
  /** Sends an event again that did not come to the bridge. */
  sendAgain(deliveryId: string): void
  /** Ends the conversation. */
  resolve(): void
}

/**
 * Returns what a person can do in a conversation. What the service refuses is said at once.
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
