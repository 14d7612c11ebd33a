import type { JsonObject, Subscriber } from '@trestle/protocol'
import type { Awaitable } from '../../base/awaitable.ts'
import type { InputOf, NoSchema, OutputOf, Schema } from '../../schema/schema-types.ts'
import type { ChannelKind } from '../providers/channel-kind.ts'
import type { ProviderOverrides } from '../providers/provider-overrides.ts'
import type { StepKind } from './kind.ts'
import type { ChatOutput, EmailOutput, InAppOutput, InAppResult, PushOutput, TextOutput } from './message-output.ts'
import type {
  DelayOutput,
  DelayResult,
  DigestOutput,
  DigestResult,
  ThrottleOutput,
  ThrottleResult,
} from './timing-output.ts'

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

/** Options of every kind of step. */
export interface StepOptions<TControls extends Schema = NoSchema> {
  /** The shape of the step's controls; without it they pass unchanged. */
  readonly controlSchema?: TControls
  /** Leaves the step out when it gives `true`; asked before the handler, not in a preview. */
  readonly skip?: (controls: OutputOf<TControls>, context: SkipContext) => Awaitable<boolean>
}

/** Options of the kinds of step that send a message. */
export interface ChannelOptions<TKind extends ChannelKind, TOutput, TControls extends Schema = NoSchema>
  extends StepOptions<TControls> {
  /** Overrides by provider id, run after the handler. */
  readonly providers?: ProviderOverrides<TKind, TOutput, OutputOf<TControls>>
  /** Sends HTML as the handler returned it. @default false */
  readonly disableOutputSanitization?: boolean
}

/** Options of the kinds of step whose handler returns the result itself. */
export interface CustomOptions<TControls extends Schema = NoSchema, TOutput extends Schema = NoSchema>
  extends StepOptions<TControls> {
  /** The shape of what the handler returns; without it the value passes unchanged. */
  readonly outputSchema?: TOutput
}

/** Starts a step that sends a message. */
export type ChannelStep<TKind extends ChannelKind, TOutput, TResult> = <const TControls extends Schema = NoSchema>(
  id: string,
  handler: (controls: OutputOf<TControls>, context: HandlerContext) => Awaitable<TOutput>,
  options?: ChannelOptions<TKind, TOutput, TControls>,
) => Promise<ResultOf<TResult>>

/** Starts a step that decides about time. */
export type TimingStep<TOutput, TResult> = <const TControls extends Schema = NoSchema>(
  id: string,
  handler: (controls: OutputOf<TControls>, context: HandlerContext) => Awaitable<TOutput>,
  options?: StepOptions<TControls>,
) => Promise<ResultOf<TResult>>

/** Starts a step whose handler returns the result itself. */
export type CustomStep = <const TControls extends Schema = NoSchema, const TOutput extends Schema = NoSchema>(
  id: string,
  handler: (controls: OutputOf<TControls>, context: HandlerContext) => Awaitable<InputOf<TOutput>>,
  options?: CustomOptions<TControls, TOutput>,
) => Promise<ResultOf<OutputOf<TOutput>>>

/** The steps a workflow function may start. Each takes an id, a handler and options, and gives the step's result. */
export interface Step {
  /** Sends an email. */
  readonly email: ChannelStep<'email', EmailOutput, JsonObject>
  /** Sends a text message. */
  readonly sms: ChannelStep<'sms', TextOutput, JsonObject>
  /** Sends a push message. */
  readonly push: ChannelStep<'push', PushOutput, JsonObject>
  /** Sends a chat message. */
  readonly chat: ChannelStep<'chat', ChatOutput, JsonObject>
  /** Puts a message into the recipient's inbox. */
  readonly inApp: ChannelStep<'inApp', InAppOutput, InAppResult>
  /** Calls an operations tool. */
  readonly tool: ChannelStep<'tool', TextOutput, JsonObject>
  /** Collects triggers for a while. */
  readonly digest: TimingStep<DigestOutput, DigestResult>
  /** Waits. */
  readonly delay: TimingStep<DelayOutput, DelayResult>
  /** Holds back runs that come too often. */
  readonly throttle: TimingStep<ThrottleOutput, ThrottleResult>
  /** Runs code of the app once; its result is stored. */
  readonly custom: CustomStep
  /** Asks another service once; its answer is stored. */
  readonly httpRequest: CustomStep
}

/** A step call as the framework sees it: any kind, types gone. */
export interface StepCall {
  /** The kind of step. */
  readonly kind: StepKind
  /** The step's id. */
  readonly id: string
  /** The handler. */
  readonly handler: (controls: unknown, context: HandlerContext) => unknown
  /** The options, possibly none. */
  readonly options: AnyStepOptions
}

/** Options of any kind of step, types gone. */
export interface AnyStepOptions {
  readonly controlSchema?: Schema
  readonly outputSchema?: Schema
  readonly skip?: (controls: unknown, context: SkipContext) => unknown
  readonly providers?: Readonly<Record<string, (input: { controls: unknown; outputs: unknown }) => unknown>>
  readonly disableOutputSanitization?: boolean
}
