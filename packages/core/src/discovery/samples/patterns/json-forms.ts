import type { Dictionary } from '../../dictionary/dictionary.ts'
import { around } from './around.ts'

/** So many literals are tried as the values of fields. */
const maxValues = 4

/**
 * Returns the texts of a place that is read as JSON: an object with nothing in it, with all fields that are read of it
 * set, and with what they are compared with.
 *
 * @param dictionary - The literals of the source text.
 * @param name - The name under which code reads the place.
 */
export function toJsonTexts({ parsed, texts, numbers }: Dictionary, name: string): readonly string[] {
  const fields = parsed.get(name)
  if (!fields) return []
  const isNear = ({ names }: { readonly names: ReadonlySet<string> }): boolean =>
    [...fields].some((field) => names.has(field))
  const near = numbers.filter(isNear).slice(0, maxValues)
  const values: readonly unknown[] = [
    ...texts
      .filter(isNear)
      .slice(0, maxValues)
      .map(({ value }) => value),
    ...near.flatMap(({ value }) => around(value)),
  ]
  const withAll = (value: unknown): string =>
    JSON.stringify(Object.fromEntries([...fields].map((field) => [field, value])))
  return [...(fields.size > 0 ? [withAll(true)] : []), '{}', ...values.map(withAll)]
}
