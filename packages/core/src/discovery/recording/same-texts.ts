import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { dictionaryOf } from '../dictionary/dictionary-of.ts'
import type { Partners } from '../dictionary/partners.ts'
import { textLimits, toFilter } from '../samples/patterns/limit-filter.ts'
import { nameOf } from '../samples/values/literal-variants.ts'
import type { NotedText, NotedTexts } from '../samples/values/noted-texts.ts'
import { toRenamed } from '../samples/values/sample-text.ts'
import type { PlaceRead, Variation } from '../samples/values/variation.ts'

type Noted = NotedText & { readonly times: number }

const maxPairs = 8
const literals = [{ kind: 'same', key: 0, isNear: true }] as const

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
  { reads, noted }: { readonly reads: ReadonlyMap<string, PlaceRead>; readonly noted: NotedTexts },
): ReadonlyMap<string, PlaceRead> {
  const places = [...noted.all()]
  // To read the source text of a function that reads no two texts would be in vain.
  if (places.length < 2) return reads
  const { partners } = dictionaryOf(workflow)
  const pairs = new Map<string, PlaceRead>()
  for (const [index, second] of places.entries())
    for (const first of places.slice(0, index)) {
      if (pairs.size >= maxPairs || !isCompared(partners, first[0], second[0])) continue
      const path = `same:${first[0]} ${second[0]}`
      const chosen = variation.changes.get(path) ?? 0
      const texts = toTexts(first, second)
      if (!texts && chosen === 0) continue
      const times = first[1].times + second[1].times
      pairs.set(path, { count: 1, literals, isAside: true, isList: false, chosen, times, texts: texts ?? new Map() })
    }
  return pairs.size === 0 ? reads : new Map([...reads, ...pairs])
}

function isCompared(partners: Partners, left: string, right: string): boolean {
  if (persons.includes(left) && persons.includes(right)) return true
  if (partners.size === 0) return false
  return namesOf(left).some((name) => namesOf(right).some((other) => partners.get(name)?.has(other)))
}

/** An item of a list goes by the name of one of them, too. */
function namesOf(path: string): readonly string[] {
  const name = nameOf(path)
  return /\/\d+\W?$/.test(path) ? [name, name.replace(/(?<=\w)s$/, '')] : [name]
}

/** The texts with which two places are the same where they differ, and differ where they are the same. */
function toTexts(
  [firstPath, first]: readonly [string, Noted],
  [secondPath, second]: readonly [string, Noted],
): ReadonlyMap<string, string> | undefined {
  if (first.text === undefined && second.text === undefined) {
    const text = nameOf(firstPath)
    return new Map([firstPath, secondPath].map((path) => [path, text]))
  }
  if (first.text === undefined || second.text === undefined)
    return first.text === undefined ? new Map([[firstPath, second.text ?? '']]) : new Map([[secondPath, first.text]])
  if (first.text !== second.text)
    return fits(second, first.text) || !fits(first, second.text)
      ? new Map([[secondPath, first.text]])
      : new Map([[firstPath, second.text]])
  for (const [path, { text = '', schema = {} }] of [
    [secondPath, second],
    [firstPath, first],
  ] as const) {
    const other = text === '' ? nameOf(path) : toRenamed(text, schema, { variationSource: { isRenamed: true } })
    if (typeof other === 'string' && other !== text) return new Map([[path, other]])
  }
  return undefined
}

function fits({ schema = {} }: NotedText, text: string): boolean {
  return toFilter(schema, textLimits)(text)
}
