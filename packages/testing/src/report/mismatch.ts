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

/** What decides about matchers that only their test runner understands. */
export type Equals = (actual: unknown, expected: unknown) => boolean

/** How values are compared. */
export interface Comparison {
  /** The runner's own comparison, for matchers that cannot be asked. */
  readonly equals?: Equals | undefined
  /** The way to the value. */
  readonly segments?: readonly PropertyKey[]
}

/**
 * Looks for the first place where a value is not what was expected. Of an object only the expected fields are looked
 * at; of a list, every item. A regular expression is held against texts, and matchers of a test runner
 * (`expect.any(String)`) decide for themselves.
 *
 * @param actual - The value.
 * @param expected - What is expected of it.
 * @param comparison - What decides about a runner's matchers.
 */
export function findMismatch(
  actual: unknown,
  expected: unknown,
  { equals, segments = [] }: Comparison = {},
): Mismatch | undefined {
  if (Object.is(actual, expected)) return undefined
  const mismatch = { path: toPointer(segments), expected, actual }
  if (typeof expected !== 'object' || expected === null) return mismatch
  if (isMatcher(expected)) return expected.asymmetricMatch(actual) ? undefined : mismatch
  if (isPattern(expected)) return typeof actual === 'string' && actual.search(expected) >= 0 ? undefined : mismatch
  if (equals && !isPlain(expected)) return equals(actual, expected) ? undefined : mismatch
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(expected))
    return mismatch
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length) return mismatch
  for (const key of Object.keys(expected)) {
    const value = Object.hasOwn(actual, key) ? Reflect.get(actual, key) : undefined
    const found = findMismatch(value, Reflect.get(expected, key), { equals, segments: [...segments, key] })
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

/** Lists and plain objects; the matchers of some runners are objects of their own kind that tell nothing. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null
}
