import type { JsonObject, Subscriber } from '@trestle/protocol'
import type { Awaitable } from '../../base/awaitable.ts'
import type { InputOf, NoSchema, OutputOf, Schema } from '../../schema/schema-types.ts'
import type { ChannelKind } from '../providers/channel-kind.ts'
import type { ProviderOverrides } from '../providers/provider-overrides.ts'
import type { OnFailure, ReturnedBy } from './outcome.ts'
import type { RetryOptions } from './retries.ts'

/** How a step ended. */
export interface StepContext {
  /** When this bridge read the result, milliseconds since 1970. */
  readonly timestamp: number
  /** How the step ended, as the service stored it. */
  readonly state: {
    /** The status, such as `completed`. */
    readonly status: string
    /** Whether the service stored an error. */
    readonly error: boolean
  }
}

/** A step's result, with its context in a field that is not serialized. */
export type ResultOf<TResult> = TResult & {
  /** How the step ended; not serialized. */
  readonly _ctx: StepContext
}

/** The second argument of a step's handler. */
export interface HandlerContext {
  /** Aborts when the call's deadline passes; never otherwise. */
  readonly signal: AbortSignal
  /** The same for every attempt at this step of this run. */
  readonly idempotencyKey: string
}

/** The second argument of `skip`. */
export interface SkipContext {
  /** The payload, as the workflow function sees it. */
  readonly payload: JsonObject
  /** The recipient. */
  readonly subscriber: Subscriber
  /** Stored outputs of earlier steps, by step id. */
  readonly state: Readonly<Record<string, JsonObject>>
}

/** The result of a step that only sends: how it ended, and no other field. */
export interface SentResult {
  /** How the step ended; not serialized. */
  readonly _ctx: StepContext
}

/** Options of every kind of step. */
export interface StepOptions<TControls extends Schema = NoSchema, TOnFailure extends OnFailure = OnFailure>
  extends RetryOptions {
  /**
   * `return`: the step returns its outcome by status, and a failure does not fail the run. Without it, a failed step
   * returns the empty result of its kind, and the run ends as failed.
   */
  readonly onFailure?: TOnFailure | undefined
  /** The shape of the step's controls; without it they pass unchanged. */
  readonly controlSchema?: TControls | undefined
  /** Skips the step if it returns `true`; called before the handler, but not in a preview. */
  readonly skip?: ((controls: OutputOf<TControls>, context: SkipContext) => Awaitable<boolean>) | undefined
}

/** Options of the kinds of step that send a message. */
export interface ChannelOptions<
  TKind extends ChannelKind,
  TOutput,
  TControls extends Schema = NoSchema,
  TOnFailure extends OnFailure = OnFailure,
> extends StepOptions<TControls, TOnFailure> {
  /** Overrides by provider id, run after the handler. */
  readonly providers?: ProviderOverrides<TKind, TOutput, OutputOf<TControls>> | undefined
  /** Sends HTML as the handler returned it. @default false */
  readonly disableOutputSanitization?: boolean | undefined
}

/** Options of the kinds of step whose handler returns the result itself. */
export interface CustomOptions<
  TControls extends Schema = NoSchema,
  TOutput extends Schema = NoSchema,
  TOnFailure extends OnFailure = OnFailure,
> extends StepOptions<TControls, TOnFailure> {
  /** The shape of the handler's output; without it any value is allowed. */
  readonly outputSchema?: TOutput | undefined
}

/** A value as later steps read it from JSON: a `Date` becomes a string. */
export type Stored<TValue> = TValue extends { toJSON(): infer TJson }
  ? TJson
  : TValue extends readonly unknown[] | object
    ? { [TKey in keyof TValue]: Stored<TValue[TKey]> }
    : TValue

type KeyOf<TUnion> = TUnion extends unknown ? keyof TUnion : never

/** The forms of an output that a value matches; all of them if it matches none. */
type FormOf<TReturned, TOutput> = TOutput extends unknown ? (TReturned extends TOutput ? TOutput : never) : never

/**
 * The fields with a value: a union of several returned forms also has the fields of the others, as undefined. Uses
 * tuples, because an error type would spread to the whole.
 */
type NamedKey<TReturned> = {
  [TKey in keyof TReturned]-?: [TReturned[TKey]] extends [undefined]
    ? [unknown] extends [TReturned[TKey]]
      ? TKey
      : never
    : TKey
}[keyof TReturned]

/** The fields that no form of the output has that fits the value. */
type OtherField<TReturned, TOutput> = TReturned extends unknown
  ? Exclude<
      NamedKey<TReturned>,
      KeyOf<[FormOf<TReturned, TOutput>] extends [never] ? TOutput : FormOf<TReturned, TOutput>>
    >
  : never

type FieldOf<TUnion, TKey> = TUnion extends unknown
  ? TKey extends keyof TUnion
    ? NonNullable<TUnion[TKey]>
    : never
  : never

