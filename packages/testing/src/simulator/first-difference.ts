import { toPointer } from '@trestle/protocol'

/** The first place where two values differ. */
export interface Difference {
  /** JSON pointer to the place. */
  readonly path: string
  /** What was there first; `undefined` for nothing. */
  readonly first: unknown
  /** What was there the second time. */
  readonly second: unknown
}

/**
 * Finds the first place where two JSON values differ; the order of keys is no difference.
 *
 * @param first - A value.
 * @param second - Another.
 * @param segments - The way to them.
 */
export function findDifference(
  first: unknown,
  second: unknown,
  segments: readonly PropertyKey[] = [],
): Difference | undefined {
  if (Object.is(first, second)) return undefined
  if (!isTree(first) || !isTree(second) || Array.isArray(first) !== Array.isArray(second))
    return { path: toPointer(segments), first, second }
  for (const key of new Set([...Object.keys(first), ...Object.keys(second)])) {
    const found = findDifference(Reflect.get(first, key), Reflect.get(second, key), [...segments, key])
    if (found) return found
  }
  return undefined
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
