import { AsyncLocalStorage } from 'node:async_hooks'
import type { JsonObject } from '@trestle/protocol'
import type { NetworkPolicy } from './network-policy.ts'
import type { Double } from './step-stub.ts'

/** A step call of the workflow function, as the kit saw it. */
export interface SeenCall {
  /** The step's id. */
  readonly stepId: string
  /** The kind of step, as the function wrote it. */
  readonly kind: string
}

/** What a rehearsal changes for the workflow function, and what it gives back in place of effects. */
export interface Rehearsal {
  /** How far the function's clock is moved, in milliseconds. */
  readonly shiftMs: number
  /** What `Math.random` gives to the function; `undefined` leaves it alone. */
  readonly random: number | undefined
  /** What the handler of a custom step gave the first time, so that its effect is not repeated. */
  readonly outputs: JsonObject
}

/** What surrounds one call of the bridge while it is tested. Whatever runs on behalf of the call finds it. */
export interface Scene {
  /** The time of the call, milliseconds since 1970. It stands still until the call has been answered. */
  readonly nowMs: number
  /** What may be reached over the network. */
  readonly network: NetworkPolicy
  /** URLs that were refused; grows while the call runs. */
  readonly refused: string[]
  /** Stand-ins by step id. */
  readonly doubles: ReadonlyMap<string, Double>
  /** What doubles want stored as their step's result, by step id; grows while the call runs. */
  readonly results: Map<string, JsonObject>
  /** The step calls of the function, in order; grows while the call runs. `undefined` leaves the function unstaged. */
  readonly calls: SeenCall[] | undefined
  /** Set where the call only repeats an earlier one. */
  readonly rehearsal: Rehearsal | undefined
  /** Whether the code that asks belongs to the workflow function itself, and to no handler. */
  readonly inFunction: boolean
}

/** The scene of the call on whose behalf code runs; nothing outside of a call. Calls at the same time do not mix. */
export const scenes: AsyncLocalStorage<Scene> = new AsyncLocalStorage()

/**
 * Makes the scene of a call.
 *
 * @param nowMs - The time of the call, milliseconds since 1970.
 * @param rest - What differs from a call without doubles, whose network is closed.
 */
export function createScene(nowMs: number, rest: Partial<Scene> = {}): Scene {
  return {
    nowMs,
    network: 'refuse',
    refused: [],
    doubles: new Map(),
    results: new Map(),
    calls: undefined,
    rehearsal: undefined,
    inFunction: false,
    ...rest,
  }
}

/**
 * Tells the time of a scene; a rehearsal moves it for the workflow function.
 *
 * @param scene - The scene.
 */
export function timeOf({ nowMs, inFunction, rehearsal }: Scene): number {
  return inFunction && rehearsal ? nowMs + rehearsal.shiftMs : nowMs
}
