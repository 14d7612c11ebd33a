import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { ApiError } from '../api/api-error.ts'
import type { HttpReply } from '../api/http-call.ts'
import { createManualClock, type ManualClock } from '../clock/manual-clock.ts'
import { createVault } from '../secrets/vault.ts'
import type { Store } from '../store/store.ts'
import { bothDrivers, createStore } from '../store/stores.fixture.ts'
import { jsonHeaders } from './error-reply.ts'
import { answerOnce, hashRequest, readKey } from './idempotency.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const reply = (status: number, body: string): HttpReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body,
})
const vault = createVault(Buffer.alloc(32, 3))
const ports = (store: Store, clock: ManualClock) => ({ db: store.db, vault, now: clock.now })
const outcome = (promise: Promise<HttpReply>): Promise<HttpReply | ApiError> =>
  promise.catch((error: unknown) => {
    if (error instanceof ApiError) return error
    throw error
  })

describe.each(bothDrivers)('idempotency (%s)', (driver) => {
  test('processes a request once, and replays its response with its status', async (context) => {
    const store = await createStore(driver, context)
    const clock = createManualClock()
    const request = { key: 'k', hash: 'h' }
    const first = await answerOnce(request, ports(store, clock), async () => reply(418, '"tea"'))
    expect(first).toEqual({
      status: 418,
      headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: '"tea"',
    })
    const second = await answerOnce(request, ports(store, clock), async () => {
      throw new Error('processed again')
    })
    expect(second).toEqual({
      status: 418,
      headers: {
        // A stored response has the same security headers as the first one.
        ...jsonHeaders,
        'content-type': 'application/json',
        'idempotency-key': 'k',
        'idempotency-replay': 'true',
      },
      body: '"tea"',
    })
  })

  test('stores no response that asks for a retry', async (context) => {
    const store = await createStore(driver, context)
    const clock = createManualClock()
    for (const status of [429, 503]) {
      const request = { key: `k${status}`, hash: 'h' }
      await answerOnce(request, ports(store, clock), async () => reply(status, 'wait'))
      const second = await answerOnce(request, ports(store, clock), async () => reply(201, 'done'))
      expect(second.body).toBe('done')
      expect(second.headers).not.toHaveProperty('idempotency-replay')
    }
  })

  test('returns 409 while the first request is processed, and 422 for a different request', async (context) => {
    const store = await createStore(driver, context)
    const clock = createManualClock()
    let end: (value: HttpReply) => void = () => undefined
    let began: () => void = () => undefined
    const started = new Promise<void>((resolve) => {
      began = resolve
    })
    const first = answerOnce({ key: 'k', hash: 'h' }, ports(store, clock), () => {
      began()
      return new Promise((resolve) => {
        end = resolve
      })
    })
    await started
    for (const hash of ['h', 'other']) {
      const conflict = await outcome(answerOnce({ key: 'k', hash }, ports(store, clock), async () => reply(200, '')))
      expect(conflict).toMatchObject({ status: 409, details: { headers: { 'retry-after': '1' } } })
      expect((conflict as ApiError).message).toMatch(/"k".*retry after 1 second/)
    }
    end(reply(200, 'first'))
    expect((await first).body).toBe('first')
    const other = await outcome(answerOnce({ key: 'k', hash: 'o' }, ports(store, clock), async () => reply(200, '')))
    expect(other).toMatchObject({ status: 422 })
    expect((other as ApiError).message).toMatch(/"k".*different body, or another URL\. /)
  })

  test('keeps the response of a newer claim when an old one arrives late', async (context) => {
    const store = await createStore(driver, context)
    const clock = createManualClock()
    let end: (value: HttpReply) => void = () => undefined
    let began: () => void = () => undefined
    const started = new Promise<void>((resolve) => {
      began = resolve
    })
    const slow = answerOnce({ key: 'k', hash: 'h' }, ports(store, clock), () => {
      began()
      return new Promise((resolve) => {
        end = resolve
      })
    })
    await started
    clock.advance(5 * minuteMs)
    await answerOnce({ key: 'k', hash: 'h' }, ports(store, clock), async () => reply(200, 'second'))
    end(reply(200, 'late'))
    await slow
    const replayed = await answerOnce({ key: 'k', hash: 'h' }, ports(store, clock), async () => reply(200, 'third'))
    expect(replayed.body).toBe('second')
  })

  test('behaves as the state table defines for any order of events', async (context) => {
    const store = await createStore(driver, context)
    const clock = createManualClock()
    const step = fc.oneof(
      fc.record({ kind: fc.constant('call' as const), hash: fc.constantFrom('a', 'b') }),
      fc.record({ kind: fc.constant('hang' as const), hash: fc.constantFrom('a', 'b') }),
      fc.record({
        kind: fc.constant('wait' as const),
        ms: fc.constantFrom(1, minuteMs, 5 * minuteMs - 1, 5 * minuteMs, dayMs - 1, dayMs),
      }),
    )
    let number = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const key = `model-${number++}`
        let state: { kind: 'unseen' | 'in progress' | 'cached'; hash: string; untilMs: number; body: string } = {
          kind: 'unseen',
          hash: '',
          untilMs: 0,
          body: '',
        }
        for (const [index, each] of steps.entries()) {
          if (each.kind === 'wait') {
            clock.advance(each.ms)
            continue
          }
          const nowMs = clock.now()
          const isFree = state.kind === 'unseen' || state.untilMs <= nowMs
          const body = `answer ${index}`
          const answer =
            each.kind === 'hang' ? () => new Promise<HttpReply>(() => undefined) : async () => reply(200, body)
          const call = outcome(answerOnce({ key, hash: each.hash }, ports(store, clock), answer))
          if (isFree && each.kind === 'hang') {
            state = { kind: 'in progress', hash: each.hash, untilMs: nowMs + 5 * minuteMs, body: '' }
            await claimed(store, { key, nowMs, hash: each.hash })
            continue
          }
          const result = await call
          if (isFree) {
            expect(result).toMatchObject({ status: 200, body })
            state = { kind: 'cached', hash: each.hash, untilMs: nowMs + dayMs, body }
          } else if (state.kind === 'in progress') expect(result).toMatchObject({ status: 409 })
          else if (state.hash !== each.hash) expect(result).toMatchObject({ status: 422 })
          else
            expect(result).toMatchObject({ status: 200, body: state.body, headers: { 'idempotency-replay': 'true' } })
        }
      }),
      { numRuns: draws(30, 1000) },
    )
  })

  test('processes only one of several parallel requests with the same key', async (context) => {
    const store = await createStore(driver, context)
    const clock = createManualClock()
    const rounds = draws(50, 1000)
    for (let round = 0; round < rounds; round++) {
      let processed = 0
      const results = await Promise.all(
        Array.from({ length: 50 }, () =>
          outcome(
            answerOnce({ key: `round ${round}`, hash: 'h' }, ports(store, clock), async () => {
              processed++
              return reply(201, 'made')
            }),
          ),
        ),
      )
      expect(processed).toBe(1)
      expect(results.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
    }
  })
})

