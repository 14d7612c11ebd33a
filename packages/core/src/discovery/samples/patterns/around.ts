const beyondFirst = [1, -1, 0]
const itselfFirst = [0, 1, -1]

/**
 * Returns what is tried of a number that a condition compares, in this order: beyond it, below it, itself; or itself first.
 *
 * @param value - The number.
 * @param isExact - Whether it is held against what is the same, and not only against what is smaller or greater.
 */
export function around(value: number, isExact = false): readonly number[] {
  return (isExact ? itselfFirst : beyondFirst).map((step) => value + step)
}
