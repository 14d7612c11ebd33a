import { afterEach, expect, test, vi } from 'vitest'
import { processorMs } from '../../../../test/processor-time.ts'
import { queryTime } from './query-fields.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each(['UTC', 'America/New_York', 'Asia/Tokyo'])(
  'parses a time in its own zone, or in UTC without one, on a machine in %s',
  (zone) => {
    vi.stubEnv('TZ', zone)
    // The default would be the time zone of the machine.
    const offset = new Date('2026-01-01T00:00:00').getTimezoneOffset()
    expect(offset).toBe({ 'America/New_York': 300, 'Asia/Tokyo': -540 }[zone] ?? 0)
    const midnight = Date.UTC(2026, 0, 1)
    const same = [
      '2026-01-01',
      '2026-01-01T00:00:00',
      '2026-01-01T00:00',
      '2026-01-01T00:00:00Z',
      '2026-01-01T01:00:00+01:00',
      '2025-12-31T19:00:00.000-0500',
    ]
    for (const text of same) expect([text, queryTime().parse(text)]).toEqual([text, midnight])
  },
)

test('rejects a long text quickly', () => {
  const startMs = processorMs()
  expect(queryTime().safeParse('T'.repeat(100_000)).success).toBe(false)
  expect(processorMs() - startMs).toBeLessThan(1000)
})
