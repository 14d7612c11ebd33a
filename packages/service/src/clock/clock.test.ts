import { describe, expect, test, vi } from 'vitest'
import { systemClock } from './clock.ts'
import { createManualClock } from './manual-clock.ts'

describe('the clock of the machine', () => {
  test('waits', async () => {
    const startMs = performance.now()
    await systemClock.sleep(60)
    expect(performance.now() - startMs).toBeGreaterThan(50)
  })

  test('ends a wait early, also when its signal was aborted before', async () => {
    const aborted = AbortSignal.abort()
    await systemClock.sleep(60_000, aborted)
    const later = new AbortController()
    setTimeout(() => later.abort(), 20)
    await systemClock.sleep(60_000, later.signal)
  })

  test('waits for nothing that is past', async () => {
    await systemClock.sleep(0)
    await systemClock.sleep(-5)
  })

  test('waits as long as it should where the time is set back meanwhile', async () => {
    const { now } = Date
    const startMs = performance.now()
    const sleep = systemClock.sleep(60)
    const set = vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000)
    await Promise.race([sleep, new Promise((resolve) => setTimeout(resolve, 30_000))])
    set.mockRestore()
    expect(performance.now() - startMs).toBeLessThan(20_000)
  })
})

describe('a clock that is moved by hand', () => {
  test('wakes sleepers in the order of their times', async () => {
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
