import { createZoneClock } from './zone-clock.ts'

const withZone =
  /(?:z|gmt|utc|[ecmp][sd]t|:[\d:.]*\s*(?:[ap]m)?\s*(?:gmt|utc)?[+-]\d{1,2}(?::?\d{2})?)\s*(?:\([^)]*\))?$/i
/** The maximum length of a time; longer text is not valid, and matching takes quadratic time. */
const maxLength = 100
const dayOfDate = /^([+-]?\d{4,6})-(\d{2})-(\d{2})/
const isoDate = /^[+-]?\d{4,6}(?:-\d{2}(?:-\d{2})?)?$/
const dayMs = 86_400_000
/** The latest JavaScript date, minus the extra day that the time zone lookup needs. */
const lastMs = 8_640_000_000_000_000

/**
 * Parses a time written by a person or an app. A time without a zone uses the given zone, never that of the machine. A
 * time skipped by a clock change is moved forward by the change; of a repeated time, the first one is used. A date
 * without a time starts at midnight UTC.
 *
 * @param text - The time, such as `2026-04-01T09:00:00Z` or `2026-04-01T09:00`.
 * @returns Milliseconds since 1970; `undefined` if the text is not a time.
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

/** Returns whether the day exists; the JavaScript engine would parse 30 February as 2 March. */
function hasDay(text: string): boolean {
  const [, year, month, day] = dayOfDate.exec(text) ?? []
  if (year === undefined) return true
  const last = new Date(0)
  last.setUTCFullYear(Number(year), Number(month), 0)
  return Number(day) <= last.getUTCDate()
}

/**
 * Converts a local time in the way that calendars and cron do: uses the first of two times, and a later one if the time
 * is skipped. Time zones never change their clocks twice within two days.
 */
function toInstant(clockMs: number, timezone: string): number {
  const clockOf = createZoneClock(timezone)
  const offsetAt = (atMs: number): number => clockOf(atMs) - Math.floor(atMs / 1000) * 1000
  const [before, after] = [offsetAt(clockMs - dayMs), offsetAt(clockMs + dayMs)]
  const candidates = [before, after]
    .map((offset) => clockMs - offset)
    .filter((atMs) => clockMs - atMs === offsetAt(atMs))
  return candidates.length === 0 ? clockMs - before : Math.min(...candidates)
}
