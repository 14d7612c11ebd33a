import type { NonceStore } from '../bridge/bridge-options.ts'

/**
 * Remembers used signatures in this process. Enough for one process; several need a store they share.
 *
 * @param options - `maxEntries`, default 100 000: beyond it the oldest are forgotten. `now` gives milliseconds.
 * @example
 * serve({ workflows, nonceStore: createNonceStore() })
 */
export function createNonceStore(
  options: { readonly maxEntries?: number | undefined; readonly now?: (() => number) | undefined } = {},
): NonceStore {
  const { maxEntries = 100_000, now = Date.now } = options
  const expiries = new Map<string, number>()
  return {
    claim(nonce, ttlMs) {
      const nowMs = now()
      // Entries are in the order of their time, so the expired ones stand in front.
      for (const [known, expiryMs] of expiries) {
        if (expiryMs > nowMs && expiries.size < maxEntries) break
        if (known !== nonce) expiries.delete(known)
        else if (expiryMs > nowMs) return false
        else expiries.delete(known)
      }
      if (expiries.has(nonce)) return false
      expiries.set(nonce, nowMs + ttlMs)
      return true
    },
  }
}
