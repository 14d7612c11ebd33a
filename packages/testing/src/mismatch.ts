import { toPointer } from '@trestle/protocol'

/** Where a value is not what was expected. */
export interface Mismatch {
  /** JSON pointer to the place. */
  readonly path: string
  /** What was expected there. */
  readonly expected: unknown
  /** What is there; `undefined` for nothing. */
  readonly actual: unknown
}

/**
 * Looks for the first place where a value is not what was expected. Of an object only the expected fields are looked
 * at; of a list, every item. A regular expression is held against texts, and matchers of a test runner
 * (`expect.any(String)`) decide for themselves.
 *
 * @param actual - The value.
 * @param expected - What is expected of it.
 * @param segments - The way to the value.
 */
export function findMismatch(
  actual: unknown,
  expected: unknown,
  segments: readonly PropertyKey[] = [],
): Mismatch | undefined {
  if (Object.is(actual, expected)) return undefined
  const mismatch = { path: toPointer(segments), expected, actual }
  if (typeof expected !== 'object' || expected === null) return mismatch
  if (isMatcher(expected)) return expected.asymmetricMatch(actual) ? undefined : mismatch
  if (isPattern(expected)) return typeof actual === 'string' && actual.search(expected) >= 0 ? undefined : mismatch
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(expected))
    return mismatch
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length) return mismatch
  for (const key of Object.keys(expected)) {
    const value = Object.hasOwn(actual, key) ? Reflect.get(actual, key) : undefined
    const found = findMismatch(value, Reflect.get(expected, key), [...segments, key])
    if (found) return found
  }
  return undefined
}

function isMatcher(value: object): value is { asymmetricMatch(actual: unknown): boolean } {
  return typeof Reflect.get(value, 'asymmetricMatch') === 'function'
}

/** Not by its class: a test may run in a realm of its own. */
function isPattern(value: object): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]'
}
