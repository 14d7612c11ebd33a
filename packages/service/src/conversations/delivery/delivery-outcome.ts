import type { Delivered } from './agent-event.ts'

/** Why a delivery was not taken. */
export interface DeliveryFault {
  /** A code, such as one of the client of bridges. */
  readonly code: string
  /** What is wrong, for people; without secrets. */
  readonly message: string
}

/** How an attempt at a delivery ended. */
export interface DeliveryOutcome {
  /** How often it was tried now. */
  readonly attempts: number
  /** Why it was not taken; absent when it was. */
  readonly fault?: DeliveryFault
  /** When it shall be tried again, milliseconds from now; absent when it is given up. */
  readonly retryMs?: number
  /** The platform's id of the message that was sent. */
  readonly platformMessageId?: string
}

/** Sends a delivery to where it goes. */
export type DeliverySender = (delivered: Delivered, signal: AbortSignal) => Promise<DeliveryOutcome>
