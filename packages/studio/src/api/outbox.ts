/** A message that no integration delivers, as it would have been sent. */
export interface OutboxItem {
  /** Row id. */
  readonly _id: string
  /** Row id of the run. */
  readonly _notificationId: string
  /** `email`, `sms`, `push`, `chat` or `tool`. */
  readonly channel: string
  /** Whom it is for. */
  readonly recipient: string
  /** What would have been handed to the provider. */
  readonly content: Readonly<Record<string, unknown>>
  /** When it was read here. */
  readonly readAt: string | null
  /** When it was put here. */
  readonly createdAt: string
  /** The run's transaction; in lists only. */
  readonly transactionId?: string
}
