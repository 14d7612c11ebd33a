import { expect, test } from 'vitest'
import { toSpans, unitOf } from './spans.ts'
import { scanTokens } from './tokens/scan-tokens.ts'

const dayMs = 86_400_000

test.each([
  ['5 * 60 * 1000', [], [300_000]],
  ['x / 1000 / 60 / 60', [3_600_000], [3_600_000]],
  ['a < 5 * 60 * 1000 && b < 14 * 864e5', [], [300_000, 14 * dayMs]],
  ['differenceInDays(a, b)', [dayMs], []],
  ['a.getFullYear() - b.getFullYear()', [365.25 * dayMs], []],
  ['payload.total > 250', [], []],
])('%s reckons with time', (source, units, lengths) => {
  expect(toSpans(scanTokens(source))).toEqual({ units, lengths })
})

test.each([
  [[], 14 * dayMs, 7 * dayMs],
  [[dayMs], 14 * dayMs, dayMs],
  [[], 90_000, 1000],
])('with the units %s, %s milliseconds are told in units of %s', (units, ms, unit) => {
  expect(unitOf({ units, lengths: [] }, ms)).toBe(unit)
})
