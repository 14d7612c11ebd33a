import { type ReactNode, useSyncExternalStore } from 'react'

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat('en', { style: 'short' })
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]
const refreshMs = 10_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let nowMs = Date.now()

/** One timer updates all times of a page. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) nowMs = Date.now()
  listeners.add(listener)
  timer ??= setInterval(() => {
    nowMs = Date.now()
    for (const one of listeners) one()
  }, refreshMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Shows a relative time, with the absolute time as its tooltip. */
export function TimeText({ at }: { readonly at: string | number }): ReactNode {
  useSyncExternalStore(subscribe, () => nowMs)
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return String(at)
  return (
    <time dateTime={date.toISOString()} data-tip={absolute.format(date)}>
      {formatRelative(date.getTime() - Date.now())}
    </time>
  )
}

/**
 * Formats a time relative to now: `5 min. ago`, `in 2 days`.
 *
 * @param ms - The time from now, in milliseconds.
 */
export function formatRelative(ms: number): string {
  const [unit, size] = steps.find(([, length]) => Math.abs(ms) >= length) ?? ['second', 1000]
  if (unit === 'second' && Math.abs(ms) < 5000) return 'just now'
  // Rounding up would show "60 sec. ago".
  return relative.format(Math.trunc(ms / size), unit)
}

/** Formats an absolute time. */
export function formatTime(at: string | number): string {
  return absolute.format(new Date(at))
}

/**
 * Formats a duration: `840 ms`, `2.4 s`, `3 min`, `2 h 5 min`.
 *
 * @param ms - The duration, in milliseconds.
 */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return hours % 24 === 0 ? `${Math.floor(hours / 24)} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}
