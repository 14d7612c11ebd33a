import type { Dictionary } from '../../dictionary/dictionary.ts'
import { unitOf } from '../../dictionary/spans.ts'
import { comparedWith } from '../../dictionary/tokens/surroundings.ts'
import { datePart } from '../../dictionary/uses.ts'

const formats: ReadonlySet<unknown> = new Set(['date-time', 'date'])
const halfDayMs = 43_200_000
/** The greatest number that is taken for one of hours, days or the like. */
export const maxCount = 1000
const maxOffsets = 12
/** Some 150 years: far beyond, a date is none, and a loop from one to the other takes long. */
const maxOffsetMs = 5e12
/** The time that a place has which nothing is compared with. */
export const usualTime = '2026-01-01T12:00:00.000Z'
const weekdays: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

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
 * with the beginning. A text that a date is made of is such a place, too.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 * @param format - The format of the place.
 */
export function toDates(dictionary: Dictionary, name: string, format: unknown): readonly string[] {
  const isText = !formats.has(format)
  if (isText && !dictionary.dated.has(name)) return []
  const dates = [
    ...(isText ? [usualTime] : []),
    ...toYears(dictionary, name, format).map((year) => `${year}-01-01T12:00:00.000Z`),
    ...toNear(dictionary, name),
    ...toMoments(dictionary, name),
    ...toNamed(dictionary, name),
    ...toBegun(dictionary, name),
  ].filter(isDate)
  return format === 'date' ? dates.map((date) => date.slice(0, 10)) : dates
}

/**
 * Returns the day it is, for a place that is compared with the clock.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 */
export function toToday({ clocks }: Dictionary, name: string): readonly string[] {
  return clocks.has(name) ? [new Date().toISOString().slice(0, 10)] : []
}

/**
 * Returns times of a place that is a number and is compared with the clock, in milliseconds since 1970: long ago, ahead,
 * half a day off, and around the bounds that the source text sets.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 */
export function toTimes(dictionary: Dictionary, name: string): readonly number[] {
  if (!dictionary.clocks.has(name)) return []
  const nowMs = Date.now()
  const offsets = [halfDayMs, ...toOffsets(dictionary, name)]
  return [0, Date.UTC(Number(yearAhead()), 0), ...offsets.flatMap((offset) => [nowMs - offset, nowMs + offset])]
}

/** How far from now the bounds lie that the source text sets, half a unit below and above: whole ones may be rounded. */
function toOffsets({ numbers, spans }: Dictionary, name: string): readonly number[] {
  const counts = comparedWith(numbers, name).map(({ value }) => Math.abs(value))
  const told = counts.filter((count) => count > 0 && count <= maxCount)
  const counted = spans.units.flatMap((unit) => told.map((count) => ({ length: count * unit, unit })))
  const lengths = spans.lengths.map((length) => ({ length, unit: unitOf(spans, length) }))
  const offsets = [...counted, ...lengths].flatMap(({ length, unit }) => [length - unit / 2, length + unit / 2])
  return [...new Set(offsets)].filter(isOffset).slice(0, maxOffsets)
}

function isOffset(offset: number): boolean {
  return offset > 0 && offset <= maxOffsetMs && offset !== halfDayMs
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
    /^\d{4}(-(\d\d(-(\d\d)?)?)?)?$/.test(value) ? [`${value}${usualTime.slice(value.length)}`] : [],
  )
}

/** Dates of which a part is what it is compared with, or beside it; a day of the week may be looked for in a list. */
function toMoments({ numbers, dateParts }: Dictionary, name: string): readonly string[] {
  const asked = dateParts.get(name)
  const parts = new Map<string, number>()
  const moments = comparedWith(numbers, name).flatMap(({ names, value }) => {
    const part = [...names].find((one) => datePart.test(one)) ?? asked
    if (part !== undefined && !parts.has(part)) parts.set(part, value)
    return part === undefined ? [] : [1, -1, 0].flatMap((step) => toMoment([[part, value + step]]) ?? [])
  })
  // Such as the 24th of December.
  const all = parts.size > 1 ? (toMoment([...parts]) ?? []) : []
  const days = asked?.endsWith('Day') ? [0, 6, 1].flatMap((day) => toMoment([[asked, day]]) ?? []) : []
  return [...moments, ...days].concat(all)
}

/** Dates whose day of the week, or month, has the name that they are compared with. */
function toNamed({ texts }: Dictionary, name: string): readonly string[] {
  return comparedWith(texts, name).flatMap(({ value }) => {
    const begins = value.slice(0, 3).toLowerCase()
    const [day, month] = [weekdays.indexOf(begins), months.indexOf(begins)]
    const named = day >= 0 ? toMoment([['getDay', day]]) : month >= 0 ? toMoment([['getMonth', month]]) : undefined
    return named === undefined ? [] : [named]
  })
}

/** The local day and the one of UTC are the same at noon, almost everywhere. */
function toMoment(parts: readonly (readonly [part: string, value: number])[]): string | undefined {
  const date = new Date(2026, 0, 1, 12)
  // A day of the week moves the date, and a month may have no such day: both come before it.
  const late = ([part]: readonly [string, number]): number => (part.endsWith('Date') ? 1 : 0)
  for (const [part, value] of parts.toSorted((left, right) => late(left) - late(right))) setPart(date, part, value)
  return Number.isNaN(date.getTime()) || date.getFullYear() < 1000 || date.getFullYear() > 9999
    ? undefined
    : date.toISOString()
}

function setPart(date: Date, part: string, value: number): void {
  if (part.endsWith('Hours')) part.includes('UTC') ? date.setUTCHours(value) : date.setHours(value)
  else if (part.endsWith('Minutes')) date.setMinutes(value)
  else if (part.endsWith('Day')) date.setDate(date.getDate() + ((value - date.getDay() + 7) % 7))
  else if (part.endsWith('Date')) date.setDate(value)
  else if (part.endsWith('Month')) date.setMonth(value)
  else date.setFullYear(value)
}
