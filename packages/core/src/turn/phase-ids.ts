/** The ids of what one phase of a turn asks and starts. */
export interface PhaseIds {
  /**
   * Returns the id of the next question of an action.
   *
   * @param actionId - The action.
   */
  nextQuestion(actionId: string): string
  /** Returns the idempotency key of the next trigger; it takes its place in their order at once. */
  nextTrigger(): Promise<string>
}

/** What the ids of a phase are made of. */
export interface PhaseIdsOptions {
  /** The agent. */
  readonly agentId: string
  /** The delivery. */
  readonly deliveryId: string
  /** Stands before positions, and tells the phases of a turn apart; a handler has none. */
  readonly prefix: '' | 'e'
}

/**
 * Creates the ids of a phase. They depend on the delivery and on the position within the phase, so that a turn that is
 * run again asks the same questions and starts the same workflows, and the service can tell. `onError` counts on its
 * own: what the handler did before it failed may be another thing each time.
 *
 * @param options - What they are made of.
 * @source protocol.md#replies
 */
export function createPhaseIds({ agentId, deliveryId, prefix }: PhaseIdsOptions): PhaseIds {
  const asked = new Map<string, number>()
  let triggers = 0
  return {
    nextQuestion(actionId) {
      const count = asked.get(actionId) ?? 0
      asked.set(actionId, count + 1)
      return `${deliveryId}.${actionId}.${prefix}${count}`
    },
    nextTrigger: () => toKey([agentId, deliveryId, `${prefix}${triggers++}`]),
  }
}

/** A key has a bounded length and few characters, a delivery any. */
async function toKey(parts: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(parts)))
  return `trigger.${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
