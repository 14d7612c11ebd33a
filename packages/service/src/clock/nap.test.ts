import { expect, it } from 'vitest'
import { nap } from './nap.ts'

const longMs = 60_000

it('ends when woken, without leaving timers or listeners behind', async () => {
  const waiting = new Set<() => void>()
  const ended = nap(waiting, longMs, new AbortController().signal)
  expect(waiting.size).toBe(1)
  for (const end of waiting) end()
  await ended
  expect(waiting.size).toBe(0)
})

it('ends when the signal aborts, and does not start if it already has', async () => {
  const waiting = new Set<() => void>()
  const controller = new AbortController()
  const ended = nap(waiting, longMs, controller.signal)
  controller.abort()
  await ended
  await nap(waiting, longMs, controller.signal)
  expect(waiting.size).toBe(0)
})

it('ends after its duration', async () => {
  const waiting = new Set<() => void>()
  await nap(waiting, 1, new AbortController().signal)
  expect(waiting.size).toBe(0)
})
