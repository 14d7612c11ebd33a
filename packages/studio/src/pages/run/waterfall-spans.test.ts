import { expect, test } from 'vitest'
import type { BridgeCall, WholeRun, WholeStep } from '../../api/generated/resources.ts'
import { toScale, toSpans } from './waterfall-spans.ts'

const startMs = Date.parse('2026-01-01T00:00:00.000Z')
const at = (ms: number): string => new Date(startMs + ms).toISOString()
const step = (id: string, wave: number, more: Partial<WholeStep>): WholeStep =>
  ({ _id: id, stepId: id, wave, createdAt: at(0), calledAt: null, endedAt: null, dueAt: null, ...more }) as WholeStep
const call = (job: string, ms: number, durationMs: number, status = 200): BridgeCall =>
  ({ _jobId: job, createdAt: at(ms), durationMs, status }) as BridgeCall

const run = {
  createdAt: at(0),
  steps: [
    step('tell', 0, { calledAt: at(10), endedAt: at(100) }),
    step('wait', 1, { calledAt: at(100), dueAt: at(3_600_200) }),
    step('mail', 2, {}),
  ],
  calls: [call('tell', 10, 30, 500), call('tell', 60, 20), call('wait', 100, 100)],
} as unknown as WholeRun

test('shows a step as queued, called again after a failure, then sending or waiting', () => {
  const spans = toSpans(run, startMs + 1000).map((one) =>
    one.spans.map(({ kind, startMs: from, endMs, isBad }) => [kind, from - startMs, endMs - startMs, isBad ?? false]),
  )
  expect(spans).toEqual([
    [
      ['queue', 0, 10, false],
      ['call', 10, 40, true],
      ['retry', 40, 60, false],
      ['call', 60, 80, false],
      ['send', 80, 100, false],
    ],
    [
      ['call', 100, 200, false],
      ['wait', 200, 3_600_200, false],
    ],
    [],
  ])
})

test('shows a step that awaits the runs that it triggered as waiting until now', () => {
  const awaiting = step('children', 0, { type: 'trigger', calledAt: at(0) })
  const [one] = toSpans({ ...run, steps: [awaiting], calls: [call('children', 0, 30)] }, startMs + 100)
  expect(one?.spans.map(({ kind, endMs }) => [kind, endMs - startMs])).toEqual([
    ['call', 30],
    ['wait', 100],
  ])
})

test('shows the wait before a retry, and what follows the last attempt', () => {
  const kindsOf = (more: Partial<WholeStep>) => {
    const retried = step('mail', 0, { calledAt: at(0), ...more })
    const [one] = toSpans(
      { ...run, steps: [retried], calls: [call('mail', 0, 30, 500), ...(more.endedAt ? [call('mail', 500, 20)] : [])] },
      startMs + 100,
    )
    return one?.spans.map(({ kind, endMs }) => [kind, endMs - startMs])
  }
  expect(kindsOf({ stage: 'retrying', dueAt: at(500) })).toEqual([
    ['call', 30],
    ['retry', 500],
  ])
  expect(kindsOf({ stage: null, dueAt: at(500), endedAt: at(540) })).toEqual([
    ['call', 30],
    ['retry', 500],
    ['call', 520],
    ['send', 540],
  ])
})

test('draws an hour of waiting at most half as long as the rest, and marks it', () => {
  const scale = toScale(toSpans(run, startMs + 1000))
  expect(scale.place(startMs)).toBe(0)
  expect(scale.place(startMs + 3_600_200)).toBe(1)
  expect(scale.cuts.map(({ ms }) => ms)).toEqual([3_600_000])
  // 180 ms of work, 20 ms between two calls, and the wait shortened to 90 ms.
  expect(scale.place(startMs + 200)).toBeCloseTo(200 / 290)
})
