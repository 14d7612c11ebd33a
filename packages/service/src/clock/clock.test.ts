import { describe, expect, test, vi } from 'vitest'
import { systemClock } from './clock.ts'
import { createManualClock } from './manual-clock.ts'

describe('system clock', () => {
  test('waits', async () => {
    const startMs = performance.now()
    await systemClock.sleep(60)
    expect(performance.now() - startMs).toBeGreaterThan(50)
  })

  test('ends a wait early, even if the signal has already aborted', async () => {
    const aborted = AbortSignal.abort()
    await systemClock.sleep(60_000, aborted)
    const later = new AbortController()
    setTimeout(() => later.abort(), 20)
    await systemClock.sleep(60_000, later.signal)
  })

  test('does not wait for a time in the past', async () => {
    await systemClock.sleep(0)
    await systemClock.sleep(-5)
  })

  test('waits for the full duration if the time is set back', async () => {
    const { now } = Date
    const startMs = performance.now()
    const sleep = systemClock.sleep(60)
    const set = vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000)
    await Promise.race([sleep, new Promise((resolve) => setTimeout(resolve, 30_000))])
    set.mockRestore()
    expect(performance.now() - startMs).toBeLessThan(20_000)
  })
})

describe('manual clock', () => {
  test('wakes sleepers in time order', async () => {
    const clock = createManualClock(1000)
    const woken: string[] = []
    const sleeps = [
      clock.sleep(20).then(() => woken.push('b')),
      clock.sleep(10).then(() => woken.push('a')),
      clock.sleep(40).then(() => woken.push('c')),
    ]
    clock.advance(9)
    await Promise.resolve()
    expect(woken).toEqual([])
    clock.advance(11)
    await Promise.all(sleeps.slice(0, 2))
    expect(woken).toEqual(['a', 'b'])
    expect(clock.now()).toBe(1020)
    clock.advance(1000)
    await sleeps[2]
  })

  test('ends a wait early', async () => {
    const clock = createManualClock()
    const controller = new AbortController()
    const sleep = clock.sleep(10, controller.signal)
    controller.abort()
    await sleep
    await clock.sleep(10, controller.signal)
  })
})
