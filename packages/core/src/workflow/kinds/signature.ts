import type { JsonObject, Subscriber } from '@trestle/protocol'
import type { Awaitable } from '../../base/awaitable.ts'
import type { InputOf, NoSchema, OutputOf, Schema } from '../../schema/schema-types.ts'
import type { ChannelKind } from '../providers/channel-kind.ts'
import type { ProviderOverrides } from '../providers/provider-overrides.ts'
import type { FailureOptions, OnFailure, ReturnedBy } from './outcome.ts'
import type { RetryOptions } from './retries.ts'

/** The outcome of a step. */
export interface StepContext {
  /** When this bridge read the result, in milliseconds since 1970. */
  readonly timestamp: number
  /** The outcome, as stored by the service. */
  readonly state: {
    /** The status, such as `completed`. */
    readonly status: string
    /** Whether the service stored an error. */
    readonly error: boolean
  }
}

/** A step's result, with its context in a field that is not serialized. */
export type ResultOf<TResult> = TResult & {
  /** The outcome of the step; not serialized. */
  readonly _ctx: StepContext
}

/** The second argument of a step's handler. */
export interface HandlerContext {
  /** Aborts only when the call's deadline passes. */
  readonly signal: AbortSignal
  /** A key that is the same for every attempt at this step of this run. */
  readonly idempotencyKey: string
}

/** The second argument of `skip`. */
export interface SkipContext {
  /** The payload, as the workflow function receives it. */
  readonly payload: JsonObject
  /** The recipient. */
  readonly subscriber: Subscriber
  /** Stored outputs of earlier steps, by step id. */
  readonly state: Readonly<Record<string, JsonObject>>
}

/** The result of a step that only sends: its outcome, without other fields. */
export interface SentResult {
  /** How the step ended; not serialized. */
  readonly _ctx: StepContext
}

/** Options for every kind of step. */
export interface StepOptions<TControls extends Schema = NoSchema, TOnFailure extends OnFailure = OnFailure>
  extends RetryOptions,
    FailureOptions<TOnFailure> {
  /** The shape of the step's controls; without it, they are passed unchanged. */
  readonly controlSchema?: TControls | undefined
  /** Skips the step if it returns `true`; called before the handler, but not in a preview. */
  readonly skip?: ((controls: OutputOf<TControls>, context: SkipContext) => Awaitable<boolean>) | undefined
}

/** Options for step kinds that send a message. */
export interface ChannelOptions<
  TKind extends ChannelKind,
  TOutput,
  TControls extends Schema = NoSchema,
  TOnFailure extends OnFailure = OnFailure,
> extends StepOptions<TControls, TOnFailure> {
  /** Overrides by provider id, which run after the handler. */
  readonly providers?: ProviderOverrides<TKind, TOutput, OutputOf<TControls>> | undefined
  /** Sends HTML exactly as the handler returned it. @default false */
  readonly disableOutputSanitization?: boolean | undefined
}

/** Options for step kinds whose handler returns the result itself. */
export interface CustomOptions<
  TControls extends Schema = NoSchema,
  TOutput extends Schema = NoSchema,
  TOnFailure extends OnFailure = OnFailure,
> extends StepOptions<TControls, TOnFailure> {
  /** The shape of the handler's output; without it, any value is allowed. */
  readonly outputSchema?: TOutput | undefined
}

/** The type of a value after it was stored as JSON: a `Date` becomes a string. */
export type Stored<TValue> = TValue extends { toJSON(): infer TJson }
  ? TJson
  : TValue extends readonly unknown[] | object
    ? { [TKey in keyof TValue]: Stored<TValue[TKey]> }
    : TValue

type KeyOf<TUnion> = TUnion extends unknown ? keyof TUnion : never

/** The forms of an output that a value matches; if it matches none, all of them. */
type FormOf<TReturned, TOutput> = TOutput extends unknown ? (TReturned extends TOutput ? TOutput : never) : never

/**
 * The fields that have a value: in a union of several returned forms, each also has the other forms' fields, as
 * undefined. Uses tuples, because an error type would otherwise spread to the whole union.
 */
type NamedKey<TReturned> = {
  [TKey in keyof TReturned]-?: [TReturned[TKey]] extends [undefined]
    ? [unknown] extends [TReturned[TKey]]
      ? TKey
      : never
    : TKey
}[keyof TReturned]

/** The fields that do not occur in any output form that matches the value. */
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

/** Whether a type is an object with named fields, and not a list or a record with arbitrary keys. */
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
 * Rejects unknown fields of an output and of its objects at compile time, so that the output is not rejected at run
 * time.
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

/**
 * The matching form of a synchronously returned output. It makes TypeScript infer literal types for strings, and
 * editors display the documentation of each field.
 */
type Immediate<TReturned, TOutput> = [TReturned] extends [TOutput]
  ? FittingForm<TReturned, TOutput>
  : [TReturned] extends [PromiseLike<unknown>]
    ? never
    : Awaitable<TOutput>

/**
 * The matching form of an async handler's output. The symbol, which no output has, keeps TypeScript from dropping the
 * form in favor of the returned type, which has no documentation.
 */
type Later<TReturned, TOutput> = Promise<
  FittingForm<Awaited<TReturned>, TOutput> & { readonly [Symbol.iterator]?: never }
> &
  ([TReturned] extends [PromiseLike<unknown>] ? unknown : never)

type FittingForm<TReturned, TOutput> = [FormOf<TReturned, TOutput>] extends [never]
  ? TOutput
  : FormOf<TReturned, TOutput>

/**
 * The handler of a step with a fixed output. Its result is inferred as one type, so that it can return several forms
 * and the compiler reports an error at the wrong field. The last part makes TypeScript infer literal types for strings.
 */
export type Handler<TControls extends Schema, TOutput, TReturned extends Awaitable<TOutput>> = (
  controls: OutputOf<TControls>,
  context: HandlerContext,
) => TReturned &
  Promised<TReturned, NoOtherFields<Awaited<TReturned>, TOutput>> &
  (Immediate<TReturned, TOutput> | Later<TReturned, TOutput>)

/** An object that can be stored: neither a promise nor a list. */
export type StorableObject = object & { readonly then?: never; readonly [Symbol.iterator]?: never }

/** Starts a step that sends a message. */
export type ChannelStep<TDefault extends OnFailure, TKind extends ChannelKind, TOutput, TResult = SentResult> = <
  const TControls extends Schema = NoSchema,
  TReturned extends Awaitable<TOutput> = TOutput,
  const TOnFailure extends OnFailure = TDefault,
>(
  id: string,
  handler: Handler<TControls, TOutput, TReturned>,
  options?: ChannelOptions<TKind, TOutput, TControls, TOnFailure>,
) => Promise<ReturnedBy<TOnFailure, TResult>>

/** Starts a step that controls timing, such as a delay, a digest or a throttle. */
export type TimingStep<TDefault extends OnFailure, TOutput, TResult> = <
  const TControls extends Schema = NoSchema,
  TReturned extends Awaitable<TOutput> = TOutput,
  const TOnFailure extends OnFailure = TDefault,
>(
  id: string,
  handler: Handler<TControls, TOutput, TReturned>,
  options?: StepOptions<TControls, TOnFailure>,
) => Promise<ReturnedBy<TOnFailure, ResultOf<TResult>>>

/** Starts a step whose handler returns the result itself. */
export type CustomStep<TDefault extends OnFailure> = <
  TReturned extends Awaitable<StorableObject>,
  const TOutput extends Schema = NoSchema,
  const TControls extends Schema = NoSchema,
  const TOnFailure extends OnFailure = TDefault,
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
