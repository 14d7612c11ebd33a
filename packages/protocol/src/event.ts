import type { JsonObject } from './json/json-object.ts'

/** The subscriber who receives the notification. All fields are optional. */
export interface Subscriber {
  /** The subscriber's id in the customer's app. */
  readonly subscriberId?: string
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly email?: string | null
  /** Phone number, usually E.164. */
  readonly phone?: string | null
  /** URL of an image. */
  readonly avatar?: string | null
  /** BCP 47 language tag, for example `en-US`. */
  readonly locale?: string | null
  /** Time zone, an IANA name, for example `Europe/Berlin`. */
  readonly timezone?: string | null
  /** Custom data of the customer. */
  readonly data?: JsonObject | null
}

/** The stored result of an earlier step of the run. */
export interface StepState {
  /** The id of the step. */
  readonly stepId: string
  /** The step's result; `{}` if it was missing. */
  readonly outputs: JsonObject
  /** The outcome of the step. */
  readonly state: {
    /** `completed`, or a status that means "no result" (`skipped`, `canceled`, `failed`, ...). */
    readonly status: string
    /** The error stored by the service; any JSON value. */
    readonly error?: unknown
  }
  /** The number of results stored when the step was dispatched. Reserved: bridges ignore it. */
  readonly after?: number
}

/** The body of an `execute` or `preview` call, with all parts present. */
export interface ExecuteEvent {
  /** The data of the trigger. */
  readonly payload: JsonObject
  /** Values for the requested step's controls, with templates not rendered yet. */
  readonly controls: JsonObject
  /** The results of earlier steps, newest first. */
  readonly state: readonly StepState[]
  readonly subscriber: Subscriber
  /** The run's contexts by type, each as `{ id, data }`. */
  readonly context: JsonObject
  /** The environment's variables, and its `name` and `type`. */
  readonly env: JsonObject
  /** The person who caused the notification, if the trigger has an actor. */
  readonly actor?: Subscriber
  /** The service's id for this step's job, if it was sent. */
  readonly jobId?: string
  /** Identifies the run. The idempotency key is derived from it and the step id. */
  readonly runId?: string
}

/** A step that was returned by an earlier reply for execution and has no result yet. */
export interface TakenStep {
  /** The id of the step. */
  readonly stepId: string
  /** How many results were stored when the step was dispatched. Reserved: bridges ignore it. */
  readonly after?: number
}

/**
 * The body of an `execute` call in run-driven execution. Without a step id in the query it requests the next steps;
 * with one it executes a step that an earlier reply returned. Only bridges with the capability `next` support it.
 *
 * @source bridge-protocol.md#continuing-a-run
 */
export interface NextEvent extends ExecuteEvent {
  /** Marks the call as run-driven. */
  readonly next: true
  /** The steps returned earlier that have no result yet. @default none */
  readonly taken?: readonly TakenStep[]
  /** Saved control values by step id; a call for one step has them in `controls`. @default none */
  readonly stepControls?: Readonly<Record<string, JsonObject>>
  /** Milliseconds without activity before a reply without new steps. @default 0 */
  readonly wait?: number
  /**
   * Ids of steps whose manifests the service needs; the reply contains those of steps that the run has called. @default
   * none
   */
  readonly describe?: readonly string[]
  /** Whether the service supports `final` in the metadata of the reply. @default false */
  readonly final?: boolean
}

/** The body of a `trigger` call. */
export interface TriggerEvent {
  /** A subscriber id, an object with `subscriberId`, a topic object, or an array of these. */
  readonly to: unknown
  /** The trigger payload; `{}` if it was missing. */
  readonly payload: JsonObject
  /** The caller's id for the transaction. */
  readonly transactionId?: string
  /** Overrides per provider. */
  readonly overrides?: JsonObject
  /** The person who caused the notification. */
  readonly actor?: unknown
  /** Contexts of the run. */
  readonly context?: JsonObject
}
