import type { JsonObject } from '@trestle/protocol'

/** The numbers a schema allows: inclusive bounds, and the step, if there is one. */
interface NumberRange {
  readonly low: number
  readonly high: number
  readonly step: number | undefined
}

/**
 * Returns possible numbers: one for display, then the highest and the lowest.
 *
 * @param schema - The schema; bounds, `multipleOf` and `integer` are respected.
 * @param offset - Distinguishes the items of one array; 0 for the first.
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
  // Moves away from an exclusive bound: by a step, by one, or as far as possible.
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

/** Removes rounding errors of fractional steps, such as 0.1. */
function tidy(value: number): number {
  return Number(value.toPrecision(15))
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
