import type { SendRequest } from '../../api/api.ts'
import type { ApiFailure } from '../../api/api-failure.ts'
import type { QuestionAnswer } from '../../api/generated/resources.ts'
import { useSend } from '../../session/queries.ts'
import { toast } from '../../ui/overlay/toasts.tsx'

/** The actions in a conversation. */
export interface Acts {
  /** Whether a request other than a message is in progress. */
  readonly isPending: boolean
  /** Whether a message is being sent. */
  readonly isWriting: boolean
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
  const touches = ['/v1/studio/conversations']
  const send = useSend(touches)
  // On its own, because the next request of a mutation replaces the callbacks of the one before.
  const message = useSend(touches)
  const fail =
    (title: string) =>
    ({ message: description }: ApiFailure): void =>
      toast(title, { description, tone: 'bad' })
  const act = (title: string, request: Pick<SendRequest, 'path' | 'body'>): void =>
    send.mutate({ method: 'POST', ...request }, { onError: fail(title) })
  return {
    isPending: send.isPending,
    isWriting: message.isPending,
    write: (text, onSent) =>
      message.mutate(
        { method: 'POST', path: `${path}/messages`, body: { text } },
        { onSuccess: onSent, onError: fail("Couldn't send the message") },
      ),
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
