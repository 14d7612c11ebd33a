import type { Narrowing } from './narrowing.ts'
import { type Comparison, narrowing, type SchemaObject } from './schema-pair.ts'

/** Size keywords by the type they apply to, with their descriptions. */
const sizes = {
  string: { lower: 'minLength', upper: 'maxLength', what: 'the length' },
  array: { lower: 'minItems', upper: 'maxItems', what: 'the number of items' },
  object: { lower: 'minProperties', upper: 'maxProperties', what: 'the number of fields' },
} as const

/**
 * Returns the paths at which a size has a tighter bound than before.
 *
 * @param place - The comparison, and the name of the size.
 */
export function compareSizes(
  before: SchemaObject,
  after: SchemaObject,
  { at, type }: { readonly at: Comparison; readonly type: keyof typeof sizes },
): readonly Narrowing[] {
  const { lower, upper, what } = sizes[type]
  const required = type === 'object' && Array.isArray(before['required']) ? before['required'].length : 0
  const least = Math.max(toNumber(before[lower]) ?? 0, required)
  const [leastNow, mostNow] = [toNumber(after[lower]) ?? 0, toNumber(after[upper]) ?? Number.POSITIVE_INFINITY]
  const most = toNumber(before[upper]) ?? Number.POSITIVE_INFINITY
  return [
    ...(leastNow > least ? narrowing(at, `${what} must now be ${leastNow} or more, not ${least}`) : []),
    ...(mostNow < most ? narrowing(at, `${what} must now be ${mostNow} or less${words(most)}`) : []),
  ]
}

/**
 * Returns the paths at which numbers have a tighter bound than before.
 *
 * @param place - The comparison, and whether only integers were accepted.
 */
export function compareNumbers(
  before: SchemaObject,
  after: SchemaObject,
  { at, isWhole }: { readonly at: Comparison; readonly isWhole: boolean },
): readonly Narrowing[] {
  const narrowings: Narrowing[] = []
  for (const side of ['Minimum', 'Maximum'] as const) {
    const [was, is] = [readBound(before, side), readBound(after, side)]
    const sign = side === 'Minimum' ? 1 : -1
    const isTighter =
      sign * (is.value - was.value) > 0 || (is.value === was.value && is.isExclusive && !was.isExclusive)
    if (isTighter && Number.isFinite(is.value))
      narrowings.push(
        ...narrowing(
          at,
          `the ${side.toLowerCase()} is now ${is.value}${is.isExclusive ? ' (exclusive)' : ''}${words(was.value)}`,
        ),
      )
  }
  const step = toNumber(after['multipleOf'])
  if (step === undefined) return narrowings
  const steps = [toNumber(before['multipleOf']), ...(isWhole ? [1] : [])].filter((one) => one !== undefined)
  // Dividing fractions is not exact; only integer steps, or equal steps, are conclusive.
  const isImplied = steps.some(
    (one) => one === step || (Number.isInteger(one) && Number.isInteger(step) && one % step === 0),
  )
  return isImplied ? narrowings : [...narrowings, ...narrowing(at, `numbers must now be multiples of ${step}`)]
}

/** Returns the tighter of the two forms of a bound. */
function readBound(schema: SchemaObject, side: 'Minimum' | 'Maximum'): { value: number; isExclusive: boolean } {
  const sign = side === 'Minimum' ? 1 : -1
  const none = -sign * Number.POSITIVE_INFINITY
  const plain = toNumber(schema[side.toLowerCase()]) ?? none
  const strict = toNumber(schema[`exclusive${side}`]) ?? none
  return sign * (strict - plain) >= 0 && Number.isFinite(strict)
    ? { value: strict, isExclusive: true }
    : { value: plain, isExclusive: false }
}

const toNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const words = (value: number): string => (Number.isFinite(value) ? `, not ${value}` : '')
