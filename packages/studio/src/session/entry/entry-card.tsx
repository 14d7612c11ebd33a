import { type ReactNode, useEffect } from 'react'
import style from './entry-card.module.css'

/** A page outside the studio frame, such as the sign-in page. */
export function EntryCard({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  useEffect(() => {
    document.title = `${title} · Trestle studio`
  }, [title])
  return (
    <main className={style['page']}>
      <div className={style['card']}>
        <img src="/studio/icon.svg" alt="" width="40" height="40" />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
