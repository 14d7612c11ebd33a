import type { Dictionary } from '../../dictionary/dictionary.ts'
import { comparedWith, type Literal } from '../../dictionary/tokens/surroundings.ts'
import { around } from './around.ts'
import { toTextOfPattern } from './text-of-pattern.ts'

const maxCount = 50
/** So many literals are combined with each separator. */
const maxCombined = 4

/**
 * Returns the texts of a place that is split: each part what a part is compared with, and as many parts as their number
 * is compared with.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 */
export function toParts(dictionary: Dictionary, name: string): readonly string[] {
  const { texts, numbers, partners } = dictionary
  const near = toSeparators(dictionary).filter(({ names, value }) => value !== '' && names.has(name))
  if (near.length === 0) return []
  // A part may be looked for in a list that stands elsewhere.
  const known = new Set([name, ...(partners.get(name) ?? [])])
  const parts = texts.filter(({ names }) => [...names].some((one) => known.has(one)))
  const compared = comparedWith(numbers, name)
  const counts = compared.map(({ value }) => value)
  // A part may become a number, such as that of a version.
  const numbered = compared.filter(({ isIndex }) => !isIndex).slice(0, maxCombined)
  const figures = compared.slice(0, maxCombined).flatMap(({ value }) => around(value).map(String))
  return near.flatMap(({ value: separator }) => {
    const join = (part: string, count: number): string => Array.from({ length: count }, () => part).join(separator)
    const most = Math.max(2, ...counts.filter(isCount).map((count) => count + 1))
    const lengths = counts.flatMap((one) => around(one)).filter(isCount)
    const others = parts.filter((part) => part.value !== separator).slice(0, maxCombined)
    return [
      ...others.map((part) => join(part.value, most)),
      ...lengths.map((length) => join(name, length)),
      // Two parts may be compared, as in `customer.updated` and `de-AT`.
      ...others.flatMap((one) =>
        others.flatMap((two) => (one === two ? [] : [`${one.value}${separator}${two.value}`])),
      ),
      ...figures.map((figure) => join(figure, most)),
      ...toFigures(numbered, others).map((two) => two.join(separator)),
      // Numbers may count something else, and a pattern takes a text apart that has no more parts than it names.
      ...(most > 2 ? others.map((part) => join(part.value, 2)) : []),
    ]
  })
}

/** Two parts of which one is a number at least: both are what they are compared with, or only one of them is. */
function toFigures(numbers: readonly Literal<number>[], texts: readonly Literal<string>[]): readonly string[][] {
  const pairs = numbers.map((literal) => around(literal.value, !literal.isOrdered))
  return pairs.flatMap(([met = 0, unmet = 0]) => [
    ...texts.flatMap(({ value }) => [`${met}`, `${unmet}`].map((figure) => [value, figure])),
    ...pairs.flatMap(([other = 0, not = 0]) =>
      [
        [met, other],
        [met, not],
        [unmet, other],
      ].map((two) => two.map(String)),
    ),
  ])
}

/** What texts are split at: texts, and what regular expressions match. */
function toSeparators({ separators, patterns }: Dictionary): readonly Literal<string>[] {
  const matched = patterns.flatMap((pattern) => {
    const value = pattern.names.has('split') ? toTextOfPattern(pattern.value, () => true) : undefined
    return value === undefined ? [] : [{ ...pattern, value }]
  })
  return [...separators, ...matched]
}

function isCount(count: number): boolean {
  return Number.isInteger(count) && count > 0 && count <= maxCount
}
