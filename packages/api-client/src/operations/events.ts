import type { JsonObject } from './operation.ts'

/** A recipient with the profile fields that are created or updated on the way. */
export interface Recipient {
  /** The customer's own id of the recipient. */
  readonly subscriberId: string
  /** Given name. */
  readonly firstName?: string
  /** Family name. */
  readonly lastName?: string
  /** Mail address. */
  readonly email?: string
  /** Phone number. */
  readonly phone?: string
  /** URL of a picture. */
  readonly avatar?: string
  /** BCP 47 language tag. */
  readonly locale?: string
  /** Time zone, IANA name. */
  readonly timezone?: string
  /** Free fields. */
  readonly data?: object
}

/** All subscribers of a topic. */
export interface TopicRecipient {
  /** Marks a topic. */
  readonly type: 'Topic'
  /** The topic's key. */
  readonly topicKey: string
  /** Subscribers of the topic that are left out, by id. */
  readonly exclude?: readonly string[]
}

/** One recipient: a subscriber id, a subscriber, or a topic. */
export type To = string | Recipient | TopicRecipient

/** What starts a workflow. */
export interface TriggerBody {
  /** The workflow's identifier. */
  readonly name: string
  /** Who is notified. */
  readonly to: To | readonly To[]
  /** The data of the trigger. */
  readonly payload?: object
  /** Checked for uniqueness while the run is processed; it does not replace the idempotency key. */
  readonly transactionId?: string
  /** Overrides by step, channel or provider. */
  readonly overrides?: object
  /** Who caused the notification. */
  readonly actor?: string | Recipient
  /** A tenant, by identifier or whole. */
  readonly tenant?: string | JsonObject
  /** Contexts by type: an id, or `{ id, data }`. */
  readonly context?: Readonly<Record<string, string | JsonObject>>
  /** Runs against this bridge instead of the stored one. */
  readonly bridgeUrl?: string
}

/** What became of a trigger. */
export interface TriggerResult {
  /** Whether the API took it. */
  readonly acknowledged: boolean
  /** `processed`, or why nothing runs. */
  readonly status: string
  /** What went wrong, when something did. */
  readonly error?: readonly string[]
  /** The run's id; `cancel` takes it. */
  readonly transactionId?: string
}

/** Triggering workflows. Counts against the rate limit's events. */
export interface EventShapes {
  /** Starts a workflow. */
  trigger: { body: TriggerBody; result: TriggerResult }
  /** Starts many workflows; more than 100 events are split, each chunk with its own key. */
  triggerBulk: { body: { readonly events: readonly TriggerBody[] }; result: readonly TriggerResult[] }
  /** Starts a workflow for every subscriber of the environment. */
  broadcast: { body: Omit<TriggerBody, 'to'>; result: TriggerResult }
  /** Stops what still waits of a run; the answer tells whether anything did. */
  cancel: { result: boolean }
}

const rows = {
  trigger: { method: 'POST', path: '/v1/events/trigger' },
  triggerBulk: { method: 'POST', path: '/v1/events/trigger/bulk', bulk: { field: 'events', max: 100 } },
  broadcast: { method: 'POST', path: '/v1/events/trigger/broadcast' },
  cancel: { method: 'DELETE', path: '/v1/events/trigger/{transactionId}' },
} as const

/** Every operation of {@link EventShapes}. */
export const eventOperations: Readonly<typeof rows> = Object.freeze(rows)
