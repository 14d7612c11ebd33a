import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNonceStore } from './nonce-store.ts'

const ttlMs = 600_000

describe('the nonce store', () => {
  test('rejects a known signature, even after others', () => {
    const store = createNonceStore()
    expect([store.claim('a', ttlMs), store.claim('b', ttlMs), store.claim('c', ttlMs)]).toEqual([true, true, true])
    expect([store.claim('a', ttlMs), store.claim('b', ttlMs), store.claim('c', ttlMs)]).toEqual([false, false, false])
  })

  test('forgets a signature after the given time, and not before', () => {
    let nowMs = 0
    const store = createNonceStore({ now: () => nowMs })
    store.claim('a', ttlMs)
    store.claim('b', ttlMs)
    nowMs = ttlMs - 1
    expect([store.claim('a', ttlMs), store.claim('b', ttlMs)]).toEqual([false, false])
    nowMs = ttlMs
    expect([store.claim('b', ttlMs), store.claim('a', ttlMs)]).toEqual([true, true])
    expect([store.claim('b', ttlMs), store.claim('a', ttlMs)]).toEqual([false, false])
  })

  test('forgets the oldest signature beyond the limit', () => {
    const store = createNonceStore({ maxEntries: 3 })
    for (const nonce of ['a', 'b', 'c', 'd']) expect(store.claim(nonce, ttlMs)).toBe(true)
    expect(['d', 'c'].map((nonce) => store.claim(nonce, ttlMs))).toEqual([false, false])
    expect(store.claim('a', ttlMs)).toBe(true)
  })

  test('rejects the oldest signature when it is full', () => {
    const store = createNonceStore({ maxEntries: 2 })
    store.claim('a', ttlMs)
    store.claim('b', ttlMs)
    expect(store.claim('a', ttlMs)).toBe(false)
  })

  test('does not evict another signature if one is repeated', () => {
    const store = createNonceStore({ maxEntries: 2 })
    store.claim('a', ttlMs)
    store.claim('b', ttlMs)
    expect(['b', 'b', 'a'].map((nonce) => store.claim(nonce, ttlMs))).toEqual([false, false, false])
  })

  test('behaves like a plain list of all claims', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.tuple(fc.nat(9), fc.nat(4)), { maxLength: 60 }),
        (maxEntries, claims) => {
          let nowMs = 0
          let entries: { nonce: string; expiryMs: number }[] = []
          const store = createNonceStore({ maxEntries, now: () => nowMs })
          for (const [id, passedMs] of claims) {
            nowMs += passedMs
            entries = entries.filter(({ expiryMs }) => expiryMs > nowMs)
            const isNew = !entries.some(({ nonce }) => nonce === `${id}`)
            expect(store.claim(`${id}`, 10)).toBe(isNew)
            if (isNew) entries = [...entries, { nonce: `${id}`, expiryMs: nowMs + 10 }].slice(-maxEntries)
          }
        },
      ),
    )
  })

  test('does not become slower once it is full', () => {
    // On one core, a claim in a store with free space takes a microsecond; if every claim searches for the oldest
    // entry, it takes sixty.
    const store = createNonceStore({ maxEntries: 50_000 })
    for (let index = 0; index < 50_000; index++) store.claim(`${index}`, ttlMs)
    const { user } = process.cpuUsage()
    for (let index = 50_000; index < 200_000; index++) store.claim(`${index}`, ttlMs)
    expect((process.cpuUsage().user - user) / 1000).toBeLessThan(1500)
  })

  // For example Number(process.env.MAX_NONCES) of an unset variable, which would silently allow replays.
  test.each([
    [{ maxEntries: Number.NaN }, 'maxEntries must be an integer of 1 or more; got NaN'],
    [{ maxEntries: 0 }, 'maxEntries must be an integer of 1 or more; got 0'],
    [{ maxEntries: -1 }, 'maxEntries must be an integer of 1 or more; got -1'],
    [{ maxEntries: '5' }, 'maxEntries must be an integer of 1 or more; got "5"'],
    [{ maxEntries: Number.POSITIVE_INFINITY }, 'maxEntries must be an integer of 1 or more; got Infinity'],
    [{ maxEntires: 5 }, 'Did you mean maxEntries?'],
    [{ now: 5 }, 'now must be a function; got 5'],
    [null, 'the options must be an object; got null'],
  ])('throws a TypeError for %j', (options, message) => {
    expect(() => createNonceStore(options as never)).toThrow(message)
    expect(() => createNonceStore(options as never)).toThrow(TypeError)
  })
})
