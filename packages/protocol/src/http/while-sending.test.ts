import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { toChecks, whileSending } from './while-sending.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const never = new Promise<void>(() => undefined)

function start(received: Promise<unknown>, countParts: () => number, limits = { idleChecks: 3, mostChecks: 10 }) {
  const state = { isOver: false }
  void whileSending(received, countParts, limits).then(() => {
    state.isOver = true
  })
  return state
}

describe('the wait for a caller that is still sending', () => {
  test('ends when everything was received', async () => {
    const state = start(Promise.resolve(), () => 0)
    await vi.advanceTimersByTimeAsync(0)
    expect(state.isOver).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends if receiving fails', async () => {
    const state = start(Promise.reject(new Error('reset')), () => 0)
    await vi.advanceTimersByTimeAsync(0)
    expect(state.isOver).toBe(true)
  })

  test('ends after the allowed number of checks without a new part, and each part restarts the count', async () => {
    let parts = 0
    const state = start(never, () => parts)
    await vi.advanceTimersByTimeAsync(100)
    parts = 1
    await vi.advanceTimersByTimeAsync(150)
    expect(state.isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(50)
    expect(state.isOver).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends at the limit of checks while parts arrive', async () => {
    let parts = 0
    const state = start(never, () => parts++)
    await vi.advanceTimersByTimeAsync(450)
    expect(state.isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(50)
    expect(state.isOver).toBe(true)
  })

  test('does not start without a limit above 0', async () => {
    const state = start(never, () => 0, { idleChecks: 1, mostChecks: toChecks(-5) })
    await vi.advanceTimersByTimeAsync(0)
    expect(state.isOver).toBe(true)
  })
})
