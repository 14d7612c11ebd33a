import type { ReactNode } from 'react'
import style from './panel.module.css'

/** What a panel is given. */
export interface PanelProps {
  /** Heading of second rank. */
  readonly title?: ReactNode
  /** Shown beside the heading: a count, a badge. */
  readonly aside?: ReactNode
  /** Buttons at the end of the heading. */
  readonly actions?: ReactNode
  /** Whether the content touches the edges, as a table does. @default false */
  readonly flush?: boolean
  /** What it holds. */
  readonly children: ReactNode
}

/** Holds one thing of a page, with its heading. */
export function Panel({ title, aside, actions, flush = false, children }: PanelProps): ReactNode {
  return (
    <section className={style['panel']}>
      {(title !== undefined || actions !== undefined) && (
        <header className={style['head']}>
          <h2>{title}</h2>
          {aside}
          {actions !== undefined && <div className={style['actions']}>{actions}</div>}
        </header>
      )}
      <div className={flush ? style['flush'] : style['body']}>{children}</div>
    </section>
  )
}
