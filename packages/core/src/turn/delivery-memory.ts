/** The accepted deliveries, so that a repeated one is not handled again. */
export interface DeliveryMemory {
  /** Returns whether a delivery was accepted, as far as it is remembered. */
  has(id: string): boolean
  /** Remembers a delivery, and forgets the oldest beyond the limit. */
  add(id: string): void
}

/** Creates a memory of deliveries, of this process alone. */
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
