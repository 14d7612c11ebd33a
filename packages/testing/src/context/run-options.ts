import type { JsonObject, Subscriber } from '@trestle/protocol'
import type { NetworkPolicy } from './network-policy.ts'
import type { Double } from './step-stub.ts'

/** A time: a date, ISO 8601, or milliseconds since 1970. */
export type Time = Date | string | number

/** What both a whole test bridge and a single run or call can be told. */
export interface SceneOptions {
  /** The test's clock: what `Date` tells to code under test. It stands still but for the waits. @default the time of the call */
  readonly now?: Time
  /** What may be reached beside loopback: nothing, everything, or these hosts. @default 'refuse' */
  readonly network?: NetworkPolicy
}

/** What a call of the service tells about a run. */
export interface EventOptions<TPayload> extends SceneOptions {
  /** The data of the trigger. */
  readonly payload?: TPayload
  /** The recipient, or its id. @default { subscriberId: 'subscriber-1' } */
  readonly subscriber?: Subscriber | string
  /** The environment's variables. `name` and `type` are there unless given. */
  readonly env?: JsonObject
  /** Contexts by type, each `{ id, data }`. */
  readonly context?: JsonObject
  /** Who caused the notification. */
  readonly actor?: Subscriber
}

/** A further trigger of the workflow, for the same subscriber. */
export interface FurtherTrigger<TPayload> {
  /** Its payload. */
  readonly payload: TPayload
  /** How long after the first it comes, in milliseconds. @default 0 */
  readonly afterMs?: number
}

/** What a run is given. */
export interface RunOptions<TPayload> extends EventOptions<TPayload> {
  /** Values of the steps' controls by step id, as someone would have set them in the service. */
  readonly controls?: Readonly<Record<string, JsonObject>>
  /** Stand-ins by step id. */
  readonly doubles?: Readonly<Record<string, Double>>
  /** Further triggers, which digests collect and throttles count. */
  readonly triggers?: readonly FurtherTrigger<TPayload>[]
  /** `every-step` repeats the run from its start for each step, and throws when that makes a difference. */
  readonly replay?: 'never' | 'every-step'
}

/** The options of a run: they can be left out where the workflow needs no payload. */
export type RunArguments<TPayload> = unknown extends TPayload
  ? [options?: RunOptions<JsonObject>]
  : Record<never, never> extends TPayload
    ? [options?: RunOptions<TPayload>]
    : [options: RunOptions<TPayload> & { readonly payload: TPayload }]

/**
 * Gives a time in milliseconds since 1970.
 *
 * @param time - The time; nothing stands for now.
 * @throws TypeError - It is no time.
 */
export function toMs(time: Time | undefined): number {
  if (time === undefined) return Date.now()
  const atMs = typeof time === 'number' ? time : new Date(time).getTime()
  if (Number.isFinite(atMs)) return atMs
  throw new TypeError(`The option now must be a time; got ${String(time)}.`)
}
