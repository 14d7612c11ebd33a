const dayMs = 86_400_000
const unitMs: Readonly<Record<string, number>> = {
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: dayMs,
  weeks: 7 * dayMs,
}

/** The latest time that a JavaScript date can represent, in milliseconds since 1970. */
const lastMs = 8_640_000_000_000_000

/**
 * Adds a duration to a time. A month is a calendar month in UTC, limited to the month's last day; for fractions, a
 * month has 30 days.
 *
 * @param fromMs - The start, milliseconds since 1970.
 * @param unit - `seconds`, `minutes`, `hours`, `days`, `weeks` or `months`.
 * @returns Whole milliseconds since 1970; `undefined` if the unit is unknown, the amount is not a number of 0 or more,
 * or the result is too late for a date.
 */
export function addTime(fromMs: number, amount: unknown, unit: unknown): number | undefined {
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0 || typeof unit !== 'string') return undefined
  const endMs = unit === 'months' ? addMonths(fromMs, amount) : addUnits(fromMs, amount, unit)
  return endMs !== undefined && endMs <= lastMs ? Math.round(endMs) : undefined
}

function addUnits(fromMs: number, amount: number, unit: string): number | undefined {
  return Object.hasOwn(unitMs, unit) ? fromMs + amount * (unitMs[unit] ?? 0) : undefined
}

function addMonths(fromMs: number, amount: number): number | undefined {
  const months = Math.trunc(amount)
  const at = new Date(fromMs)
  const day = at.getUTCDate()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  at.setUTCDate(Math.min(day, lastDay))
  const endMs = at.getTime() + (amount - months) * 30 * dayMs
  return Number.isNaN(endMs) ? undefined : endMs
}
