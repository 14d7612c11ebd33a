import { Bot } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Conversation, ConversationMessage } from '../../api/generated/resources.ts'
import style from './conversation.module.css'
import { MessageItem } from './message-item.tsx'
import type { Acts } from './use-acts.ts'

/** The maximum distance from the end at which the list still follows new messages. */
const followPixels = 80

export interface MessageListProps {
  readonly conversation: Conversation
  /** The available actions; undefined for read-only conversations. */
  readonly acts: Acts | undefined
}

/** Shows the messages of a conversation. Scrolls to new messages if the list is at the end. */
export function MessageList({ conversation, acts }: MessageListProps): ReactNode {
  const { messages, messageCount, questions, deliveries } = conversation
  const isTyping = useTyping(conversation)
  const scroller = useFollowing(conversation, isTyping)
  const find = (message: ConversationMessage) => ({
    question: message.role === 'agent' ? questions.find(({ messageId }) => messageId === message._id) : undefined,
    delivery: deliveries.find(({ event, messageId }) => event === 'onMessage' && messageId === message._id),
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section ref={scroller} className={style['messages']} role="log" aria-label="Messages" tabIndex={0}>
      {messages.length === 0 && !isTyping && <p className={style['none']}>No messages yet.</p>}
      {messageCount > messages.length && (
        <p className={style['none']}>
          The newest {messages.length} of {messageCount} messages are shown.
        </p>
      )}
      <ol>
        {messages.map((message) => (
          <MessageItem key={message._id} message={message} {...find(message)} acts={acts} />
        ))}
      </ol>
      {isTyping && (
        <p className={style['typing']}>
          <Bot size={15} aria-hidden /> The agent is typing
          <span className={style['dots']} aria-hidden />
        </p>
      )}
    </section>
  )
}

/** The service reports until when the agent is typing; no event reports the end. */
function useTyping({ isTyping, typingUntil }: Conversation): boolean {
  const [endedAt, end] = useState<string | undefined>(undefined)
  useEffect(() => {
    if (!isTyping || typingUntil === undefined) return undefined
    const timer = setTimeout(() => end(typingUntil), Math.max(0, Date.parse(typingUntil) - Date.now()))
    return () => clearTimeout(timer)
  }, [isTyping, typingUntil])
  return isTyping && (typingUntil === undefined || typingUntil !== endedAt)
}

function useFollowing(conversation: Conversation, isTyping: boolean): React.RefObject<HTMLElement | null> {
  const scroller = useRef<HTMLElement>(null)
  const follows = useRef(true)
  useEffect(() => {
    const { current } = scroller
    const note = (): void => {
      if (current) follows.current = current.scrollHeight - current.scrollTop - current.clientHeight < followPixels
    }
    current?.addEventListener('scroll', note, { passive: true })
    return () => current?.removeEventListener('scroll', note)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is new may have made the list longer
  useLayoutEffect(() => {
    if (scroller.current && follows.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }, [conversation, isTyping])
  return scroller
}
