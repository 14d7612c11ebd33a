import { isObject } from '../../base/json.ts'

/**
 * Lays given data over sample data, field by field; lists and simple values are taken whole. Neither is changed.
 *
 * @param sample - The sample.
 * @param given - What is known; `undefined` for nothing.
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
