import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRefetcher } from './refetch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('fetches once for concurrent changes', async () => {
  const rounds: (readonly string[])[] = []
  const again = createRefetcher(async (paths) => void rounds.push(paths))
  again.touch(['/runs', '/outbox'])
  again.touch(['/runs'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(rounds).toEqual([['/runs', '/outbox']])
})

test('does not interrupt a fetch for further changes, and fetches the last one too', async () => {
  let began = 0
  let ended = 0
  const again = createRefetcher(async () => {
    began += 1
    expect(began).toBe(ended + 1)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    ended += 1
  })
  for (let passed = 0; passed < 5000; passed += 50) {
    again.touch(['/runs'])
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(ended).toBeGreaterThanOrEqual(4)
  const before = began
  await vi.advanceTimersByTimeAsync(5000)
  expect(began).toBe(before + 1)
  expect(ended).toBe(began)
})

test('fetches nothing after its end', async () => {
  let began = 0
  const again = createRefetcher(async () => {
    began += 1
  })
  again.touch(['/a'])
  again.end()
  again.touch(['/b'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(began).toBe(0)
})
