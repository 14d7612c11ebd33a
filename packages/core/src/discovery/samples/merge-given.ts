import { isObject } from '@trestle/protocol'

/**
 * Merges given data into sample data, field by field; lists and simple values are replaced. Neither input is modified.
 *
 * @param sample - The sample data to merge into.
 * @param given - The known data; `undefined` for none.
 */
export function mergeGiven(sample: unknown, given: unknown): unknown {
  if (given === undefined) return sample
  if (!isObject(sample) || !isObject(given)) return given
  const merged: Record<string, unknown> = { ...sample, ...given }
  for (const key of Object.keys(given)) {
    const value = given[key]
    if ((value === undefined || isObject(value)) && Object.hasOwn(sample, key))
      merged[key] = mergeGiven(sample[key], value)
  }
  return merged
}
