/**
 * Returns whether two values are equal JSON data; a `Date` and its text are different.
 *
 * @param left - The first value.
 * @param right - The second value.
 */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return false
  return keys.every((key) => Object.hasOwn(right, key) && isSameJson(Reflect.get(left, key), Reflect.get(right, key)))
}
