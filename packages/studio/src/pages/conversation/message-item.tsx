import { Bot, TriangleAlert, UserRound } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import type { ConversationMessage, ConversationQuestion, EventDelivery } from '../../api/generated/resources.ts'
import { ownEntry } from '../../base/own-entry.ts'
import { CardView } from '../../preview/card-view.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { DeliveryMark } from './delivery-mark.tsx'
import style from './message.module.css'
import { MessageFiles } from './message-files.tsx'
import { QuestionView } from './question-view.tsx'
import { ReactButton, Reactions } from './reactions.tsx'
import type { Acts } from './use-acts.ts'

const speakers = {
  user: { name: 'Person', icon: UserRound },
  agent: { name: 'Agent', icon: Bot },
  system: { name: 'Service', icon: TriangleAlert },
} as const

export interface MessageItemProps {
  readonly message: ConversationMessage
  /** The question in the message. */
  readonly question: ConversationQuestion | undefined
  /** The event that sent the message to the bridge. */
  readonly delivery: EventDelivery | undefined
  /** The available actions; undefined for read-only conversations. */
  readonly acts: Acts | undefined
}

/** Shows a message with its card, files, reactions and question. */
export function MessageItem({ message, question, delivery, acts }: MessageItemProps): ReactNode {
  const { _id, role, createdAt, editedAt, deletedAt, reactions } = message
  const { name, icon: Icon } = speakers[role]
  const [isChoosing, choose] = useState(false)
  const reactButton = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    choose(false)
    reactButton.current?.focus()
  }
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape' && isChoosing) close()
  }
  const canReact = acts && deletedAt === undefined && role !== 'system'
  const onReact =
    canReact &&
    ((emoji: string, added: boolean) => {
      choose(false)
      acts.react(_id, emoji, added)
    })
  return (
    <li className={`${style['message']} ${ownEntry(style, role) ?? ''}`} data-role={role} onKeyDown={onKeyDown}>
      <span className={style['who']} aria-hidden>
        <Icon size={16} />
      </span>
      <div className={style['body']}>
        <div className={style['line']}>
          <strong>{name}</strong>
          <TimeText at={createdAt} />
          {editedAt !== undefined && deletedAt === undefined && <span>edited</span>}
          {delivery && <DeliveryMark delivery={delivery} />}
          {onReact && <ReactButton ref={reactButton} isChoosing={isChoosing} onChoose={choose} />}
        </div>
        {deletedAt === undefined ? (
          <div className={style['content']}>
            <Content message={message} isAsked={question !== undefined} acts={acts} />
            {question && <QuestionView question={question} acts={acts} />}
          </div>
        ) : (
          <p className={style['deleted']}>This message was deleted.</p>
        )}
        {deletedAt === undefined && (
          <Reactions reactions={reactions} isChoosing={isChoosing} onReact={onReact || undefined} onChosen={close} />
        )}
      </div>
    </li>
  )
}

interface ContentProps {
  readonly message: ConversationMessage
  readonly isAsked: boolean
  readonly acts: Acts | undefined
}

function Content({ message, isAsked, acts }: ContentProps): ReactNode {
  const { _id, text, markdown, card, files, error } = message
  const onAct = acts && ((id: string, value: string | undefined) => acts.click(id, value, _id))
  return (
    <>
      {error && (
        <Notice tone="bad" title={error.message}>
          <code>{error.code}</code>
        </Notice>
      )}
      {markdown !== undefined && <Markdown text={markdown} />}
      {/* The text of a question is shown with its buttons, and that of an error in its notice. */}
      {markdown === undefined && text !== undefined && !isAsked && !error && <p className={style['text']}>{text}</p>}
      {card && <CardView card={card} {...(onAct && { onAct })} />}
      {files && <MessageFiles messageId={_id} files={files} />}
    </>
  )
}
