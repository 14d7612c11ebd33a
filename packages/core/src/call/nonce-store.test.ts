import { describe, expect, test } from 'vitest'
import { createNonceStore } from './nonce-store.ts'

const ttlMs = 600_000

describe('the nonce store', () => {
  test('refuses what it knows, also after others came', () => {
    const store = createNonceStore()
    expect([store.claim('a', ttlMs), store.claim('b', ttlMs), store.claim('c', ttlMs)]).toEqual([true, true, true])
    expect([store.claim('a', ttlMs), store.claim('b', ttlMs), store.claim('c', ttlMs)]).toEqual([false, false, false])
  })

  test('forgets after the time it was told, and not before', () => {
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

  test('forgets the oldest where there are too many', () => {
    const store = createNonceStore({ maxEntries: 3 })
    for (const nonce of ['a', 'b', 'c', 'd']) expect(store.claim(nonce, ttlMs)).toBe(true)
    expect(['d', 'c'].map((nonce) => store.claim(nonce, ttlMs))).toEqual([false, false])
    expect(store.claim('a', ttlMs)).toBe(true)
  })

  test('a full store still refuses the oldest it knows', () => {
    const store = createNonceStore({ maxEntries: 2 })
    store.claim('a', ttlMs)
    store.claim('b', ttlMs)
    expect(store.claim('a', ttlMs)).toBe(false)
  })
})
