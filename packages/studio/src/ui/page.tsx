import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import style from './page.module.css'

export interface PageProps {
  /** The first-level heading. */
  readonly title: string
  /** The title of the browser tab. @default the heading */
  readonly tabTitle?: string
  /** Parent pages, outermost first. */
  readonly trail?: readonly { readonly to: string; readonly text: string }[]
  /** Badges next to the heading. */
  readonly aside?: ReactNode
  /** One line below the heading. */
  readonly lead?: ReactNode
  /** Buttons at the end of the heading. */
  readonly actions?: ReactNode
  /** Whether the page uses the full width. @default false */
  readonly wide?: boolean
  /** The content, as a column with even gaps. */
  readonly children: ReactNode
}

/** The layout of a page: heading, actions, and a column of panels. */
export function Page(props: PageProps): ReactNode {
  const { title, tabTitle = title, trail = [], aside, lead, actions, wide = false, children } = props
  useEffect(() => {
    document.title = `${tabTitle} · Trestle studio`
  }, [tabTitle])
  return (
    <div className={`${style['page']} ${wide ? style['wide'] : ''}`}>
      <header className={style['head']}>
        <div className={style['text']}>
          {trail.length > 0 && (
            <nav aria-label="Breadcrumb" className={style['trail']}>
              <ol>
                {trail.map(({ to, text }) => (
                  <li key={to}>
                    <Link to={to}>{text}</Link>
                  </li>
                ))}
              </ol>
            </nav>
          )}
          <div className={style['title']}>
            <h1>{title}</h1>
            {aside}
          </div>
          {lead !== undefined && <div className={style['lead']}>{lead}</div>}
        </div>
        {actions !== undefined && <div className={style['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
