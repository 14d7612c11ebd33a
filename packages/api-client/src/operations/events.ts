import type { BroadcastBody, TriggerBody, TriggerResult } from '../resources/activity/event.ts'

/** Triggering workflows. Counts against the rate limit's events. */
export interface EventShapes {
  /** Starts a workflow. */
  trigger: { body: TriggerBody; result: TriggerResult }
  /** Starts many workflows; more than 100 events are split, each chunk with its own key. */
  triggerBulk: { body: { readonly events: readonly TriggerBody[] }; result: readonly TriggerResult[] }
  /** Starts a workflow for every subscriber of the environment. */
  broadcast: { body: BroadcastBody; result: TriggerResult }
  /** Stops what still waits of a run, and returns whether anything did. */
  cancel: { result: boolean }
}

const rows = {
  trigger: { method: 'POST', path: '/v1/events/trigger', body: true },
  triggerBulk: { method: 'POST', path: '/v1/events/trigger/bulk', body: true, bulk: { field: 'events', max: 100 } },
  broadcast: { method: 'POST', path: '/v1/events/trigger/broadcast', body: true },
  cancel: { method: 'DELETE', path: '/v1/events/trigger/{transactionId}' },
} as const

/** Every operation of {@link EventShapes}. */
export const eventOperations: Readonly<typeof rows> = Object.freeze(rows)
