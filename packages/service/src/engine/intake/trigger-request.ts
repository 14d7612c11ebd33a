import type { JsonObject } from '@trestle/protocol'
import type { ContextFields } from '../../api/context-fields.ts'
import type { SchemaFault } from '../../schemas/payload-schema.ts'

/** A trigger request with a valid shape. */
export interface TriggerRequest {
  /** The workflow identifier. */
  readonly name: string
  /** A subscriber id, an object with `subscriberId`, a topic, or a list of these; absent for a broadcast. */
  readonly to?: unknown
  readonly payload?: JsonObject | undefined
  /** Overrides for providers and steps. */
  readonly overrides?: JsonObject | undefined
  /** The transaction id. @default a new UUID */
  readonly transactionId?: string | undefined
  /** The user who caused the notification: a subscriber id, or an object with `subscriberId`. */
  readonly actor?: unknown
  /** The tenant of the recipient: an identifier, or an object with `identifier`. */
  readonly tenant?: unknown
  /** Contexts by type: an id, or `{ id, data? }`. */
  readonly context?: ContextFields | undefined
  /** A bridge to use for this trigger only. */
  readonly bridgeUrl?: string | undefined
  /** A step of an ended run to start from, with the results of the steps before it. The API cannot set it. */
  readonly startFrom?: RunStart | undefined
  /** The step that triggers it. The API cannot set it. */
  readonly parent?: RunParent | undefined
}

/** The step that triggers a workflow. */
export interface RunParent {
  /** Row id of its run. */
  readonly runId: string
  /** Row id of the first of the runs that triggered each other. */
  readonly rootRunId: string
  /** Row id of the step. */
  readonly jobId: string
  /** How many runs triggered each other before its run. */
  readonly depth: number
  /** Whether the step ends when the runs have ended. */
  readonly isAwaited: boolean
}

/** A step of an ended run. */
export interface RunStart {
  /** Row id of the run. */
  readonly runId: string
  readonly stepId: string
}

/** An error in a payload, according to the schema of the workflow. */
export type PayloadFault = SchemaFault

/** The kind of request: one trigger, several, or a broadcast. */
export type TriggerKind = 'single' | 'bulk' | 'broadcast'

/**
 * The response to a trigger.
 *
 * @source service-api.md#runs
 */
export interface TriggerResult {
  /** Whether the request was valid. */
  readonly acknowledged: boolean
  /** The outcome; a trigger with the status `processed` is stored and will run. */
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
  readonly transactionId?: string
  /** The errors in the payload; internal, not part of the response. */
  readonly faults?: readonly PayloadFault[]
}