/** Whether a type is an object whose fields have names, and not a list or a record of any. */
type HasNamedFields<TValue> = [TValue] extends [object]
  ? [TValue] extends [readonly unknown[]]
    ? false
    : string extends KeyOf<TValue>
      ? false
      : true
  : false

/** Object fields with properties that the output does not have. */
type FaultyField<TReturned, TOutput> = {
  [TKey in KeyOf<TReturned> & KeyOf<TOutput>]: HasNamedFields<FieldOf<TOutput, TKey>> extends true
    ? HasNamedFields<FieldOf<TReturned, TKey>> extends true
      ? unknown extends NoOtherFields<FieldOf<TReturned, TKey>, FieldOf<TOutput, TKey>>
        ? never
        : TKey
      : never
    : never
}[KeyOf<TReturned> & KeyOf<TOutput>]

/**
 * Rejects unknown fields of an output and of its objects at compile time, instead of a rejected message at run time.
 */
export type NoOtherFields<TReturned, TOutput> = [OtherField<TReturned, TOutput>] extends [never]
  ? [FaultyField<TReturned, TOutput>] extends [never]
    ? unknown
    : {
        readonly [TKey in FaultyField<TReturned, TOutput>]: NoOtherFields<
          FieldOf<TReturned, TKey>,
          FieldOf<TOutput, TKey>
        >
      }
  : { readonly [TKey in OtherField<TReturned, TOutput>]: never }

/** Checks a handler's result, or the value of its promise; resolves to an empty type if there is nothing to check. */
type Promised<TReturned, TCheck> = unknown extends TCheck
  ? unknown
  : [TReturned] extends [PromiseLike<unknown>]
    ? PromiseLike<TCheck>
    : TCheck

/** The form of the output that is returned. It gives literal types to strings, and editors show its docs at each field. */
type Immediate<TReturned, TOutput> = [TReturned] extends [TOutput]
  ? FittingForm<TReturned, TOutput>
  : [TReturned] extends [PromiseLike<unknown>]
    ? never
    : Awaitable<TOutput>

/** The same for the result of an async handler. */
type Later<TReturned, TOutput> = Promise<TOutput> & ([TReturned] extends [PromiseLike<unknown>] ? unknown : never)

type FittingForm<TReturned, TOutput> = [FormOf<TReturned, TOutput>] extends [never]
  ? TOutput
  : FormOf<TReturned, TOutput>

/**
 * The handler of a step with a fixed output. Its result is inferred as one type, so that it may return several forms,
 * and the compiler reports an error at its field. The last part infers literal types of strings.
 */
export type Handler<TControls extends Schema, TOutput, TReturned extends Awaitable<TOutput>> = (
  controls: OutputOf<TControls>,
  context: HandlerContext,
) => TReturned &
  Promised<TReturned, NoOtherFields<Awaited<TReturned>, TOutput>> &
  (Immediate<TReturned, TOutput> | Later<TReturned, TOutput>)

/** A storable object: not a promise of something else, and not a list. */
export type StorableObject = object & { readonly then?: never; readonly [Symbol.iterator]?: never }

/** Starts a step that sends a message. */
export type ChannelStep<TKind extends ChannelKind, TOutput, TResult = SentResult> = <
  const TControls extends Schema = NoSchema,
  TReturned extends Awaitable<TOutput> = TOutput,
  const TOnFailure extends OnFailure = undefined,
>(
  id: string,
  handler: Handler<TControls, TOutput, TReturned>,
  options?: ChannelOptions<TKind, TOutput, TControls, TOnFailure>,
) => Promise<ReturnedBy<TOnFailure, TResult>>

/** Starts a step that decides about time. */
export type TimingStep<TOutput, TResult> = <
  const TControls extends Schema = NoSchema,
  TReturned extends Awaitable<TOutput> = TOutput,
  const TOnFailure extends OnFailure = undefined,
>(
  id: string,
  handler: Handler<TControls, TOutput, TReturned>,
  options?: StepOptions<TControls, TOnFailure>,
) => Promise<ReturnedBy<TOnFailure, ResultOf<TResult>>>

/** Starts a step whose handler returns the result itself. */
export type CustomStep = <
  TReturned extends Awaitable<StorableObject>,
  const TOutput extends Schema = NoSchema,
  const TControls extends Schema = NoSchema,
  const TOnFailure extends OnFailure = undefined,
>(
  id: string,
  handler: (
    controls: OutputOf<TControls>,
    context: HandlerContext,
  ) => TReturned & ([TOutput] extends [NoSchema] ? unknown : Promised<TReturned, InputOf<TOutput>>),
  options?: CustomOptions<TControls, TOutput, TOnFailure>,
) => Promise<ReturnedBy<TOnFailure, ResultOf<CustomResult<Awaited<TReturned>, TOutput>>>>

type CustomResult<TReturned, TOutput> = [TOutput] extends [NoSchema]
  ? [keyof TReturned] extends [never]
    ? Readonly<Record<string, unknown>>
    : Stored<TReturned>
  : OutputOf<TOutput>