/** Waits until a call that never ends has claimed its key. */
async function claimed(
  store: Store,
  { key, nowMs, hash }: { key: string; nowMs: number; hash: string },
): Promise<void> {
  for (;;) {
    const row = await store.db.selectFrom('idempotency').selectAll().where('key', '=', key).executeTakeFirst()
    if (row?.state === 'in_progress' && row.bodyHash === hash && row.expiresAt === nowMs + 5 * minuteMs) return
  }
}

test('idempotency applies only to POST and PATCH, with keys of up to 255 characters', () => {
  expect(readKey('POST', 'k')).toBe('k')
  expect(readKey('PATCH', 'k'.repeat(255))).toHaveLength(255)
  for (const method of ['GET', 'PUT', 'DELETE']) expect(readKey(method, 'k'.repeat(300))).toBeUndefined()
  for (const header of [undefined, '']) expect(readKey('POST', header)).toBeUndefined()
  expect(() => readKey('POST', 'k'.repeat(256))).toThrow(/idempotencyKey exceeded the maximum length of 255 characters/)
})

test('accepts any key that a header can contain, and counts decoded characters', () => {
  const utf8 = (text: string): string => Buffer.from(text).toString('latin1')
  for (const key of ['a\tb "c", ~', 'caf\xe9', utf8('café'), utf8('🔑'.repeat(255)), '\xff'.repeat(255)])
    expect(readKey('POST', key)).toBe(key)
  for (const key of [utf8('é'.repeat(256)), '\xff'.repeat(256)])
    expect(() => readKey('POST', key)).toThrow(/it has 256/)
  for (const key of ['\x7f', '\n', '€']) expect(() => readKey('POST', key)).toThrow(/a header can contain/)
})

test('treats requests as the same only if nothing differs', () => {
  const parts = { environmentId: 'e', method: 'POST', url: '/a', body: Buffer.from('{}') }
  const others = [
    { ...parts, environmentId: 'f' },
    { ...parts, method: 'PATCH' },
    { ...parts, url: '/b' },
    { ...parts, body: Buffer.from('{ }') },
    { ...parts, url: '/', body: Buffer.from('a{}') },
  ]
  expect(hashRequest({ ...parts, body: new TextEncoder().encode('{}') })).toBe(hashRequest(parts))
  for (const other of others) expect(hashRequest(other)).not.toBe(hashRequest(parts))
})
