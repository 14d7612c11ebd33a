import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import type { Dictionary } from '../dictionary/dictionary.ts'
import { dictionaryOf } from '../dictionary/dictionary-of.ts'
import { dayMs, unitOf } from '../dictionary/spans.ts'
import { maxCount, usualTime } from '../samples/patterns/date-forms.ts'
import { textLimits, toFilter } from '../samples/patterns/limit-filter.ts'
import { containerOf, nameOf } from '../samples/values/place-name.ts'
import type { NotedText } from '../samples/variation/noted-texts.ts'
import { atOnce, type PlaceRead, type Variation } from '../samples/variation/variation.ts'
import type { NotedReads } from './recorded-run.ts'

/** A time that a run has read. */
interface TimePlace extends NotedText {
  readonly path: string
  readonly name: string
  readonly times: number
  /** Whether it is milliseconds since 1970. */
  readonly isNumber: boolean
}

const maxPairs = 3
/** Those behind are mostly the items of lists, which are like each other. */
const maxPlaces = 24
const maxDistances = 9
const dateStart = /^\d{4}-\d\d-\d\d/

/**
 * Returns what a run has read, with a place for each distance that the source text suggests between two times: whether they
 * are so far apart, as the nights of a stay are. One of them alone shows how far it is from now only.
 *
 * @param workflow - The workflow.
 * @param variation - What the run saw.
 * @param read - What it has read.
 */
export function withApartTimes(
  workflow: RegisteredWorkflow,
  variation: Variation,
  read: NotedReads,
): ReadonlyMap<string, PlaceRead> {
  const { reads, noted } = read
  // To read the source text of a function that reads no two places would be in vain.
  if (reads.size + noted.all().size < 2) return reads
  const dictionary = dictionaryOf(workflow)
  const apart = new Map<string, PlaceRead>()
  for (const [first, second] of toPairs(toPlaces(dictionary, read), dictionary))
    for (const [at, ms] of toDistances(dictionary, first.name, second.name).entries()) {
      const path = `apart:${at}:${first.path} ${second.path}`
      const texts = toTexts(first, second, ms)
      const chosen = variation.changes.get(path) ?? 0
      if (texts) apart.set(path, { ...atOnce, chosen, times: first.times + second.times, texts })
    }
  return apart.size === 0 ? reads : new Map([...reads, ...apart])
}

function toPlaces(dictionary: Dictionary, { reads, noted }: NotedReads): readonly TimePlace[] {
  const { differences, partners } = dictionary
  if (differences.size === 0 && partners.size === 0) return []
  const places: TimePlace[] = []
  const containers = new Set([...noted.all().keys(), ...reads.keys()].map(containerOf))
  for (const [path, one] of noted.all()) {
    const name = nameOf(path)
    if (places.length < maxPlaces && (differences.has(name) || partners.has(name)))
      places.push(...toTimePlace(dictionary, { path, name }, one))
  }
  for (const [path, { isAside, isList, times }] of reads) {
    const name = nameOf(path)
    const isNumber = !isAside && !isList && differences.has(name) && !noted.all().has(path)
    if (isNumber && places.length < maxPlaces) places.push({ path, name, times, isNumber })
  }
  // What others lie within is no time.
  return places.filter(({ path }) => !containers.has(path.replace(/\?$/, '')))
}

function toTimePlace(
  { dated }: Dictionary,
  { path, name }: Pick<TimePlace, 'path' | 'name'>,
  one: NotedText & Pick<TimePlace, 'times'>,
): readonly TimePlace[] {
  const isUnknown = one.text === undefined && !one.schema
  const isToldDate = String(one.schema?.['format']).startsWith('date') || dateStart.test(one.text ?? '')
  // The names within a function of the source text are others: `daysBetween(payload.from, payload.to)`.
  const isDate = isToldDate || dated.has(name) || (isUnknown && dated.size > 0)
  return isDate || isUnknown ? [{ ...one, path, name, isNumber: !isDate }] : []
}

/** Two of one item, or of none, that are compared with each other. */
function toPairs(
  places: readonly TimePlace[],
  { differences, partners }: Dictionary,
): readonly (readonly [TimePlace, TimePlace])[] {
  const itemOf = ({ path }: TimePlace): string => /^.*\/\d+\//.exec(path)?.[0] ?? ''
  const isAsked = (first: TimePlace, second: TimePlace): boolean =>
    (differences.get(first.name)?.has(second.name) ?? false) ||
    (!first.isNumber && (partners.get(first.name)?.has(second.name) ?? false))
  return places
    .flatMap((second, index) => places.slice(0, index).map((first): readonly [TimePlace, TimePlace] => [first, second]))
    .filter(
      ([first, second]) =>
        first.name !== second.name &&
        first.isNumber === second.isNumber &&
        itemOf(first) === itemOf(second) &&
        isAsked(first, second),
    )
    .slice(0, maxPairs)
}

/** How far two times may be apart, in milliseconds, either way round. */
function toDistances({ numbers, spans, partners }: Dictionary, first: string, second: string): readonly number[] {
  const counts = numbers
    .filter(({ isCompared, names }) => isCompared && (names.has(first) || names.has(second)))
    .map(({ value }) => Math.abs(value))
    .filter((count) => count > 0 && count <= maxCount)
  const counted = spans.units.flatMap((unit) =>
    counts.flatMap((count) => [count * unit, (count + 1) * unit, (count - 0.5) * unit]),
  )
  const lengths = spans.lengths.flatMap((length) => {
    const half = unitOf(spans, length) / 2
    return [length, length + half, length - half]
  })
  const days = partners.get(first)?.has(second) ? [dayMs] : []
  const distances = [...new Set([...counted, ...lengths, ...days])].slice(0, maxDistances)
  return distances.flatMap((ms) => [ms, -ms])
}

function toTexts(first: TimePlace, second: TimePlace, ms: number): ReadonlyMap<string, string> | undefined {
  const from = Number.isNaN(Date.parse(first.text ?? '')) ? usualTime : (first.text ?? '')
  const [one, other] = [toText(first, Date.parse(from)), toText(second, Date.parse(from) + ms)]
  if (one === undefined || other === undefined || other === second.text) return undefined
  return new Map([...(first.text === from ? [] : [[first.path, one] as const]), [second.path, other]])
}

function toText({ text, schema = {}, isNumber }: TimePlace, timeMs: number): string | undefined {
  if (isNumber) return String(timeMs)
  const date = new Date(timeMs)
  if (Number.isNaN(date.getTime())) return undefined
  const isDay = schema['format'] === 'date' || text?.length === usualTime.indexOf('T')
  const made = isDay ? date.toISOString().slice(0, 10) : date.toISOString()
  return toFilter(schema, textLimits)(made) ? made : undefined
}
