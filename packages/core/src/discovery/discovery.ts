import type { StepCall } from '../workflow/steps/step-call.ts'
import type { Variation } from './samples/values/variation.ts'

/** A step as discovery found it. */
export interface DiscoveredStep {
  readonly id: string
  /** The call with which it was first seen; options, handler, kind. */
  readonly call: StepCall
  /** Whether it is absent from some run. */
  readonly conditional: boolean
  /** Steps with one number were started together. */
  readonly parallelGroup: number
}

/** A run that ended, as it is kept for judging. */
export interface ExploredRun {
  /** The sample data it saw. */
  readonly variation: Variation
  /** The ids of its steps in the order of their calls. */
  readonly order: readonly string[]
  /** The same, for looking up. */
  readonly calls: ReadonlySet<string>
}

/** The discovered steps of a workflow, and the runs that showed them. */
export interface Discovery {
  /** The steps, in an order that keeps each run's own. */
  readonly steps: readonly DiscoveredStep[]
  /** The runs that were made. */
  readonly runs: readonly ExploredRun[]
  /** Whether no run ever waited for anything but steps. */
  readonly awaitsOnlySteps: boolean
  /** The longest a run was silent while it waited for something else, in milliseconds. */
  readonly maxGapMs: number
  /** Warnings for the app's developers. */
  readonly warnings: readonly string[]
}
