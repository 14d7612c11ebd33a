import type { Literal } from '../../dictionary/tokens/surroundings.ts'

const beyondFirst = [1, -1, 0]
const itselfFirst = [0, 1, -1]

/**
 * Returns what is tried of a number that a condition compares, in this order: beyond it, below it, itself; or itself first.
 *
 * @param value - The number.
 * @param isExact - Whether it is held against what is the same, and not only against what is smaller or greater.
 * @param step - How far beyond it, and below. @default 1
 */
export function around(value: number, isExact = false, step = 1): readonly number[] {
  return (isExact ? itselfFirst : beyondFirst).map((steps) => value + steps * step)
}

/**
 * Returns what is tried of a literal, see {@link around}. Of what is worked out, as of `count * 4 > 10`, nothing may be whole:
 * then whole numbers are tried, too.
 *
 * @param literal - The number, and how it is compared.
 */
export function aroundLiteral({ value, isOrdered, step }: Literal<number>): readonly number[] {
  const near = around(value, !isOrdered, step)
  return step === undefined || near.every(Number.isInteger) ? near : [...near, ...around(Math.ceil(value))]
}
