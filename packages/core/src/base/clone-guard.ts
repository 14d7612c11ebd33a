import { isPlain } from './json.ts'

/** Asked of data that is made up and answers whatever is asked, gives what is behind it; other data has no such property. */
export const madeUp: unique symbol = Symbol('made up')

let guards = 0
let original: typeof structuredClone | undefined

/**
 * Lets `structuredClone` copy what holds made-up data, which it cannot copy by itself: that stays as it is. Everything else
 * is copied, or refused, as always.
 *
 * @returns Ends the guard; behind the last one all is as it was before.
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
    // What the app has put there in the meantime is its own.
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
      // What refers back to itself stays as it is.
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

function isMadeUp(value: unknown): boolean {
  const mayBe = typeof value === 'function' || (typeof value === 'object' && value !== null)
  return mayBe && (value as { readonly [madeUp]?: unknown })[madeUp] !== undefined
}
