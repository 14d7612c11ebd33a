import { type ReactNode, useRef } from 'react'
import style from './last-result.module.css'

export interface LastResultProps<T> {
  /** The result to show; undefined while the input cannot be rendered. */
  readonly current: T | undefined
  /** Shows a result. */
  children(result: T): ReactNode
}

/**
 * Shows the current result, or the last one without colors if there is none. The content is never unmounted: Chromium can leave
 * a new frame blank after the only one was removed.
 */
export function LastResult<T>({ current, children }: LastResultProps<T>): ReactNode {
  const last = useRef(current)
  last.current = current ?? last.current
  if (last.current === undefined) return null
  const isOutdated = current === undefined
  return (
    <div
      className={isOutdated ? style['outdated'] : style['current']}
      {...(isOutdated && { role: 'group', 'aria-label': 'Before the error' })}
    >
      {children(last.current)}
    </div>
  )
}
