import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTimerQueue, type TimerEntry } from './timer-queue.ts'

const waitMs = 100
type Action =
  | { readonly kind: 'add' }
  | { readonly kind: 'remove'; readonly at: number }
  | { readonly kind: 'pass'; readonly ms: number }

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.constant<Action>({ kind: 'add' }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat(20) }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(150) }),
)

const toEntry = (fire: () => void): TimerEntry => ({ fire, atMs: 0, before: undefined, after: undefined, waits: false })

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe.each([
  ['one timer for all waits', true],
  ['a timer for each', false],
])('%s', (_name, shared) => {
  test('ends each wait once and on time, unless it was removed', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const queue = createTimerQueue(waitMs, shared)
        const waits: { entry: TimerEntry; dueMs: number; firedMs: number[]; removed: boolean }[] = []
        for (const one of actions) {
          if (one.kind === 'pass') vi.advanceTimersByTime(one.ms)
          else if (one.kind === 'add') {
            const wait = { dueMs: performance.now() + waitMs, firedMs: [] as number[], removed: false }
            const entry = toEntry(() => wait.firedMs.push(performance.now()))
            queue.add(entry)
            waits.push(Object.assign(wait, { entry }))
          } else {
            const wait = waits[one.at]
            if (!wait) continue
            wait.removed ||= wait.firedMs.length === 0
            queue.remove(wait.entry)
          }
        }
        vi.advanceTimersByTime(waitMs)
        for (const { dueMs, firedMs, removed } of waits) {
          expect(firedMs).toHaveLength(removed ? 0 : 1)
          for (const atMs of firedMs) expect(Math.abs(atMs - dueMs)).toBeLessThanOrEqual(1)
        }
        expect(vi.getTimerCount()).toBeLessThanOrEqual(shared ? 1 : 0)
      }),
    )
  })
})

test('sets a lost timer again at the next wait', () => {
  const queue = createTimerQueue(waitMs, true)
  const first = vi.fn()
  queue.add(toEntry(first))
  vi.clearAllTimers()
  vi.advanceTimersByTime(200)
  expect(first).not.toHaveBeenCalled()
  queue.add(toEntry(vi.fn()))
  vi.advanceTimersByTime(1)
  expect(first).toHaveBeenCalledTimes(1)
})

test('keeps the process alive only while something waits', () => {
  const calls: string[] = []
  const timer = { ref: () => calls.push('ref'), unref: () => calls.push('unref') }
  vi.stubGlobal('setTimeout', () => timer)
  const queue = createTimerQueue(waitMs, true)
  const [one, two, three] = [toEntry(vi.fn()), toEntry(vi.fn()), toEntry(vi.fn())]
  queue.add(one)
  queue.add(two)
  queue.remove(one)
  expect(calls).toEqual([])
  queue.remove(two)
  queue.remove(two)
  expect(calls).toEqual(['unref'])
  queue.add(three)
  queue.remove(three)
  expect(calls).toEqual(['unref', 'ref', 'unref'])
  vi.unstubAllGlobals()
})
