import type { ReactNode } from 'react'
import style from './panel.module.css'

export interface PanelProps {
  /** The second-level heading. */
  readonly title?: ReactNode
  /** Content next to the heading, such as a count. */
  readonly aside?: ReactNode
  /** Buttons at the end of the heading. */
  readonly actions?: ReactNode
  /** Whether the content touches the edges, like a table. @default false */
  readonly flush?: boolean
  /** The content. */
  readonly children: ReactNode
}

/** A section of a page with a heading. */
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
