import { createZoneClock } from './zone-clock.ts'

const withZone = /(?:z|gmt|utc|[ecmp][sd]t|:[\d:.]*\s*(?:[ap]m)?\s*(?:gmt|utc)?[+-]\d{2}:?\d{2})\s*(?:\([^)]*\))?$/i
/** No time is longer, and the pattern takes the square of a text's length. */
const maxLength = 100
const dayOfDate = /^([+-]?\d{4,6})-(\d{2})-(\d{2})/
const isoDate = /^[+-]?\d{4,6}(?:-\d{2}(?:-\d{2})?)?$/
const dayMs = 86_400_000
/** No date is further from 1970, and what a clock shows is asked for a day before and after a time. */
const lastMs = 8_640_000_000_000_000

/**
 * Reads a time that a person or an app wrote. One that names no time zone means the clock of the given one, whatever the zone
 * of the machine is; where that clock is put forward past it, it is as much later, and where it is put back over it, it is the
 * first of the two. A date alone begins at midnight in UTC.
 *
 * @param text - Such as `2026-04-01T09:00:00Z` or `2026-04-01T09:00`.
 * @param timezone - An IANA name.
 * @returns Milliseconds since 1970; `undefined` where the text is no time.
 */
export function readTime(text: string, timezone: string): number | undefined {
  const trimmed = text.trim()
  if (trimmed.length > maxLength || Number.isNaN(Date.parse(trimmed)) || !hasDay(trimmed)) return undefined
  if (isoDate.test(trimmed) || withZone.test(trimmed)) return Date.parse(trimmed)
  const isIso = Date.parse(`${trimmed}Z`)
  const clockMs = Number.isNaN(isIso) ? Date.parse(`${trimmed} UTC`) : isIso
  if (Number.isNaN(clockMs) || Math.abs(clockMs) > lastMs - 2 * dayMs) return undefined
  return toInstant(clockMs, timezone)
}

/** The engine reads 30 February as 2 March. */
function hasDay(text: string): boolean {
  const [, year, month, day] = dayOfDate.exec(text) ?? []
  if (year === undefined) return true
  const last = new Date(0)
  last.setUTCFullYear(Number(year), Number(month), 0)
  return Number(day) <= last.getUTCDate()
}

/** So do calendars and cron: the first of two, and later where there is none. No zone changes its clocks twice in two days. */
function toInstant(clockMs: number, timezone: string): number {
  const clockOf = createZoneClock(timezone)
  const offsetAt = (atMs: number): number => clockOf(atMs) - Math.floor(atMs / 1000) * 1000
  const [before, after] = [offsetAt(clockMs - dayMs), offsetAt(clockMs + dayMs)]
  const found = [before, after].map((offset) => clockMs - offset).filter((atMs) => clockMs - atMs === offsetAt(atMs))
  return found.length === 0 ? clockMs - before : Math.min(...found)
}
