/** The accepted deliveries, so that a repeated delivery is not handled again. */
export interface DeliveryMemory {
  /** Returns whether a delivery was accepted and is still remembered. */
  has(id: string): boolean
  /** Remembers a delivery; beyond the limit, forgets the oldest. */
  add(id: string): void
}

/** Creates a memory of deliveries for this process only. */
export function createDeliveryMemory(max: number): DeliveryMemory {
  const known = new Set<string>()
  return {
    has: (id) => known.has(id),
    add(id) {
      known.add(id)
      if (known.size <= max) return
      const [oldest] = known
      if (oldest !== undefined) known.delete(oldest)
    },
  }
}
