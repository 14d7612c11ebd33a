import type { JsonObject } from '@trestle/protocol'
import type { Priority } from '../../queue/queue.ts'
import type { Id } from '../../store/schema/column.ts'
import type { Session } from '../../store/store.ts'

/** Events about runs, which are named after their status. */
export const runEvents = ['run.completed', 'run.failed', 'run.canceled', 'run.merged'] as const

/** What a provider may report about a message that it has accepted. */
export const messageReports = ['delivered', 'opened', 'clicked', 'bounced', 'complained'] as const

/** The type of such a report. */
export type MessageReport = (typeof messageReports)[number]

/** Events about messages. */
export const messageEvents: readonly MessageEvent[] = [
  'message.sent',
  'message.failed',
  ...messageReports.map((type) => `message.${type}` as const),
]

/** The type of an event about a run. */
export type RunEvent = (typeof runEvents)[number]

/** The type of an event about a message. */
export type MessageEvent = 'message.sent' | 'message.failed' | `message.${MessageReport}`

/** An event that webhooks may receive. */
export interface EngineEvent {
  readonly environmentId: Id
  readonly type: RunEvent | MessageEvent
  /** Row id of the run or the message. */
  readonly subjectId: Id
  /** When it happened, in milliseconds since 1970. */
  readonly nowMs: number
  /** The priority of its deliveries. @default 'fresh' */
  readonly priority?: Priority
  /** Additional data. @default none */
  readonly data?: JsonObject
}

/** Records events for webhooks. */
export interface EventPort {
  /**
   * Records an event, if a webhook receives it. Call it after the change, in the same transaction, so that a crash
   * neither loses an event nor invents one.
   */
  record(tx: Session, event: EngineEvent): Promise<void>
}

/** Ignores all events. */
export const noEvents: EventPort = Object.freeze({ record: async () => undefined })
