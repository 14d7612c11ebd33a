import { toHex } from '@trestle/protocol'

/** The ids of the questions and triggers of one phase of a turn. */
export interface PhaseIds {
  /** Returns the id of the next question of an action. */
  nextQuestion(actionId: string): string
  /** Returns the idempotency key of the next trigger; its position is taken immediately. */
  nextTrigger(): Promise<string>
}

/** The inputs of the ids of a phase. */
export interface PhaseIdsOptions {
  readonly agentId: string
  readonly deliveryId: string
  /** Prefix of positions that distinguishes the phases of a turn; empty for the handler. */
  readonly prefix: '' | 'e'
}

/**
 * Creates the ids of a phase. They depend on the delivery and on the position within the phase, so that the service
 * recognizes questions and triggers of a retried turn. `onError` counts separately, because a failed handler may have
 * made different calls in each attempt.
 *
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

/** Returns a key with a bounded length and a small character set; a delivery id can contain any characters. */
async function toKey(parts: readonly string[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(parts)))
  return `trigger.${toHex(new Uint8Array(digest))}`
}
