import { Bot } from 'lucide-react'
import type { ReactNode } from 'react'
import { CardView } from './card-view.tsx'
import style from './device.module.css'
import { objectOf, type PreviewProps, textOf } from './outputs.ts'

/** Shows a chat message with its text and its card. */
export function ChatPreview({ outputs }: Pick<PreviewProps, 'outputs'>): ReactNode {
  const card = objectOf(outputs, 'card')
  return (
    <div className={style['chat']}>
      <span className={style['app']}>
        <Bot size={17} aria-hidden />
      </span>
      <div className={style['text']}>
        <p className={style['line']}>
          <strong>Your app</strong>
          <span className={style['when']}>now</span>
        </p>
        <p className={style['body']}>{textOf(outputs, 'body')}</p>
        {card && <CardView card={card} />}
      </div>
    </div>
  )
}
