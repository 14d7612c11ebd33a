import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { OutboxItem } from '../../api/generated/resources.ts'
import { useParameters } from '../../session/address.ts'
import { StepIcon, stepKind } from '../../ui/steps/step-kind.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './outbox.module.css'
import { summaryOf } from './outbox-content.ts'

export interface OutboxListProps {
  /** The messages. */
  readonly items: readonly OutboxItem[]
  /** The open message. */
  readonly openId: string | undefined
}

/** Lists messages like an email client. */
export function OutboxList({ items, openId }: OutboxListProps): ReactNode {
  const [params] = useParameters()
  const query = params.size === 0 ? '' : `?${params}`
  return (
    <ul className={style['rows']} aria-label="Messages">
      {items.map((item) => (
        <li key={item._id}>
          <Link
            to={`/outbox/${item._id}${query}`}
            className={`${style['row']} ${item.readAt === null ? style['unread'] : ''}`}
            aria-current={item._id === openId ? 'true' : undefined}
          >
            <span className={style['icon']}>
              <StepIcon type={item.channel} />
            </span>
            <span className={style['lines']}>
              <span className={style['top']}>
                <span className={style['to']}>{item.recipient}</span>
                <span className={style['at']}>
                  <TimeText at={item.createdAt} />
                </span>
              </span>
              <span className={style['summary']}>{summaryOf(item)}</span>
            </span>
            <span className="visually-hidden">
              {stepKind(item.channel).text}, {item.readAt === null ? 'unread' : 'read'}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
