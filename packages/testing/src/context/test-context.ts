import { AsyncLocalStorage } from 'node:async_hooks'
import type { JsonObject } from '@trestle/protocol'
import type { NetworkPolicy } from './network-policy.ts'
import { createRealWork, type RealWork } from './real-work.ts'
import type { EmittedEvent } from './run-options.ts'
import type { StepStub } from './step-stub.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** A step call made by the workflow function, as seen by the kit. */
export interface SeenCall {
  readonly stepId: string
  /** The kind of step, as the function wrote it. */
  readonly kind: string
}

/** The changes of a replayed call, and the recorded outputs that replace side effects. */
export interface Replay {
  /** The offset of the function's clock, in milliseconds. */
  readonly shiftMs: number
  /** The number that `Math.random` returns in the function; `undefined` does not change it. */
  readonly random: number | undefined
  /** The outputs of the handlers in the first call: the handler of a custom step is not run again. */
  readonly outputs: JsonObject
}

/** The context of one bridge call in a test, available to all code that runs for the call. */
export interface TestContext {
  /** The time of the call, milliseconds since 1970. It is fixed until the call has ended. */
  readonly nowMs: number
  readonly network: NetworkPolicy
  /** Blocked URLs; added to while the call runs. */
  readonly refused: string[]
  /** URLs that the workflow function requested outside all handlers; added to while the call runs. */
  readonly requests: string[]
  readonly stubs: ReadonlyMap<string, StepStub>
  /** The results that function stubs want stored, by step id; added to while the call runs. */
  readonly results: Map<string, JsonObject>
  /** The step calls of the function, in order; added to while the call runs. `undefined` does not stub the function. */
  readonly calls: SeenCall[] | undefined
  /** Set if the call only replays an earlier one. */
  readonly replay: Replay | undefined
  /** Whether the call only looks for steps after the last one; hooks ignore it. */
  readonly isProbe: boolean
  /** Responds to requests to the service; returns `undefined` for other requests. */
  readonly service: ((url: string, init: RequestInit | undefined) => Promise<Response> | undefined) | undefined
  /** Emits an event in the run that the call belongs to; `undefined` outside a run. */
  readonly emit: ((event: EmittedEvent, atMs: number) => void) | undefined
  /** The clock that replaces that of the process and sets timers; `undefined` keeps timers real. */
  readonly clock: VirtualClock | undefined
  /** The external work of the code; `undefined` if it is not tracked. */
  readonly work: RealWork | undefined
  /** The external work of the workflow function outside its steps. */
  readonly functionWork: RealWork
  /** Whether the current code belongs to the workflow function itself, not to a handler. */
  readonly inFunction: boolean
}

/**
 * The context of the call that the current code runs for; empty outside a call. Concurrent calls have separate
 * contexts.
 */
export const contextStorage: AsyncLocalStorage<TestContext> = new AsyncLocalStorage()

/**
 * Creates the context of a call.
 *
 * @param nowMs - The time of the call, milliseconds since 1970.
 * @param rest - Differences from a call without stubs and network access.
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
    emit: undefined,
    clock: undefined,
    work: undefined,
    functionWork: createRealWork(),
    inFunction: false,
    ...rest,
  }
}

/** Returns the time of a context; a replay shifts it for the workflow function. */
export function timeOf({ nowMs, clock, inFunction, replay }: TestContext): number {
  if (clock) return clock.nowMs
  return inFunction && replay ? nowMs + replay.shiftMs : nowMs
}
