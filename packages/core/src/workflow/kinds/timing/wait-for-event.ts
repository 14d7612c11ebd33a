import { type Issue, isObject, type JsonValue, toPointer } from '@trestle/protocol'
import type { Awaitable } from '../../../base/awaitable.ts'
import { closed } from '../../../schema/object-schema.ts'
import type { NoSchema, OutputOf, Schema } from '../../../schema/schema-types.ts'
import type { OnFailure, ReturnedBy } from '../outcome.ts'
import type { Handler, ResultOf, StepOptions } from '../signature.ts'
import type { StepKindRow } from '../step-kind.ts'
import { type TimeUnit, timeUnit } from './time.ts'

/** The output of the handler that waits for an event. */
export interface EventWaitOutput {
  /** The name of the event, 1 to 255 characters. */
  readonly event: string
  /**
   * Fields that the event must have, with equal values: up to 10, each at most 1,000 characters as JSON. @default any
   * event of that name
   */
  readonly match?: Readonly<Record<string, JsonValue>> | undefined
  /** The maximum time that the run waits. */
  readonly timeout: {
    /** The length of the time in `unit`s; not negative. */
    readonly amount: number
    /** The unit of `amount`. */
    readonly unit: TimeUnit
  }
}

/** The result of a wait for an event, for later steps. */
export type EventResult<TPayload = Record<string, unknown>> =
  | {
      /** Whether the event arrived before the timeout. */
      readonly received: true
      /** The payload of the event. */
      readonly payload: TPayload
    }
  | {
      /** Whether the event came before the timeout. */
      readonly received: false
      /** Null, because no event arrived. */
      readonly payload: null
    }

/** Options of a wait for an event. */
export interface EventWaitOptions<
  TControls extends Schema = NoSchema,
  TSchema extends Schema = NoSchema,
  TOnFailure extends OnFailure = OnFailure,
> extends StepOptions<TControls, TOnFailure> {
  /** The shape of the event's payload. Events with other payloads are not received. @default any object */
  readonly schema?: TSchema | undefined
}

/** Starts a wait for an event. */
export type EventStep<TDefault extends OnFailure> = <
  const TControls extends Schema = NoSchema,
  TReturned extends Awaitable<EventWaitOutput> = EventWaitOutput,
  const TSchema extends Schema = NoSchema,
  const TOnFailure extends OnFailure = TDefault,
>(
  id: string,
  handler: Handler<TControls, EventWaitOutput, TReturned>,
  options?: EventWaitOptions<TControls, TSchema, TOnFailure>,
) => Promise<ReturnedBy<TOnFailure, ReceivedBy<TSchema>>>

/** A conditional type, so that the compiler does not evaluate the schema of a call without one. */
type ReceivedBy<TSchema> = [TSchema] extends [NoSchema]
  ? ResultOf<EventResult>
  : ResultOf<EventResult<OutputOf<TSchema>>>

/** Waits for an event, or for its timeout. */
export const waitForEvent: StepKindRow = {
  type: 'wait_for_event',
  output: closed(
    {
      event: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
        errorMessage: 'must be 1 to 255 characters without control characters',
      },
      match: { type: 'object', maxProperties: 10 },
      timeout: closed({ amount: { type: 'number', minimum: 0 }, unit: timeUnit }, ['amount', 'unit']),
    },
    ['event', 'timeout'],
  ),
  result: {
    type: 'object',
    oneOf: [
      closed({ received: { const: true }, payload: { type: 'object' } }, ['received', 'payload']),
      closed({ received: { const: false }, payload: { type: 'null' } }, ['received', 'payload']),
    ],
  },
  empty: { received: false, payload: null },
  findFault: findUndefinedMatch,
}

/**
 * Finds an undefined field in `match`: JSON would omit it, and the step would also receive events for other recipients
 * or orders.
 */
function findUndefinedMatch(returned: unknown): Issue | undefined {
  const match = isObject(returned) && isObject(returned['match']) ? returned['match'] : {}
  const name = Object.keys(match).find((key) => match[key] === undefined)
  return name === undefined
    ? undefined
    : { path: toPointer(['match', name]), message: 'is undefined: give it a value to compare' }
}
