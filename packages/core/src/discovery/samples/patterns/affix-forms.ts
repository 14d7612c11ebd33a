import type { Dictionary } from '../../dictionary/dictionary.ts'
import { comparedWith, type Literal } from '../../dictionary/tokens/surroundings.ts'
import { around } from './around.ts'
import type { Filter } from './limit-filter.ts'

/** What a text is searched for, by the method. */
type Search = 'startsWith' | 'endsWith' | 'includes'

const searches: readonly Search[] = ['startsWith', 'endsWith', 'includes']
const maxLength = 1000
/** So many literals of one kind are combined with those of another. */
const maxCombined = 4
/** So many literals are tried behind each beginning. */
const maxLeft = 6

/**
 * Returns the texts of a place that are more than one search finds: they begin and end as they are asked to, or are as
 * long.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 */
export function toAffixed(dictionary: Dictionary, name: string): readonly string[] {
  const near = dictionary.texts.filter(({ names }) => names.has(name))
  const [starts = [], ends = [], insides = []] = searches.map((search) =>
    near.filter(({ names }) => names.has(search)).slice(0, maxCombined),
  )
  // What is left of it may be compared, as in `key.startsWith('user_') && key.slice(5) === 'admin'`.
  const rests = near.filter(({ isCompared, names }) => isCompared && !searches.some((search) => names.has(search)))
  const left = rests
    .slice(0, maxLeft)
    .flatMap(({ value }) => [
      ...starts.map((start) => `${start.value}${value}`),
      ...ends.map((end) => `${value}${end.value}`),
    ])
  const joined = [...starts, ...insides].flatMap((first) =>
    [...insides, ...ends].flatMap((second) => (first === second ? [] : [`${first.value}${second.value}`])),
  )
  return [...joined, ...left, ...toLong([...starts, ...ends, ...insides], toLengths(dictionary, name))]
}

/**
 * Returns the texts of a place that come in front of a text it is ordered by, and behind it.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 */
export function toBeside({ texts }: Dictionary, name: string): readonly string[] {
  const near = comparedWith(texts, name).filter(({ names, isOrdered }) => isOrdered || names.has('localeCompare'))
  return near.flatMap(({ value }) => [`${value}a`, ...(value === '' ? [] : [`!${value}`])])
}

function toLengths({ numbers }: Dictionary, name: string): readonly number[] {
  const near = comparedWith(numbers, name).filter(({ names }) => names.has('length'))
  const lengths = near.slice(0, maxCombined).flatMap(({ value }) => around(value))
  return lengths.filter((length) => Number.isInteger(length) && length <= maxLength)
}

function toLong(parts: readonly Literal<string>[], lengths: readonly number[]): readonly string[] {
  return parts.flatMap(({ value, names }) =>
    lengths.map((length) => (names.has('endsWith') ? value.padStart(length, 'x') : value.padEnd(length, 'x'))),
  )
}

/** A place with limits. */
export interface Fit {
  /** The text that it usually has. */
  readonly usual: string
  /** Whether a text fits it. */
  readonly isAllowed: Filter
}

/**
 * Returns the texts of a place with limits that a search finds something in which alone does not fit, such as the domain
 * of a mail address, and those of the lengths that its own is compared with.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 * @param fit - What fits.
 */
export function toFitted(dictionary: Dictionary, name: string, fit: Fit): readonly string[] {
  const { usual, isAllowed } = fit
  const near = dictionary.texts.filter(({ names, value }) => names.has(name) && !isAllowed(value))
  const found = near.flatMap(({ names, value }) => {
    const search = searches.find((method) => names.has(method))
    return (search && putInto(fit, value, (text) => text[search](value))) ?? []
  })
  const long = toLengths(dictionary, name).map((length) => usual.padEnd(length, 'x'))
  return [...found, ...long.filter((text) => text !== usual && isAllowed(text))]
}

/**
 * Puts a text into the one that a place usually has.
 *
 * @param fit - What fits.
 * @param value - The text.
 * @param isFound - Whether it is found there.
 * @returns `undefined` where it is found in no text that fits.
 */
export function putInto(
  { usual, isAllowed }: Fit,
  value: string,
  isFound: (text: string) => boolean,
): string | undefined {
  const at = Math.max(usual.indexOf('@'), 0)
  const candidates = [
    `a${value}`,
    `${value}${usual}`,
    `${value}${usual.slice(at + 1)}`,
    `${usual}${value}`,
    `${usual.slice(0, at)}${value}${usual.slice(at)}`,
    `${usual.slice(0, at + 1)}${value}${usual.slice(at + 1)}`,
  ]
  return candidates.find((text) => isFound(text) && isAllowed(text))
}
