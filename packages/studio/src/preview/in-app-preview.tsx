import { Bell, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Facts } from '../ui/data/facts.tsx'
import style from './device.module.css'
import { type Outputs, objectOf, type PreviewProps, textOf } from './outputs.ts'
import { SimpleHtml } from './simple-html.tsx'

/** Shows an in-app message as an inbox item. */
export function InAppPreview({ outputs }: Pick<PreviewProps, 'outputs'>): ReactNode {
  const subject = textOf(outputs, 'subject')
  const primary = objectOf(outputs, 'primaryAction')
  const secondary = objectOf(outputs, 'secondaryAction')
  return (
    <div className={style['stack']}>
      <div className={style['inbox']}>
        <div className={style['inboxHead']}>
          <Bell size={15} aria-hidden />
          Inbox
          <span className={style['count']}>1</span>
        </div>
        <div className={style['item']}>
          <span className={style['avatar']} data-tip={textOf(outputs, 'avatar')}>
            <UserRound size={17} aria-hidden />
          </span>
          <div className={style['text']}>
            <p className={style['line']}>
              <strong>{subject}</strong>
              <span className={style['when']}>now</span>
            </p>
            <div className={style['body']}>
              <SimpleHtml html={textOf(outputs, 'body') ?? ''} />
            </div>
            {(primary || secondary) && (
              <p className={style['buttons']}>
                {primary && <span className={style['primary']}>{textOf(primary, 'label')}</span>}
                {secondary && <span className={style['secondary']}>{textOf(secondary, 'label')}</span>}
              </p>
            )}
          </div>
          <span className={style['unread']} role="img" aria-label="Unread" />
        </div>
      </div>
      <Facts
        facts={[
          ['A click opens', targetOf(outputs)],
          [textOf(primary, 'label') ?? '', targetOf(primary)],
          [textOf(secondary, 'label') ?? ' ', targetOf(secondary)],
          ['Avatar', textOf(outputs, 'avatar')],
        ]}
      />
    </div>
  )
}

function targetOf(action: Outputs | undefined): ReactNode {
  const url = textOf(objectOf(action, 'redirect'), 'url')
  return url === undefined ? undefined : <code>{url}</code>
}
