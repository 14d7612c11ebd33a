import type { Delivered } from './agent-event.ts'

/** Why a delivery was not accepted. */
export interface DeliveryFault {
  /** A code, such as one from the bridge client. */
  readonly code: string
  /** The human-readable message, without secrets. */
  readonly message: string
}

/** The outcome of a delivery attempt. */
export interface DeliveryOutcome {
  /** The number of attempts so far. */
  readonly attempts: number
  /** The failure; absent on success. */
  readonly fault?: DeliveryFault
  /** The wait before the next attempt, in milliseconds; absent if there are no attempts left. */
  readonly retryMs?: number
  /** The platform's id of the sent message. */
  readonly platformMessageId?: string
}

/** Sends a delivery to its target. */
export type DeliverySender = (delivered: Delivered, signal: AbortSignal) => Promise<DeliveryOutcome>
