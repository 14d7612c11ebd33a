import { type ReactElement, useSyncExternalStore } from 'react'
import { useInboxContext } from '../base/provider.tsx'
import { toAge, toFullTimeText } from '../base/relative-time.ts'

const stepMs = 60_000

/** Calls a function each minute. */
function eachMinute(listener: () => void): () => void {
  const timer = setInterval(listener, stepMs)
  return () => clearInterval(timer)
}

const minute = (): number => Math.floor(Date.now() / stepMs)

/** Shows the age of a time, and keeps it up to date. */
export function Age({ time }: { readonly time: string }): ReactElement {
  const { locale } = useInboxContext()
  useSyncExternalStore(eachMinute, minute, minute)
  return (
    <time className="trestle-time" dateTime={time} title={toFullTimeText(time, locale)}>
      {toAge(time, Date.now(), locale)}
    </time>
  )
}
