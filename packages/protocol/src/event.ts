/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A JSON object of unknown fields. */
export type JsonObject = Record<string, unknown>

const types = [
  'email',
  'sms',
  'push',
  'chat',
  'in_app',
  'tool',
  'digest',
  'delay',
  'throttle',
  'custom',
  'http_request',
] as const

/**
 * The kinds of step, by the name they have on the wire.
 *
 * @source Specification, "Bridge application interface"; protocol, "Replies".
 */
export const stepTypes: Readonly<typeof types> = Object.freeze(types)

/** One of {@link stepTypes}. */
export type StepType = (typeof stepTypes)[number]

/** The recipient of a notification, as far as the service tells it. */
export interface Subscriber {
  /** The customer's own id of the recipient. */
  readonly subscriberId?: string
  /** Given name. */
  readonly firstName?: string | null
  /** Family name. */
  readonly lastName?: string | null
  /** Mail address. */
  readonly email?: string | null
  /** Phone number, E.164 where the customer keeps it so. */
  readonly phone?: string | null
  /** URL of a picture. */
  readonly avatar?: string | null
  /** BCP 47 language tag, for example `en-US`. */
  readonly locale?: string | null
  /** Time zone, an IANA name, for example `Europe/Berlin`. */
  readonly timezone?: string | null
  /** Free fields of the customer. */
  readonly data?: JsonObject | null
}

/** The stored result of an earlier step of the run. */
export interface StepState {
  /** The id of the step. */
  readonly stepId: string
  /** The step's result; `{}` where it was missing. */
  readonly outputs: JsonObject
  /** How the step ended. */
  readonly state: {
    /** `completed`, or a status of the service that stands for "no result" (`skipped`, `canceled`, `failed`, ...). */
    readonly status: string
    /** Whatever the service stored as the error; any JSON. */
    readonly error?: unknown
  }
}

/** The body of an `execute` or `preview` call, every part present. */
export interface ExecuteEvent {
  /** The data of the trigger. */
  readonly payload: JsonObject
  /** Values for the requested step's controls, templates not yet rendered. */
  readonly controls: JsonObject
  /** The results of earlier steps, newest first. */
  readonly state: readonly StepState[]
  /** The recipient. */
  readonly subscriber: Subscriber
  /** Contexts of the run by type, each `{ id, data }`. */
  readonly context: JsonObject
  /** The environment's variables, with its `name` and `type`. */
  readonly env: JsonObject
  /** Who caused the notification, when the trigger named someone. */
  readonly actor?: Subscriber
  /** The service's id of this step's job, when it was sent. */
  readonly jobId?: string
}

/** The body of a `trigger` call. */
export interface TriggerEvent {
  /** A subscriber id, an object with `subscriberId`, a topic object, or an array of these. */
  readonly to: unknown
  /** The data of the trigger; `{}` where it was missing. */
  readonly payload: JsonObject
  /** The caller's id of the transaction. */
  readonly transactionId?: string
  /** Overrides per provider. */
  readonly overrides?: JsonObject
  /** Who caused the notification. */
  readonly actor?: unknown
  /** Contexts of the run. */
  readonly context?: JsonObject
}
