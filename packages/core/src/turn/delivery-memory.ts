/** The deliveries that were taken, so that one that is sent again is not handled again. */
export interface DeliveryMemory {
  /** Returns whether a delivery was taken, as far as it is remembered. */
  has(id: string): boolean
  /** Remembers a delivery, and forgets the oldest where there are too many. */
  add(id: string): void
}

/**
 * Creates a memory of deliveries, of this process alone.
 *
 * @param max - How many it remembers.
 */
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
