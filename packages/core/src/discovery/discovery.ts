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
  /** Steps share a number only where all of them were open at one time. */
  readonly parallelGroup: number
}

/** A run that ended, as it is kept for judging. */
export interface ExploredRun {
  /** The sample data it saw. */
  readonly variation: Variation
  /** The ids of its steps in the order of their calls. */
  readonly order: readonly string[]
  /** The same, for looking up: how many steps were done at the call. */
  readonly calls: ReadonlyMap<string, number>
  /** The steps in the order in which they were done. */
  readonly done: readonly string[]
  /** Whether the function came to its end: it neither failed nor called a step twice. */
  readonly hasEnded: boolean
}

/** The discovered steps of a workflow, and the runs that showed them. */
export interface Discovery {
  /** The steps, in an order that keeps each run's own. */
  readonly steps: readonly DiscoveredStep[]
  /** Their ids. */
  readonly ids: ReadonlySet<string>
  /** The runs that were made. */
  readonly runs: readonly ExploredRun[]
  /** Whether no run ever waited for anything but steps. */
  readonly awaitsOnlySteps: boolean
  /** Whether time was short, so that not all was tried. */
  readonly isLate: boolean
  /** The longest a run was silent while it waited for something else, in milliseconds. */
  readonly maxGapMs: number
  /** Warnings for the app's developers. */
  readonly warnings: readonly Warning[]
}
