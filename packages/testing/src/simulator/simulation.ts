import type { JsonObject, StepManifest, StepReply, StepState } from '@trestle/protocol'
import type { StepFailure, StepReport, StepStatus } from '../report/run-report.ts'
import type { DigestDesk } from './digest-buffer.ts'
import type { ThrottleDesk } from './throttle-counter.ts'

/** A trigger of a workflow. */
export interface PlayedTrigger {
  /** Its id. */
  readonly id: string
  /** Its payload. */
  readonly payload: JsonObject
  /** When it comes, milliseconds since 1970. */
  readonly atMs: number
}

/** What the bridge said to one step. */
export interface StepAnswer {
  /** The reply, when it went well. */
  readonly reply?: StepReply
  /** The failure, when it did not. */
  readonly error?: StepFailure
  /** What a double wants stored as the result. */
  readonly result?: JsonObject
  /** How long the bridge took, in milliseconds. */
  readonly durationMs: number
}

/** One trigger on its way through the steps. */
export interface Play {
  /** The trigger. */
  readonly trigger: PlayedTrigger
  /** What is stored of the steps, newest first. */
  readonly state: StepState[]
  /** What became of the steps so far, in order. */
  readonly reports: StepReport[]
  /** The time it has come to, milliseconds since 1970. */
  nowMs: number
  /** How many steps lie behind it. */
  cursor: number
  /** Whether another trigger's digest has taken the event. */
  merged: boolean
  /** Ends the wait it is in; given the time of the end. */
  finish: ((nowMs: number) => void) | undefined
}

/** What all triggers of a test share. */
export interface Theatre {
  /** The steps of the workflow, in the service's order. */
  readonly steps: readonly StepManifest[]
  /** Asks the bridge to run a step. */
  execute(play: Play, step: StepManifest): Promise<StepAnswer>
  /** The open digests. */
  readonly digests: DigestDesk
  /** The throttles. */
  readonly throttles: ThrottleDesk
}

/** How a step ended, and what follows. */
export interface Settlement {
  /** How it ended, or will have ended after its wait. */
  readonly status: StepStatus
  /** What is stored; asked for when the wait is over. */
  readonly result: () => JsonObject
  /** When the wait ends, milliseconds since 1970; without it there is none. */
  readonly untilMs?: number
  /** The failure. */
  readonly error?: StepFailure
  /** How the steps after it end without being called. */
  readonly rest?: 'skipped' | 'merged'
}
