import { toPointer } from '@trestle/protocol'

/** A difference between a value and its expectation. */
export interface Mismatch {
  /** JSON pointer to the difference. */
  readonly path: string
  /** The expected value; `undefined` if none is expected. */
  readonly expected: unknown
  /** The actual value; `undefined` if it is missing. */
  readonly actual: unknown
}

/** A test runner's comparison, for matchers that only the runner understands. */
export type Equals = (actual: unknown, expected: unknown) => boolean

/** The rules of a comparison, in addition to the traversal of two values. */
export interface Comparison {
  /** Compares a pair of values; `undefined` continues with their fields. */
  readonly decide?: (actual: unknown, expected: unknown) => boolean | undefined
  /** Returns which fields of an expected object to compare, and whether extra fields are an error. */
  readonly fieldsOf: (expected: object) => { readonly fields: object; readonly exact: boolean }
}

/**
 * Finds the first difference between a value and its expectation. In an object only the expected fields are compared;
 * in a list, every item. Regular expressions are matched against strings; matchers of a test runner
 * (`expect.any(String)`) compare themselves.
 *
 * @param equals - The comparison of the runner, for matchers that cannot be called directly.
 */
export function findMismatch(actual: unknown, expected: unknown, equals?: Equals): Mismatch | undefined {
  const decide = (value: unknown, wanted: unknown): boolean | undefined => {
    if (typeof wanted !== 'object' || wanted === null) return undefined
    if (isMatcher(wanted)) return wanted.asymmetricMatch(value)
    if (isPattern(wanted)) return typeof value === 'string' && value.search(wanted) >= 0
    return equals && !isPlain(wanted) ? equals(value, wanted) : undefined
  }
  return compare(actual, expected, { decide, fieldsOf: (fields) => ({ fields, exact: false }) })
}

/** Finds the first difference between two JSON values, independent of key order. */
export function findDifference(actual: unknown, expected: unknown): Mismatch | undefined {
  return compare(actual, expected, { fieldsOf: (fields) => ({ fields, exact: true }) })
}

/** Walks through two values in parallel, up to the first difference. Lists must have the same length. */
export function compare(actual: unknown, expected: unknown, comparison: Comparison): Mismatch | undefined {
  return walk({ actual, expected, path: '' }, comparison)
}

function walk(pair: Mismatch, comparison: Comparison): Mismatch | undefined {
  const { actual, expected, path } = pair
  if (Object.is(actual, expected)) return undefined
  const decided = comparison.decide?.(actual, expected)
  if (decided !== undefined) return decided ? undefined : pair
  if (!isTree(expected)) return pair
  const { fields, exact } = Array.isArray(expected) ? { fields: expected, exact: true } : comparison.fieldsOf(expected)
  if (!isTree(actual) || Array.isArray(actual) !== Array.isArray(fields)) return pair
  for (const key of new Set([...Object.keys(fields), ...(exact ? Object.keys(actual) : [])])) {
    const next = { actual: fieldOf(actual, key), expected: fieldOf(fields, key), path: path + toPointer([key]) }
    const mismatch = walk(next, comparison)
    if (mismatch) return mismatch
  }
  return undefined
}

function fieldOf(owner: object, key: string): unknown {
  return Object.hasOwn(owner, key) ? Reflect.get(owner, key) : undefined
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isMatcher(value: object): value is { asymmetricMatch(actual: unknown): boolean } {
  return typeof Reflect.get(value, 'asymmetricMatch') === 'function'
}

/** Does not use `instanceof`, because a test can run in another realm. */
function isPattern(value: object): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]'
}

/** Returns whether a value is a list or a plain object, not a matcher; a matcher may have no visible properties. */
export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  if (isMatcher(value)) return false
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null
}
