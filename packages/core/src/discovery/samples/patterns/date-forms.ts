import type { Dictionary } from '../../dictionary/dictionary.ts'
import { comparedWith } from '../../dictionary/surroundings.ts'
import { datePart } from '../../dictionary/uses.ts'

const formats: ReadonlySet<unknown> = new Set(['date-time', 'date'])
const halfDayMs = 43_200_000

/** Returns a year that is ahead, but not so far that a loop over its hours, or minutes, takes long. */
export function yearAhead(): string {
  return String(new Date().getUTCFullYear() + 2)
}

/** Days are those of births, too, and are not walked through by the minute. */
function yearBehind(format: unknown): string {
  return format === 'date' ? '1990' : String(new Date().getUTCFullYear() - 5)
}

/**
 * Returns the dates of a place that a comparison suggests: before and behind the year it is compared with, long ago and
 * ahead, half a day off where it is compared with the clock, with the hour, the day or the month that is asked for, and
 * with the beginning.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 * @param format - The format of the place; none but dates have any.
 */
export function toDates(dictionary: Dictionary, name: string, format: unknown): readonly string[] {
  if (!formats.has(format)) return []
  const dates = [
    ...toYears(dictionary, name, format).map((year) => `${year}-01-01T12:00:00.000Z`),
    ...toNear(dictionary, name),
    ...toMoments(dictionary, name),
    ...toBegun(dictionary, name),
  ].filter(isDate)
  return format === 'date' ? dates.map((date) => date.slice(0, 10)) : dates
}

/**
 * Returns times of a place that is a number and is compared with the clock, in milliseconds since 1970: long ago, ahead
 * and half a day off.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 */
export function toTimes({ clocks }: Dictionary, name: string): readonly number[] {
  if (!clocks.has(name)) return []
  const nowMs = Date.now()
  return [0, Date.UTC(Number(yearAhead()), 0), nowMs - halfDayMs, nowMs + halfDayMs]
}

function toNear(dictionary: Dictionary, name: string): readonly string[] {
  return toTimes(dictionary, name)
    .slice(2)
    .map((time) => new Date(time).toISOString())
}

function toYears({ texts, clocks, ordered }: Dictionary, name: string, format: unknown): readonly string[] {
  const years = comparedWith(texts, name).flatMap(({ value }) => /^\d{4}(?=$|-\d\d)/.exec(value) ?? [])
  const beside = years.flatMap((year) => [1, -1].map((step) => String(Number(year) + step).padStart(4, '0')))
  return clocks.has(name) || ordered.has(name) ? [...beside, yearBehind(format), yearAhead()] : beside
}

/** There is no year behind 9999, and no 31 June. */
function isDate(text: string): boolean {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text
}

/** Dates that begin as they are asked to: with a year, or a month of it. */
function toBegun({ texts }: Dictionary, name: string): readonly string[] {
  return comparedWith(texts, name).flatMap(({ value }) =>
    /^\d{4}(-(\d\d(-(\d\d)?)?)?)?$/.test(value) ? [`${value}${'2026-01-01T12:00:00.000Z'.slice(value.length)}`] : [],
  )
}

/** Dates of which a part is what it is compared with, or beside it; a day of the week may be looked for in a list. */
function toMoments({ numbers, dateParts }: Dictionary, name: string): readonly string[] {
  const usual = dateParts.get(name)
  const moments = comparedWith(numbers, name).flatMap(({ names, value }) => {
    const part = [...names].find((one) => datePart.test(one)) ?? usual
    return part === undefined ? [] : [1, -1, 0].flatMap((step) => toMoment(part, value + step) ?? [])
  })
  return usual?.endsWith('Day') ? [...moments, ...[0, 6, 1].flatMap((day) => toMoment(usual, day) ?? [])] : moments
}

function toMoment(part: string, value: number): string | undefined {
  // The local day and the one of UTC are the same at noon, almost everywhere.
  const date = new Date(2026, 0, 1, 12)
  if (part.endsWith('Hours')) part.includes('UTC') ? date.setUTCHours(value) : date.setHours(value)
  else if (part.endsWith('Minutes')) date.setMinutes(value)
  else if (part.endsWith('Day')) date.setDate(date.getDate() + ((value - date.getDay() + 7) % 7))
  else if (part.endsWith('Date')) date.setDate(value)
  else if (part.endsWith('Month')) date.setMonth(value)
  else date.setFullYear(value)
  return Number.isNaN(date.getTime()) || date.getFullYear() < 1000 || date.getFullYear() > 9999
    ? undefined
    : date.toISOString()
}
