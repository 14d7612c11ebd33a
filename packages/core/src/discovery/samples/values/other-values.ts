import { isObject } from '../../../base/json.ts'

const texts: readonly string[] = [
  ...['2100-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', '2100-01-01', '1', '100', '12:00:00', '{}', '[]', 'true'],
  ...['https://example.com/', 'user@example.com', '+15550100', '00000000-0000-4000-8000-000000000001', 'aA1!aaaa'],
]
const numbers: readonly number[] = [0, 2, 3, 10, 100, 1000, 1e6, -1, 0.5, Date.UTC(2100, 0)]
const lengths: readonly number[] = [3, 1, 5, 10, 0]
const maxFields = 50
const dayMs = 86_400_000

/**
 * Returns what may stand in a sample where its own value does not fit, the likeliest first; few of each type.
 *
 * @param value - The sample's own value, plain data.
 */
export function toOtherValues(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [value.toUpperCase(), value.toLowerCase(), ...texts, value.padEnd(40, 'x')]
  if (typeof value === 'number') return [...numbers, String(value)]
  if (typeof value === 'boolean') return [!value]
  if (Array.isArray(value)) return lengths.map((length) => toLength(value, length))
  if (!isObject(value)) return []
  const [same, first] = [toSameTexts(value), value]
  return [toOrdered(first, 1), toOrdered(first, -1), same, toOrdered(same, 1)]
}

function toLength(list: readonly unknown[], length: number): unknown[] {
  return Array.from({ length: list.length === 0 ? 0 : length }, (_, index) => {
    const own = list[Math.min(index, list.length - 1)]
    return index >= list.length && typeof own === 'string' ? `${own}-${index + 1}` : own
  })
}

/** Numbers and dates in the order of their fields, upwards or downwards: a rule for an object often compares two. */
function toOrdered(value: object, direction: number): object {
  const fields = Object.entries(value)
  const shift = (index: number): number => (direction > 0 ? index : Math.min(fields.length, maxFields) - index)
  return Object.fromEntries(
    fields.map(([name, field], index) => {
      const by = index < maxFields ? shift(index) : 0
      if (typeof field === 'number') return [name, field + by]
      const atMs = typeof field === 'string' && /^\d{4}-\d\d-\d\d/.test(field) ? Date.parse(field) : Number.NaN
      if (Number.isNaN(atMs)) return [name, field]
      return [name, new Date(atMs + by * dayMs).toISOString().slice(0, String(field).length)]
    }),
  )
}

/** The same text in all fields: a password and its repetition. */
function toSameTexts(value: object): object {
  const first = Object.values(value).find((field) => typeof field === 'string')
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, typeof field === 'string' ? first : field]),
  )
}
