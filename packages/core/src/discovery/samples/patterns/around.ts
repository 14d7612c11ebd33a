const steps = [1, -1, 0]

/**
 * Returns what is tried of a number that a condition compares, in this order: beyond it, below it, itself.
 *
 * @param value - The number.
 */
export function around(value: number): readonly number[] {
  return steps.map((step) => value + step)
}
