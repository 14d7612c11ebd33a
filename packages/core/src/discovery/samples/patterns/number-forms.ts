import type { Dictionary } from '../../dictionary/dictionary.ts'
import { secondMs } from '../../dictionary/spans.ts'
import { comparedWith } from '../../dictionary/tokens/surroundings.ts'
import { toDates, toTimes } from './date-forms.ts'
import { toFractions } from './fractions.ts'

/**
 * Returns the numbers of a place that a comparison suggests without naming them, or names as a text, as in
 * `price.toFixed(2) === '1.50'`.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 */
export function toNumberForms(dictionary: Dictionary, name: string): readonly number[] {
  const written = comparedWith(dictionary.texts, name).flatMap(({ value }) =>
    /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? [Number(value)] : [],
  )
  const dates = dictionary.dated.has(name) ? toDates(dictionary, name, 'date-time').map(Date.parse) : []
  const times = toTimes(dictionary, name)
  const seconds = dictionary.spans.units.includes(secondMs) ? times.map((ms) => Math.trunc(ms / secondMs)) : []
  return [...times, ...seconds, ...toFractions(dictionary, name), ...written, ...dates]
}
