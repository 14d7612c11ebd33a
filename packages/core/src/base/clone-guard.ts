import { isPlain } from './json.ts'

/** The key under which sample data returns its underlying value. Other data does not have this property. */
export const madeUp: unique symbol = Symbol('made up')

let guards = 0
let original: typeof structuredClone | undefined

/**
 * Lets `structuredClone` copy data that contains sample data, which stays unchanged in the copy. All other values are
 * cloned, or rejected, as usual.
 *
 * @returns A function that ends the guard; when the last guard ends, the original function is restored.
 */
export function guardClones(): () => void {
  if (guards++ === 0) {
    original = globalThis.structuredClone
    globalThis.structuredClone = clone
  }
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    // Keep a replacement that the app has installed in the meantime.
    if (--guards === 0 && original && globalThis.structuredClone === clone) globalThis.structuredClone = original
  }
}

const clone: typeof structuredClone = (value, options) => {
  const native = original ?? structuredClone
  try {
    return native(value, options)
  } catch (error) {
    let isFound = false
    const seen = new Set<unknown>()
    const copy = (inner: unknown): unknown => {
      if (isMadeUp(inner)) {
        isFound = true
        return inner
      }
      // Cyclic values stay unchanged.
      if (seen.has(inner)) return inner
      if (Array.isArray(inner)) return seen.add(inner) && inner.map(copy)
      if (typeof inner !== 'object' || inner === null || !isPlain(inner)) return native(inner)
      seen.add(inner)
      return Object.fromEntries(Object.entries(inner).map(([key, field]) => [key, copy(field)]))
    }
    const copied = copy(value)
    if (!isFound) throw error
    return copied as typeof value
  }
}

/** Returns whether a value is sample data without a schema. */
export function isMadeUp(value: unknown): boolean {
  const mayBe = typeof value === 'function' || (typeof value === 'object' && value !== null)
  return mayBe && (value as { readonly [madeUp]?: unknown })[madeUp] !== undefined
}
