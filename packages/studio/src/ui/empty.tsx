import type { ReactNode } from 'react'
import style from './empty.module.css'

export interface EmptyProps {
  /** A lucide icon. */
  readonly icon: ReactNode
  /** What is missing. */
  readonly title: string
  /** How to add the missing item. */
  readonly children?: ReactNode
  /** A button that adds the missing item. */
  readonly action?: ReactNode
}

/** Shows that a list is empty, and what to do next. */
export function Empty({ icon, title, children, action }: EmptyProps): ReactNode {
  return (
    <div className={style['empty']}>
      <span className={style['icon']} aria-hidden>
        {icon}
      </span>
      <p className={style['title']}>{title}</p>
      {children !== undefined && <div className={style['text']}>{children}</div>}
      {action}
    </div>
  )
}
