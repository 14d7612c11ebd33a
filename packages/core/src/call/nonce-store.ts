import { checkOptions, type OptionRule, optionRules } from '../base/check-options.ts'
import type { NonceStore } from '../bridge/bridge-options.ts'

interface NonceStoreOptions {
  readonly maxEntries?: number | undefined
  readonly now?: (() => number) | undefined
}

const rules: Readonly<Record<keyof NonceStoreOptions, OptionRule>> = {
  maxEntries: {
    fits: (value) => Number.isSafeInteger(value) && (value as number) > 0,
    form: 'an integer of 1 or more',
  },
  now: optionRules.callback,
}

/** The maximum number of empty leading entries before the list is compacted. */
const maxEmpty = 1000

/**
 * Creates a store that remembers used signatures in this process. Several processes need a shared store.
 *
 * @param options - `maxEntries`, by default 100,000: beyond it, the oldest are forgotten. `now` returns the time in
 * milliseconds.
 * @throws TypeError - An option is unknown or invalid.
 * @example
 * serve({ workflows, nonceStore: createNonceStore() })
 */
export function createNonceStore(options: NonceStoreOptions = {}): NonceStore {
  checkOptions('A nonce store', options, rules)
  const { maxEntries = 100_000, now = Date.now } = options
  const expiries = new Map<string, number>()
  // Sorted by time. A map alone would be slow, because iteration skips over deleted leading entries.
  let order: string[] = []
  let first = 0
  const forget = (oldest: string): void => {
    expiries.delete(oldest)
    first++
    if (first < maxEmpty || first * 2 < order.length) return
    order = order.slice(first)
    first = 0
  }
  return {
    claim(nonce, ttlMs) {
      const nowMs = now()
      for (let oldest = order[first]; oldest !== undefined; oldest = order[first]) {
        if ((expiries.get(oldest) ?? 0) > nowMs) break
        forget(oldest)
      }
      if (expiries.has(nonce)) return false
      const oldest = order[first]
      if (oldest !== undefined && expiries.size >= maxEntries) forget(oldest)
      expiries.set(nonce, nowMs + ttlMs)
      order.push(nonce)
      return true
    },
  }
}
