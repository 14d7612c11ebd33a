import type { Warning } from '@trestle/protocol'
import type { StepCall } from '../workflow/steps/step-call.ts'
import type { Variation } from './samples/variation/variation.ts'

export interface DiscoveredStep {
  readonly id: string
  /** The first call of the step, with its options, handler and kind. */
  readonly call: StepCall
  /** Whether at least one run did not call it. */
  readonly conditional: boolean
  /** Steps share a number only if all of them were open at the same time. */
  readonly parallelGroup: number
  /** Whether a run called it. If not, only its id and kind are known from the source text. */
  readonly isReached: boolean
}

/** A finished run, stored for previews. */
export interface ExploredRun {
  /** The sample data it saw. */
  readonly variation: Variation
  /** The ids of its steps. */
  readonly ids: ReadonlySet<string>
  /** Whether the function ended normally: it did not fail and called no step twice. */
  readonly hasEnded: boolean
}

/** The discovered steps of a workflow, and the runs that called them. */
export interface Discovery {
  /** The steps, in an order consistent with every run. */
  readonly steps: readonly DiscoveredStep[]
  readonly ids: ReadonlySet<string>
  /** The ids of the steps called by a run. */
  readonly reached: ReadonlySet<string>
  /** The recorded runs. */
  readonly runs: readonly ExploredRun[]
  /** Returns whether one of two steps was called while the other was open. */
  parallel(one: string, other: string): boolean
  /** Whether the source text shows that the function calls no other steps. */
  readonly isComplete: boolean
  /** Whether no run ever waited for anything other than steps. */
  readonly awaitsOnlySteps: boolean
  /** Warnings for the app's developers. */
  readonly warnings: readonly Warning[]
}
