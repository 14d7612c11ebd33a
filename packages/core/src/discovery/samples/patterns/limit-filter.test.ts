import { expect, test } from 'vitest'
import { toFilter } from './limit-filter.ts'

// The library that knows the formats is loaded by the first check; until it is there a rough form stands in.
test.each([
  ['email', 'ada@example.com', 'ada'],
  ['uri', 'https://example.com', 'example'],
  ['uuid', '3f2b6c1e-8d4a-4b7f-9a51-0c2d3e4f5a6b', '3f2b'],
  ['date', '2026-11-22', 'today'],
  ['ipv4', '192.0.2.1', '192'],
])('texts of the format %s are told from others at the first check', (format, right, wrong) => {
  const fits = toFilter({ type: 'string', format, minLength: 4 }, ['format', 'minLength'])
  expect([fits(right), fits(wrong), fits('')]).toEqual([true, false, false])
})
