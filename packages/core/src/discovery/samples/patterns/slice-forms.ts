import type { Dictionary } from '../../dictionary/dictionary.ts'
import { comparedWith, hasOneOf, type Literal } from '../../dictionary/tokens/surroundings.ts'
import { around } from './around.ts'
import { usualTime } from './date-forms.ts'

const slicers: readonly string[] = ['slice', 'substring', 'substr', 'charAt']
const finders: readonly string[] = ['indexOf', 'lastIndexOf']
const maxStart = 60
/** So many starts, signs and values are combined with each other. */
const maxCombined = 6

/**
 * Returns the texts of a place of which what is cut out is what it is compared with: `slice(11, 13)` a number of hours,
 * `slice(0, code.indexOf('-'))` a text in front of a sign.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 */
export function toSliced({ texts, numbers }: Dictionary, name: string): readonly string[] {
  const isCut = ({ names }: Literal<unknown>): boolean => names.has(name) && hasOneOf(names, slicers)
  const isFound = ({ names }: Literal<unknown>): boolean => names.has(name) && hasOneOf(names, finders)
  const starts = numbers.filter((one) => isCut(one) && Number.isInteger(one.value)).map(({ value }) => value)
  const signs = texts.filter((one) => isFound(one) && one.value.length === 1).map(({ value }) => value)
  const cut = comparedWith(texts, name).filter((one) => isCut(one) && !signs.includes(one.value))
  // What is compared mostly stands behind the places.
  const figures = comparedWith(numbers, name).filter(isCut).toReversed()
  const values = [
    ...cut.slice(0, maxCombined).map(({ value }) => value),
    ...figures.slice(0, maxCombined).flatMap(({ value }) => around(value).map((one) => String(one).padStart(2, '0'))),
  ]
  const placed = starts
    .filter((start) => start > 0 && start <= maxStart)
    .slice(0, maxCombined)
    // Parts of a time are cut out most often; it has numbers, and signs between them.
    .flatMap((start) => values.flatMap((value) => [putAt(usualTime, start, value), `${'x'.repeat(start)}${value}`]))
  const besides = signs
    .slice(0, maxCombined)
    .flatMap((sign) => values.flatMap((value) => [`${value}${sign}x`, `x${sign}${value}`]))
  return [...besides, ...placed]
}

function putAt(text: string, start: number, value: string): string {
  return `${text.padEnd(start).slice(0, start)}${value}${text.slice(start + value.length)}`
}
