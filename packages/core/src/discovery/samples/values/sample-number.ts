import type { JsonObject } from '@trestle/protocol'

/** The numbers a schema allows: ends included, and the step between two of them where there is one. */
interface NumberRange {
  readonly low: number
  readonly high: number
  readonly step: number | undefined
}

/**
 * Returns the numbers a place can have: one to show, the highest and the lowest.
 *
 * @param schema - The place's schema; bounds, `multipleOf` and `integer` are heeded.
 * @param offset - Tells the items of one array apart; 0 for the first.
 */
export function toSampleNumbers(schema: JsonObject, offset: number): number[] {
  const range = toRange(schema)
  const high = range.high === Number.POSITIVE_INFINITY ? 1e6 : range.high
  const low = range.low === Number.NEGATIVE_INFINITY ? 0 : range.low
  return [...new Set([1 + offset, high, low].map((wanted) => fit(wanted, range)))]
}

function toRange(schema: JsonObject): NumberRange {
  const { type, multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : type === 'integer' ? 1 : undefined
  const lows = [numberOf(minimum), numberOf(exclusiveMinimum)].filter((bound) => bound !== undefined)
  const highs = [numberOf(maximum), numberOf(exclusiveMaximum)].filter((bound) => bound !== undefined)
  const low = Math.max(Number.NEGATIVE_INFINITY, ...lows)
  const high = Math.min(Number.POSITIVE_INFINITY, ...highs)
  // Away from a bound that is not allowed itself: by a step, by one, or by as much as there is room for.
  const room = step ?? Math.min(1, (high - low) / 4)
  return {
    low: low === exclusiveMinimum ? low + room : low,
    high: high === exclusiveMaximum ? high - room : high,
    step,
  }
}

function fit(wanted: number, { low, high, step }: NumberRange): number {
  const within = Math.min(Math.max(wanted, low), high)
  if (step === undefined) return within
  const raised = tidy(Math.ceil(within / step) * step)
  return raised > high ? tidy(Math.floor(high / step) * step) : raised
}

/** Without the last digits that counting in steps like 0.1 leaves behind. */
function tidy(value: number): number {
  return Number(value.toPrecision(15))
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
