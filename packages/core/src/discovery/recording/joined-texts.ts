import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import type { Dictionary } from '../dictionary/dictionary.ts'
import { dictionaryOf } from '../dictionary/dictionary-of.ts'
import type { Join } from '../dictionary/joins.ts'
import { memoize } from '../dictionary/memory.ts'
import { textLimits, toFilter } from '../samples/patterns/limit-filter.ts'
import { nameOf } from '../samples/values/place-name.ts'
import type { NotedTexts } from '../samples/variation/noted-texts.ts'
import { atOnce, type PlaceRead, type Variation } from '../samples/variation/variation.ts'
import type { NotedReads } from './recorded-run.ts'

interface ReadPlaces extends NotedReads {
  /** The places of one value, by the name under which code reads them. */
  readonly places: ReadonlyMap<string, string>
}

/** A text of the source text, and what the pieces of a join are where it becomes that. */
interface Match {
  readonly join: Join
  /** Which of the texts it is. */
  readonly at: number
  readonly parts: readonly string[]
}

const maxJoined = 24

/**
 * Returns what a run has read, with a place for each text of the source text that a template, or another text that is put
 * together of data, can become: whether it does.
 *
 * @param workflow - The workflow.
 * @param variation - What the run saw.
 * @param read - What it has read.
 */
export function withJoinedTexts(
  workflow: RegisteredWorkflow,
  variation: Variation,
  read: NotedReads,
): ReadonlyMap<string, PlaceRead> {
  if (read.reads.size === 0 && read.noted.all().size === 0) return read.reads
  const dictionary = dictionaryOf(workflow)
  if (dictionary.joins.length === 0) return read.reads
  const found = { ...read, places: toPlaces(read) }
  const joined = new Map<string, PlaceRead>()
  const add = (path: string, texts: ReadonlyMap<string, string> | undefined): void => {
    if (!texts || joined.size >= maxJoined || joined.has(path)) return
    const chosen = variation.changes.get(path) ?? 0
    const times = [...texts.keys()].reduce((sum, place) => sum + timesOf(place, read), 0)
    joined.set(path, { ...atOnce, chosen, times, texts })
  }
  for (const [index, join] of dictionary.joins.entries()) add(`joined:#${index}`, toWhole(join, found))
  // Not by the text itself: one that ends with a number, as `order/15` does, would be the item of a list.
  for (const match of matchesOf(dictionary)) add(`joined:${match.at}`, toTexts(match, found))
  return joined.size === 0 ? read.reads : new Map([...read.reads, ...joined])
}

/** The same in each run. */
function matchesOf(dictionary: Dictionary): readonly Match[] {
  return memoize(dictionary, { kind: 'joined', name: '' }, () =>
    dictionary.joins.flatMap((join) =>
      dictionary.texts.flatMap(({ value }, at) => {
        const parts = toParts(join, value)
        return parts ? [{ join, at, parts }] : []
      }),
    ),
  )
}

function toPlaces({ reads, noted }: NotedReads): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  const single = [...reads].flatMap(([path, { isAside, isList }]) => (isAside || isList ? [] : [path]))
  for (const path of [...noted.all().keys(), ...single]) {
    const name = nameOf(path)
    if (!places.has(name)) places.set(name, path)
  }
  return places
}

/** What a place has where it is what another text is put together to; a piece that could be anything is a text then. */
function toWhole(
  { fixed, pieces, against }: Join,
  { noted, places }: ReadPlaces,
): ReadonlyMap<string, string> | undefined {
  const path = findPlace(against, places)
  if (path === undefined) return undefined
  const texts = new Map<string, string>()
  let whole = fixed[0] ?? ''
  for (const [index, names] of pieces.entries()) {
    const place = findPlace(names, places) ?? ''
    const known = noted.all().get(place)
    if (!known || place === path) return undefined
    if (known.text === undefined) texts.set(place, nameOf(place))
    whole += `${known.text ?? nameOf(place)}${fixed[index + 1] ?? ''}`
  }
  return fits(path, whole, noted) ? texts.set(path, whole) : undefined
}

/** Returns what the pieces of a text are where it is to be another; `undefined` where it cannot be. */
function toParts({ fixed }: Join, text: string): readonly string[] | undefined {
  const [first = '', ...others] = fixed
  if (!text.startsWith(first)) return undefined
  const parts: string[] = []
  let at = first.length
  for (const [index, next] of others.entries()) {
    const isLast = index === others.length - 1
    const end = isLast ? (text.endsWith(next) ? text.length - next.length : -1) : text.indexOf(next, at)
    if (end < at) return undefined
    parts.push(text.slice(at, end))
    at = end + next.length
  }
  return parts
}

/** The texts of the places that the pieces are read from; a piece that is to be empty, or anything, stays as it is. */
function toTexts(
  { join: { pieces }, parts }: Match,
  { noted, places }: ReadPlaces,
): ReadonlyMap<string, string> | undefined {
  const texts = new Map<string, string>()
  for (const [index, part] of parts.entries()) {
    if (part === '') continue
    const path = findPlace(pieces[index] ?? [], places)
    if (path === undefined || (texts.get(path) ?? part) !== part || !fits(path, part, noted)) return undefined
    texts.set(path, part)
  }
  return texts.size === 0 ? undefined : texts
}

function findPlace(names: readonly string[], places: ReadPlaces['places']): string | undefined {
  return names.flatMap((name) => places.get(name) ?? [])[0]
}

function fits(path: string, text: string, noted: NotedTexts): boolean {
  const { schema } = noted.all().get(path) ?? {}
  return !schema || toFilter(schema, textLimits)(text)
}

function timesOf(path: string, { reads, noted }: NotedReads): number {
  return reads.get(path)?.times ?? noted.all().get(path)?.times ?? 0
}
