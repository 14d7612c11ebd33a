import { AsyncLocalStorage } from 'node:async_hooks'
import type { JsonObject } from '@trestle/protocol'
import type { NetworkPolicy } from './network-policy.ts'
import { createRealWork, type RealWork } from './real-work.ts'
import type { StepStub } from './step-stub.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** A step call of the workflow function, as the kit saw it. */
export interface SeenCall {
  readonly stepId: string
  /** The kind of step, as the function wrote it. */
  readonly kind: string
}

/** The changes of a repeated call, and the outputs that stand in for effects. */
export interface Replay {
  /** How far the function's clock is moved, in milliseconds. */
  readonly shiftMs: number
  /** The number `Math.random` returns to the function; `undefined` leaves it alone. */
  readonly random: number | undefined
  /** The outputs of the first call's handler: that of a custom step is not run again. */
  readonly outputs: JsonObject
}

/** The surroundings of one call of the bridge in a test. Whatever runs on behalf of the call finds them. */
export interface TestContext {
  /** The time of the call, milliseconds since 1970. It stands still until the call has been answered. */
  readonly nowMs: number
  readonly network: NetworkPolicy
  /** URLs that were refused; grows while the call runs. */
  readonly refused: string[]
  /** URLs that the workflow function asked for itself, outside of every handler; grows while the call runs. */
  readonly requests: string[]
  readonly stubs: ReadonlyMap<string, StepStub>
  /** The results that function stubs want stored, by step id; grows while the call runs. */
  readonly results: Map<string, JsonObject>
  /** The step calls of the function, in order; grows while the call runs. `undefined` leaves the function unstubbed. */
  readonly calls: SeenCall[] | undefined
  /** Set where the call only repeats an earlier one. */
  readonly replay: Replay | undefined
  /** Whether the call only looks for what the function does after its last step; hooks are not told of it. */
  readonly isProbe: boolean
  /** Answers requests in place of the service; `undefined` for those that are not for it. */
  readonly service: ((url: string, init: RequestInit | undefined) => Promise<Response> | undefined) | undefined
  /** The clock that stands for that of the process, and by which timers are set; `undefined` leaves timers real. */
  readonly clock: VirtualClock | undefined
  /** What code waits for outside; `undefined` where nobody asks. */
  readonly work: RealWork | undefined
  /** What the workflow function waits for outside of its steps. */
  readonly functionWork: RealWork
  /** Whether the code that asks belongs to the workflow function itself, and not to a handler. */
  readonly inFunction: boolean
}

/** Holds the context of the call on whose behalf code runs; none outside of a call. Concurrent calls do not mix. */
export const contextStorage: AsyncLocalStorage<TestContext> = new AsyncLocalStorage()

/**
 * Creates the context of a call.
 *
 * @param nowMs - The time of the call, milliseconds since 1970.
 * @param rest - What differs from a call without stubs, whose network is closed.
 */
export function createTestContext(nowMs: number, rest: Partial<TestContext> = {}): TestContext {
  return {
    nowMs,
    network: 'refuse',
    refused: [],
    requests: [],
    stubs: new Map(),
    results: new Map(),
    calls: undefined,
    replay: undefined,
    isProbe: false,
    service: undefined,
    clock: undefined,
    work: undefined,
    functionWork: createRealWork(),
    inFunction: false,
    ...rest,
  }
}

/** Returns the time of a context; a replay moves it for the workflow function. */
export function timeOf({ nowMs, clock, inFunction, replay }: TestContext): number {
  if (clock) return clock.nowMs
  return inFunction && replay ? nowMs + replay.shiftMs : nowMs
}
