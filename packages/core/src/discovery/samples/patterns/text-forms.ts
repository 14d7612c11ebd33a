import type { JsonObject } from '@trestle/protocol'
import type { Dictionary } from '../../dictionary/dictionary.ts'
import { memoize } from '../../dictionary/memory.ts'
import { textLimits, toFilter } from './limit-filter.ts'

/** A text that a comparison suggests; its key tells it from others of its place only. */
export interface TextForm {
  readonly kind: 'length'
  readonly key: number
  readonly isNear: true
  readonly value: string
}

const readers: readonly string[] = ['Number', 'parseInt', 'parseFloat']
const dateFormats: ReadonlyMap<unknown, string> = new Map([
  ['date-time', '-01-01T12:00:00.000Z'],
  ['date', '-01-01'],
])
/** What is tried of a number, in this order: beyond it, below it, itself. */
export const steps: readonly number[] = [1, -1, 0]

/**
 * Returns the texts of a place that a comparison suggests without naming them: a number where the source text makes one
 * of the place, a date before or behind the one it is compared with.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 * @param schema - The place's schema; a text that does not fit is left out.
 */
export function toTextForms(dictionary: Dictionary, name: string, schema: JsonObject): readonly TextForm[] {
  const { format } = schema
  const forms = memoize(dictionary, { kind: `form of ${String(format)}`, name }, () =>
    [...toNumbers(dictionary, name), ...toDates(dictionary, name, format)].map(toForm),
  )
  return forms.length === 0 ? forms : forms.filter(({ value }) => toFilter(schema, textLimits)(value))
}

function toForm(value: string, key: number): TextForm {
  return { kind: 'length', key, isNear: true, value }
}

function toNumbers(dictionary: Dictionary, name: string): ReadonlySet<string> {
  const near = dictionary.numbers.filter(
    ({ names, isCompared }) => isCompared && names.has(name) && readers.some((reader) => names.has(reader)),
  )
  return new Set(near.flatMap(({ value }) => steps.map((step) => String(value + step))))
}

function toDates(dictionary: Dictionary, name: string, format: unknown): ReadonlySet<string> {
  const rest = dateFormats.get(format)
  const near = rest === undefined ? [] : dictionary.texts.filter((text) => text.isCompared && text.names.has(name))
  const years = near.flatMap(({ value }) => /^\d{4}(?=$|-\d\d)/.exec(value) ?? [])
  return new Set(
    years.flatMap((year) => [1, -1].map((step) => `${String(Number(year) + step).padStart(4, '0')}${rest}`)),
  )
}
