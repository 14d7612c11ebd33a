import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { workflow } from '../workflow/workflow.ts'
import { createBridge } from './create-bridge.ts'
import { openWebBody, readWebStream } from './web-stream.ts'

const piece = new Uint8Array(1000)
const maxTaken = 200_000

/** A stream of chunks that counts its reads; if it does not end, it stays idle after the last chunk. */
function createSource(pieces: number, { ends = true } = {}) {
  const seen = { taken: 0, cancelled: false }
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (seen.taken < pieces) {
          seen.taken++
          controller.enqueue(piece)
        } else if (ends) controller.close()
        else await new Promise(() => undefined)
      },
      cancel() {
        seen.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { seen, stream }
}

function toRequest(body: ReadableStream<Uint8Array> | null, headers: Record<string, string> = {}): Request {
  const method = body ? 'POST' : 'GET'
  return new Request('http://a/?action=execute', { method, body, headers, duplex: 'half' } as RequestInit)
}

// A bridge has no other timer.
const timeoutMs = 100
const options = { workflows: [workflow('w', () => {})], secretKey: 'sk', strictAuthentication: true, timeoutMs }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the rest of a body when its call is answered', () => {
  test('is discarded if the call was rejected unread, without leaving listeners behind', async () => {
    const { seen, stream } = createSource(50)
    const { status } = await createBridge(options).fetch(toRequest(stream))
    await vi.advanceTimersByTimeAsync(timeoutMs)
    expect([status, seen]).toEqual([401, { taken: 50, cancelled: false }])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is discarded if it is over the limit', async () => {
    const { seen, stream } = createSource(50)
    await expect(readWebStream(stream, 3000)).rejects.toMatchObject({ code: 'PayloadTooLarge' })
    await vi.advanceTimersByTimeAsync(10)
    expect(seen).toEqual({ taken: 50, cancelled: false })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is cut off after a second if it does not end', async () => {
    const { seen, stream } = createSource(5, { ends: false })
    const answering = createBridge(options).fetch(toRequest(stream))
    await vi.advanceTimersByTimeAsync(999)
    expect(seen).toEqual({ taken: 5, cancelled: false })
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.cancelled).toBe(true)
    expect((await answering).status).toBe(401)
  })

  test('is cut off after a second if the call ended at its deadline', async () => {
    const { seen, stream } = createSource(5, { ends: false })
    const answering = createBridge(options).fetch(
      toRequest(stream, { 'service-signature': `t=${Date.now()},v1=${'a'.repeat(64)}` }),
    )
    await vi.advanceTimersByTimeAsync(timeoutMs)
    expect(seen.cancelled).toBe(false)
    // The response is delayed by a second from the start of the call, not from the deadline.
    await vi.advanceTimersByTimeAsync(1000 - timeoutMs)
    expect((await answering).status).toBe(401)
    await vi.advanceTimersByTimeAsync(timeoutMs)
    expect(seen.cancelled).toBe(true)
  })

  test('is not touched if there is none, or if other code reads it', async () => {
    openWebBody(null).release()
    const { seen, stream } = createSource(5)
    const reader = stream.getReader()
    openWebBody(stream).release()
    await vi.advanceTimersByTimeAsync(2000)
    expect(seen).toEqual({ taken: 0, cancelled: false })
    expect((await reader.read()).value).toBe(piece)
    expect((await createBridge(options).fetch(toRequest(null))).status).toBe(401)
    await vi.advanceTimersByTimeAsync(timeoutMs)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('can fail while it is discarded', async () => {
    const stream = new ReadableStream<Uint8Array>({ pull: () => Promise.reject(new Error('gone')) })
    expect((await createBridge(options).fetch(toRequest(stream))).status).toBe(401)
    await vi.advanceTimersByTimeAsync(timeoutMs)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('does not block other work if its stream is always ready', async () => {
    vi.useRealTimers()
    const endless = createEndless(piece)
    const answering = createBridge(options).fetch(toRequest(endless.stream))
    await new Promise((resolve) => setTimeout(resolve, 0))
    const before = endless.taken
    await new Promise((resolve) => setTimeout(resolve, 0))
    endless.end()
    const { status } = await answering
    expect([status, endless.taken > before, endless.taken < maxTaken]).toEqual([401, true, true])
  })
})

test('a stream of empty chunks does not block other work', async () => {
  vi.useRealTimers()
  const { stream, end } = createEndless(new Uint8Array(0))
  setTimeout(end, 0)
  await expect(readWebStream(stream, 1000)).resolves.toHaveLength(0)
})

test('a body of too many small chunks is rejected before it fills the memory', async () => {
  const source = (bytes: number, count: number) => {
    let left = count
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left-- > 0) controller.enqueue(new Uint8Array(bytes))
        else controller.close()
      },
    })
  }
  vi.useRealTimers()
  await expect(readWebStream(source(1, 20_000), 1_000_000)).rejects.toMatchObject({
    code: 'PayloadTooLarge',
    message: expect.stringContaining('too many small chunks'),
  })
  await expect(readWebStream(source(64, 20_000), 2_000_000)).resolves.toHaveLength(1_280_000)
})

/** Creates a stream whose next chunk is always ready until it ends. It fails if no other code gets a turn. */
function createEndless(next: Uint8Array<ArrayBuffer>) {
  let isEnough = false
  const endless = {
    taken: 0,
    end() {
      isEnough = true
    },
    stream: new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (++endless.taken > maxTaken) throw new Error('nothing else had a turn')
        if (isEnough) controller.close()
        else controller.enqueue(next)
      },
    }),
  }
  return endless
}
