import type { JsonObject, Subscriber } from '@trestle/protocol'
import type { Awaitable } from '../../base/awaitable.ts'
import type { InputOf, NoSchema, OutputOf, Schema } from '../../schema/schema-types.ts'
import type { ChannelKind } from '../providers/channel-kind.ts'
import type { ProviderOverrides } from '../providers/provider-overrides.ts'

/** How a step ended, beside its result. */
export interface StepContext {
  /** When this bridge read the result, milliseconds since 1970. */
  readonly timestamp: number
  /** The stored status, and whether the service stored an error. */
  readonly state: { readonly status: string; readonly error: boolean }
}

/** A step's result, with its context in a field that JSON leaves out. */
export type ResultOf<TResult> = TResult & { readonly _ctx: StepContext }

/** The second argument of a step's handler. */
export interface HandlerContext {
  /** Aborts when the call's deadline passes; never at a normal end. */
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
  /** How the step ended. */
  readonly _ctx: StepContext
}

/** Options of every kind of step. */
export interface StepOptions<TControls extends Schema = NoSchema> {
  /** The shape of the step's controls; without it they pass unchanged. */
  readonly controlSchema?: TControls | undefined
  /** Leaves the step out when it returns `true`; asked before the handler, not in a preview. */
  readonly skip?: ((controls: OutputOf<TControls>, context: SkipContext) => Awaitable<boolean>) | undefined
}

/** Options of the kinds of step that send a message. */
export interface ChannelOptions<TKind extends ChannelKind, TOutput, TControls extends Schema = NoSchema>
  extends StepOptions<TControls> {
  /** Overrides by provider id, run after the handler. */
  readonly providers?: ProviderOverrides<TKind, TOutput, OutputOf<TControls>> | undefined
  /** Sends HTML as the handler returned it. @default false */
  readonly disableOutputSanitization?: boolean | undefined
}

/** Options of the kinds of step whose handler returns the result itself. */
export interface CustomOptions<TControls extends Schema = NoSchema, TOutput extends Schema = NoSchema>
  extends StepOptions<TControls> {
  /** The shape of what the handler returns; without it the value passes unchanged. */
  readonly outputSchema?: TOutput | undefined
}

/** A value as later steps read it back from JSON: a `Date` is a text then. */
export type Stored<TValue> = TValue extends { toJSON(): infer TJson }
  ? TJson
  : TValue extends readonly unknown[] | object
    ? { [TKey in keyof TValue]: Stored<TValue[TKey]> }
    : TValue

type KeyOf<TUnion> = TUnion extends unknown ? keyof TUnion : never

/** The forms of an output that a value has; all of them if it has none. */
type FormOf<TReturned, TOutput> = TOutput extends unknown ? (TReturned extends TOutput ? TOutput : never) : never

/**
 * The fields that have a value: if several forms are returned, each has those of the others, without one. In tuples, because
 * a type that has an error itself would spread to the whole.
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

/** The fields that are objects with fields of their own which the output does not have. */
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
 * Refuses fields that an output does not have, and those that its objects do not have: a compile error then, instead of a
 * refused message at run time.
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

/** A check of what a handler returns, promised if that is a promise; nothing if there is nothing to check. */
type Promised<TReturned, TCheck> = unknown extends TCheck
  ? unknown
  : [TReturned] extends [PromiseLike<unknown>]
    ? PromiseLike<TCheck>
    : TCheck

/**
 * The handler of a step whose output has a fixed shape. Everything that it returns is inferred as one type, so that it may
 * return several forms, and the compiler reports a fault at its field. The last part gives texts their literal types.
 */
export type Handler<TControls extends Schema, TOutput, TReturned extends Awaitable<TOutput>> = (
  controls: OutputOf<TControls>,
  context: HandlerContext,
) => TReturned & Promised<TReturned, NoOtherFields<Awaited<TReturned>, TOutput>> & Awaitable<TOutput>

/** What can be stored as an object: no promise of something else, and no list. */
export type StorableObject = object & { readonly then?: never; readonly [Symbol.iterator]?: never }

/** Starts a step that sends a message. */
export type ChannelStep<TKind extends ChannelKind, TOutput, TResult = SentResult> = <
  const TControls extends Schema = NoSchema,
  TReturned extends Awaitable<TOutput> = TOutput,
>(
  id: string,
  handler: Handler<TControls, TOutput, TReturned>,
  options?: ChannelOptions<TKind, TOutput, TControls>,
) => Promise<TResult>

/** Starts a step that decides about time. */
export type TimingStep<TOutput, TResult> = <
  const TControls extends Schema = NoSchema,
  TReturned extends Awaitable<TOutput> = TOutput,
>(
  id: string,
  handler: Handler<TControls, TOutput, TReturned>,
  options?: StepOptions<TControls>,
) => Promise<ResultOf<TResult>>

/** Starts a step whose handler returns the result itself. */
export type CustomStep = <
  TReturned extends Awaitable<StorableObject>,
  const TOutput extends Schema = NoSchema,
  const TControls extends Schema = NoSchema,
>(
  id: string,
  handler: (
    controls: OutputOf<TControls>,
    context: HandlerContext,
  ) => TReturned & ([TOutput] extends [NoSchema] ? unknown : Promised<TReturned, InputOf<TOutput>>),
  options?: CustomOptions<TControls, TOutput>,
) => Promise<ResultOf<CustomResult<Awaited<TReturned>, TOutput>>>

type CustomResult<TReturned, TOutput> = [TOutput] extends [NoSchema]
  ? [keyof TReturned] extends [never]
    ? Readonly<Record<string, unknown>>
    : Stored<TReturned>
  : OutputOf<TOutput>
