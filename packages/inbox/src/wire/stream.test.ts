import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createScene, online, ready, settled, subjects, within } from '../../fixtures/inbox-scene.ts'
import type { InboxApi } from './api.ts'
import { keepStream } from './stream.ts'

describe('events', () => {
  const scene = createScene()

  test('refetches the messages after an event that is too long, and continues after it', async () => {
    const inbox = scene.open()
    const list = inbox.list()
    await ready(list)
    await online(inbox)
    await settled()
    scene.server.add({ body: 'x'.repeat(1_100_000) })
    await expect.poll(() => subjects(list), within).toEqual(['Message 1'])
    scene.server.add()
    await expect.poll(() => subjects(list), within).toEqual(['Message 2', 'Message 1'])
    await settled()
    expect(scene.server.requests.filter((line) => line === 'GET /events')).toHaveLength(2)
  })
})

describe('attempts', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Returns the number of connections within a minute if each ends after a time. */
  async function countAttempts(lifeMs: number, text: string): Promise<number> {
    const ending = new AbortController()
    const fetch = vi.fn(async () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text))
          setTimeout(() => controller.close(), lifeMs)
        },
      })
      return new Response(body)
    })
    const api: InboxApi = { fetch, call: () => Promise.reject(new Error('not expected')) }
    const handlers = { onOpen: () => undefined, onEvent: () => undefined, onLost: () => undefined }
    const done = keepStream(api, handlers, ending.signal)
    await vi.advanceTimersByTimeAsync(60_000)
    const attempts = fetch.mock.calls.length
    ending.abort()
    await vi.advanceTimersByTimeAsync(lifeMs)
    await done
    return attempts
  }

  test('waits longer before each attempt if streams end at once', async () => {
    expect(await countAttempts(0, ': open\n\n')).toBeLessThan(12)
  })

  test('reconnects soon after a stream that was open for some seconds', async () => {
    expect(await countAttempts(6000, ': open\n\n')).toBeGreaterThan(8)
  })

  test('reconnects soon after a stream that has delivered an event', async () => {
    expect(await countAttempts(0, 'id: 1\ndata: {}\n\n')).toBeGreaterThan(50)
  })
})
