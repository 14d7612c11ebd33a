import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { dictionaryOf } from '../dictionary/dictionary-of.ts'
import type { Partners } from '../dictionary/partners.ts'
import { textLimits, toFilter } from '../samples/patterns/limit-filter.ts'
import { containerOf, nameOf } from '../samples/values/place-name.ts'
import { toRenamed } from '../samples/values/sample-text.ts'
import type { NotedText } from '../samples/variation/noted-texts.ts'
import { atOnce, type PlaceRead, type Variation } from '../samples/variation/variation.ts'
import type { NotedReads } from './recorded-run.ts'

type Noted = NotedText & { readonly times: number }

/** A text that a run has read. */
interface Place {
  readonly path: string
  readonly text: Noted
  /** What code may call it. */
  readonly names: readonly string[]
  readonly isPerson: boolean
}

const maxPairs = 8
const limits = [...textLimits, 'enum', 'const']

/** Whether the one who did it is the one who is told is asked by most who ask for both, though not always in the function. */
const persons: readonly string[] = ['actor/subscriberId', 'subscriber/subscriberId']

/**
 * Returns what a run has read, with a place for each two texts that the source text compares: whether they are the same.
 * The samples of two places are never the same by chance, or always.
 *
 * @param workflow - The workflow.
 * @param variation - What the run saw.
 * @param read - What it has read.
 */
export function withSameTexts(
  workflow: RegisteredWorkflow,
  variation: Variation,
  { reads, noted }: NotedReads,
): ReadonlyMap<string, PlaceRead> {
  const all = [...noted.all()]
  // To read the source text of a function that reads no two texts would be in vain.
  if (all.length < 2) return reads
  const { partners } = dictionaryOf(workflow)
  const containers = new Set([...noted.all().keys(), ...reads.keys()].map(containerOf))
  const places = all
    .filter(([path]) => !containers.has(path.replace(/\?$/, '')))
    .map(([path, text]) => toPlace(path, text))
    .filter((place) => mayBeCompared(place, partners))
  const pairs = new Map<string, PlaceRead>()
  for (const [index, second] of places.entries())
    for (const first of places.slice(0, index)) {
      if (pairs.size >= maxPairs || !isCompared(partners, first, second)) continue
      const path = `same:${first.path} ${second.path}`
      const chosen = variation.changes.get(path) ?? 0
      const texts = toTexts(first, second)
      if (!texts && chosen === 0) continue
      const times = first.text.times + second.text.times
      pairs.set(path, { ...atOnce, chosen, times, texts: texts ?? new Map() })
    }
  return pairs.size === 0 ? reads : new Map([...reads, ...pairs])
}

function toPlace(path: string, text: Noted): Place {
  return { path, text, names: namesOf(path), isPerson: persons.includes(path) }
}

function mayBeCompared({ names, isPerson }: Place, partners: Partners): boolean {
  return isPerson || names.some((name) => partners.has(name))
}

function isCompared(partners: Partners, left: Place, right: Place): boolean {
  if (left.isPerson && right.isPerson) return true
  return left.names.some((name) => right.names.some((other) => partners.get(name)?.has(other)))
}

/** An item of a list goes by the name of one of them, too. */
function namesOf(path: string): readonly string[] {
  const name = nameOf(path)
  return /\/\d+\W?$/.test(path) ? [name, name.replace(/(?<=\w)s$/, '')] : [name]
}

/** The texts with which two places are the same where they differ, and differ where they are the same. */
function toTexts(first: Place, second: Place): ReadonlyMap<string, string> | undefined {
  const [one, other] = [first.text.text, second.text.text]
  if (one === undefined && other === undefined) {
    const text = nameOf(first.path)
    return new Map([first, second].map(({ path }) => [path, text]))
  }
  if (one === undefined) return new Map([[first.path, other ?? '']])
  if (other === undefined) return new Map([[second.path, one]])
  if (one !== other)
    return fits(second.text, one) || !fits(first.text, other)
      ? new Map([[second.path, one]])
      : new Map([[first.path, other]])
  for (const { path, text } of [second, first]) {
    const renamed: unknown =
      one === '' ? nameOf(path) : toRenamed(one, text.schema ?? {}, { variationSource: { isRenamed: true } })
    if (typeof renamed === 'string' && renamed !== one) return new Map([[path, renamed]])
  }
  return undefined
}

function fits({ schema = {} }: NotedText, text: string): boolean {
  return toFilter(schema, limits)(text)
}
