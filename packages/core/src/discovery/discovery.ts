import type { Warning } from '@trestle/protocol'
import type { StepCall } from '../workflow/steps/step-call.ts'
import type { Variation } from './samples/variation/variation.ts'

/** A step as discovery found it. */
export interface DiscoveredStep {
  readonly id: string
  /** The call with which it was first seen; options, handler, kind. */
  readonly call: StepCall
  /** Whether it is absent from some run. */
  readonly conditional: boolean
  /** Steps share a number only if all of them were open at one time. */
  readonly parallelGroup: number
  /** Whether a run called it. If not, only its text is known: its id and kind. */
  readonly isReached: boolean
}

/** A run that ended, as it is kept for previews. */
export interface ExploredRun {
  /** The sample data it saw. */
  readonly variation: Variation
  /** The ids of its steps. */
  readonly ids: ReadonlySet<string>
  /** Whether the function came to its end: it neither failed nor called a step twice. */
  readonly hasEnded: boolean
}

/** The discovered steps of a workflow, and the runs that showed them. */
export interface Discovery {
  /** The steps, in an order that keeps each run's own. */
  readonly steps: readonly DiscoveredStep[]
  /** Their ids. */
  readonly ids: ReadonlySet<string>
  /** The ids of those that a run has called. */
  readonly reached: ReadonlySet<string>
  /** The runs that were made. */
  readonly runs: readonly ExploredRun[]
  /** Returns whether one of two steps was called while the other was open. */
  parallel(one: string, other: string): boolean
  /** Whether the function can call no other step, by its text. */
  readonly isComplete: boolean
  /** Whether no run ever waited for anything but steps. */
  readonly awaitsOnlySteps: boolean
  /** Warnings for the app's developers. */
  readonly warnings: readonly Warning[]
}
