import type { JsonObject, StepManifest, StepReply, StepState } from '@trestle/protocol'
import type { StepFailure, StepReport, StepStatus } from '../report/run-report.ts'
import type { DigestBuffer } from './timing/digest-buffer.ts'
import type { ThrottleCounter } from './timing/throttle-counter.ts'

/** A trigger of a workflow. */
export interface SimulatedTrigger {
  /** Its id. */
  readonly id: string
  /** Its payload. */
  readonly payload: JsonObject
  /** When it comes, milliseconds since 1970. */
  readonly atMs: number
}

/** The bridge's answer to the call of one step. */
export interface StepAnswer {
  /** The reply, when it went well. */
  readonly reply?: StepReply
  /** The failure, when it did not. */
  readonly error?: StepFailure
  /** The result that a stub wants stored. */
  readonly result?: JsonObject
  /** How long the bridge took, in milliseconds. */
  readonly durationMs: number
}

/** One trigger on its way through the steps. */
export interface TriggerRun {
  /** The trigger. */
  readonly trigger: SimulatedTrigger
  /** The stored state, newest step first. */
  readonly state: StepState[]
  /** The reports of the steps so far, in order. */
  readonly reports: StepReport[]
  /** Steps the function called that discovery does not list. */
  readonly unlisted: Set<string>
  /** The time it has come to, milliseconds since 1970. */
  nowMs: number
  /** How many steps lie behind it. */
  cursor: number
  /** Whether another trigger's digest has taken the event. */
  merged: boolean
  /** Ends the wait it is in; takes the time of the end. */
  finish: ((nowMs: number) => void) | undefined
}

/** The parts that all triggers of a run share. */
export interface Simulation {
  /** The steps of the workflow, in the service's order. */
  readonly steps: readonly StepManifest[]
  /** Calls the bridge to run a step. */
  execute(run: TriggerRun, step: StepManifest): Promise<StepAnswer>
  /** Finds out what the function does after its last step. */
  probeEnd(run: TriggerRun): Promise<void>
  /** The open digests. */
  readonly digests: DigestBuffer
  /** The throttles. */
  readonly throttles: ThrottleCounter
}

/** How a step ended, and what follows. */
export interface Settlement {
  /** How it ended, or will have ended after its wait. */
  readonly status: StepStatus
  /** Returns what is stored; called when the wait is over. */
  readonly result: () => JsonObject
  /** When the wait ends, milliseconds since 1970; without it there is none. */
  readonly untilMs?: number
  /** The failure. */
  readonly error?: StepFailure
  /** How the steps after it end without being called. */
  readonly rest?: 'skipped' | 'merged'
}
