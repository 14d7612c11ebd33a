const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/**
 * Returns the age of a time, such as `5m ago`.
 *
 * @param now - Milliseconds since 1970.
 * @param locale - A language tag. @default the language of the browser
 */
export function toAge(time: string, now: number, locale?: string): string {
  const seconds = Math.max(0, (now - Date.parse(time)) / 1000)
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' })
  const [unit, length] = units.find(([, size]) => seconds >= size) ?? ['second', 60]
  return format.format(-Math.floor(seconds / length), unit)
}

const dayMs = 86_400_000

/**
 * Returns a short readable date and time: `6:00 PM` for today, `Mon 9:00 AM` within six days.
 *
 * @param time - ISO 8601, or milliseconds since 1970.
 * @param now - Milliseconds since 1970.
 * @param locale - A language tag. @default the language of the browser
 */
export function toTimeText(time: string | number, now: number, locale?: string): string {
  const date = new Date(time)
  const isToday = date.toDateString() === new Date(now).toDateString()
  const isNear = Math.abs(date.getTime() - now) < 6 * dayMs
  const day = isNear ? ({ weekday: 'short' } as const) : ({ month: 'short', day: 'numeric' } as const)
  const clock = { hour: 'numeric', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(locale, isToday ? clock : { ...day, ...clock }).format(date)
}

/** Returns a full date and time. */
export const toFullTimeText = (time: string, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' }).format(new Date(time))
