const sizes = new WeakMap<object, number>()

/** Smaller values are counted again, because a cache entry would need more memory than the value. */
const minCachedSize = 16

/**
 * Returns the size of a value as text, in characters, without the text: a list that contains another one many times
 * can be far larger than its memory.
 *
 * @param value - A JSON value. Lists and objects must not change afterwards.
 * @param max - Counting stops at the first size above it, which is then returned.
 * @example
 * sizeOf(['a', 7], 100) // 4
 */
export function sizeOf(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length + 1
  if (typeof value !== 'object' || value === null) return 1
  const cachedSize = sizes.get(value)
  if (cachedSize !== undefined) return cachedSize
  let size = 1
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && size <= max; index++) size += sizeOf(value[index], max - size)
  } else {
    for (const [key, item] of Object.entries(value)) {
      if (size > max) break
      size += key.length + sizeOf(item, max - size)
    }
  }
  if (size >= minCachedSize && size <= max) sizes.set(value, size)
  return size
}
