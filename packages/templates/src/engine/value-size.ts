import { isObject } from '@trestle/protocol'

const sizes = new WeakMap<object, number>()

/**
 * Returns the size of a value as text, in characters, without the text: a list that contains another one many times
 * can be far larger than its memory.
 *
 * @param value - A JSON value. Lists and objects must not change afterwards.
 */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 1
  if (!Array.isArray(value) && !isObject(value)) return 1
  const known = sizes.get(value)
  if (known !== undefined) return known
  let size = 1
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item)
  else for (const [key, item] of Object.entries(value)) size += key.length + sizeOf(item)
  sizes.set(value, size)
  return size
}
