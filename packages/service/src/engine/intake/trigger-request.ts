import type { JsonObject } from '@trestle/protocol'
import type { ContextFields } from '../../api/context-fields.ts'
import type { SchemaFault } from '../../schemas/payload-schema.ts'

/** A trigger as a caller asks for it, its shape checked. */
export interface TriggerRequest {
  /** The workflow's identifier. */
  readonly name: string
  /** A subscriber id, an object with `subscriberId`, a topic, or a list of these; absent for a broadcast. */
  readonly to?: unknown
  /** The data of the trigger. */
  readonly payload?: JsonObject | undefined
  /** Overrides for providers and steps. */
  readonly overrides?: JsonObject | undefined
  /** The caller's id of the transaction; one is made where it is absent. */
  readonly transactionId?: string | undefined
  /** Who caused the notification: a subscriber id, or an object with `subscriberId`. */
  readonly actor?: unknown
  /** Whose customer the recipient is: an identifier, or an object with one. */
  readonly tenant?: unknown
  /** Contexts by type: an id, or `{ id, data? }`. */
  readonly context?: ContextFields | undefined
  /** Another bridge than the environment's, for this trigger alone. */
  readonly bridgeUrl?: string | undefined
}

/** A fault that the schema of a workflow finds in a trigger's payload. */
export type PayloadFault = SchemaFault

/** How a trigger came: alone, in a bulk, or for all subscribers. */
export type TriggerKind = 'single' | 'bulk' | 'broadcast'

/**
 * The answer to a trigger.
 *
 * @source service-api.md#runs
 */
export interface TriggerResult {
  /** Whether the request was understood. */
  readonly acknowledged: boolean
  /** The outcome; a trigger that is `processed` is stored and will be run. */
  readonly status:
    | 'processed'
    | 'error'
    | 'trigger_not_active'
    | 'no_workflow_steps_defined'
    | 'no_workflow_active_steps_defined'
    | 'no_tenant_found'
    | 'invalid_recipients'
  /** Why it is not processed. */
  readonly error?: readonly string[]
  /** The id of the transaction. */
  readonly transactionId?: string
  /** The faults of the payload; for the service itself, not for the caller. */
  readonly faults?: readonly PayloadFault[]
}
