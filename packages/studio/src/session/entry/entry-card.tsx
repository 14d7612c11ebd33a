import { type ReactNode, useEffect } from 'react'
import style from './entry-card.module.css'

/** A page outside of the studio's frame, such as the one to sign in. */
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
