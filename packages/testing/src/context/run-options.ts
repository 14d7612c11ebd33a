import type { JsonObject, StepState, Subscriber } from '@trestle/protocol'
import type { PlayedService } from '../report/run-report.ts'
import type { Time } from '../report/time.ts'
import type { NetworkPolicy } from './network-policy.ts'
import type { StepStub } from './step-stub.ts'

/** Options of a whole test bridge, and of a single run or call. */
export interface TestContextOptions {
  /**
   * The test's clock: the value of `Date` in code under test. It only advances during waits. @default the time of the
   * call
   */
  readonly now?: Time | undefined
  /** The allowed hosts in addition to loopback: none, all, or a list. @default 'refuse' */
  readonly network?: NetworkPolicy | undefined
}

/**
 * Merges options with those of the bridge; an option without a value falls back to that of the bridge.
 *
 * @param given - The options of a run, a call or a conversation.
 */
export function withBase<TBase extends object, TGiven extends object>(base: TBase, given: TGiven): TBase & TGiven {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...base, ...(Object.fromEntries(set) as TGiven) }
}

/** Options that describe the event of a call. */
export interface EventOptions<TPayload> extends TestContextOptions {
  /** The trigger payload. */
  readonly payload?: TPayload | undefined
  /** The recipient, or the recipient's id. @default { subscriberId: 'subscriber-1' } */
  readonly subscriber?: Subscriber | string | undefined
  /** The environment's variables. `name` and `type` have defaults. */
  readonly env?: JsonObject | undefined
  /** Contexts by type, each as `{ id, data }`. */
  readonly context?: JsonObject | undefined
  /** The actor who caused the notification, or the actor's id. */
  readonly actor?: Subscriber | string | undefined
}

/** The options of a call to one step. */
export interface StepCallOptions<TPayload> extends EventOptions<TPayload> {
  /** Values of the step's controls. */
  readonly controls?: JsonObject | undefined
  /** The stored state of earlier steps, newest first. */
  readonly state?: readonly StepState[] | undefined
}

/** A further trigger of the workflow, for the same subscriber. */
export interface FurtherTrigger<TPayload> {
  readonly payload: TPayload
  /** The delay after the first trigger, in milliseconds; not negative. @default 0 */
  readonly afterMs?: number | undefined
}

/** An event that steps wait for. */
export interface EmittedEvent {
  /** The name of the event. */
  readonly name: string
  /** The data of the event. @default {} */
  readonly payload?: JsonObject | undefined
  /** The id of the subscriber whose runs receive it. @default all */
  readonly to?: string | undefined
  /** The fields that waits compare. @default the fields of the payload */
  readonly match?: JsonObject | undefined
}

/** An event that is emitted at a certain time in the run. */
export interface TimedEvent extends EmittedEvent {
  /** The delay after the first trigger, in milliseconds; not negative. @default 0 */
  readonly afterMs?: number | undefined
}

/** Whether to replay a run for each step, to find nondeterministic code. */
export type ReplayPolicy = 'never' | 'every-step'

/** Options of the runs of a workflow that steps trigger. */
export interface ChildOptions {
  /** Control values by step id, as if set in the service. */
  readonly controls?: Readonly<Record<string, JsonObject>> | undefined
  /** Stubs by step id. */
  readonly doubles?: Readonly<Record<string, StepStub>> | undefined
}

/** Options of a run. */
export interface RunOptions<TPayload> extends EventOptions<TPayload> {
  /** Control values by step id, as if set in the service. */
  readonly controls?: Readonly<Record<string, JsonObject>> | undefined
  /** Stubs by step id. */
  readonly doubles?: Readonly<Record<string, StepStub>> | undefined
  /** More triggers, which digests collect and throttles count. */
  readonly triggers?: readonly FurtherTrigger<TPayload>[] | undefined
  /** Events that are emitted while the run waits; time is skipped. */
  readonly events?: readonly TimedEvent[] | undefined
  /** Options of the runs that steps trigger, by workflow id. */
  readonly children?: Readonly<Record<string, ChildOptions>> | undefined
  /**
   * The mode of the simulated service: it calls the steps that the run reaches, or the steps that discovery lists.
   * @default 'run-driven'
   */
  readonly service?: PlayedService | undefined
  /** `every-step` replays the run from its start for each step, and throws if results differ. @default 'never' */
  readonly replay?: ReplayPolicy | undefined
}

/** The options of a run: optional if the workflow needs no payload. */
export type RunArguments<TPayload> = unknown extends TPayload
  ? [options?: RunOptions<JsonObject>]
  : Record<never, never> extends TPayload
    ? [options?: RunOptions<TPayload>]
    : [options: RunOptions<TPayload> & { readonly payload: TPayload }]
