/** The accepted deliveries, so that a repeated delivery is not handled again. */
export interface DeliveryMemory {
  /** Returns whether a delivery was accepted and is still remembered. */
  has(id: string): boolean
  /** Remembers a delivery; beyond the limit, forgets the oldest. */
  add(id: string): void
}

/** Creates a memory of deliveries for this process only. */
export function createDeliveryMemory(max: number): DeliveryMemory {
  const deliveryIds = new Set<string>()
  return {
    has: (id) => deliveryIds.has(id),
    add(id) {
      deliveryIds.add(id)
      if (deliveryIds.size <= max) return
      const [oldest] = deliveryIds
      if (oldest !== undefined) deliveryIds.delete(oldest)
    },
  }
}
