import type { StepCall } from '../../workflow/steps/step-call.ts'
import type { SampleRunData } from '../samples/sample-run-data.ts'
import type { PlaceRead, Variation } from '../samples/variation/variation.ts'

/** A step call as a recorded run saw it. */
export interface RecordedCall {
  readonly id: string
  readonly call: StepCall
  /** The number of steps completed before the call. */
  readonly done: number
  /** The steps that were called before it and were still open. */
  readonly open: readonly string[]
}

/** The result of one run on sample data. */
export interface RecordedRun {
  readonly calls: readonly RecordedCall[]
  /** Calls whose id was already used. */
  readonly doubles: readonly RecordedCall[]
  /** `normal`: the function returned. `failed`: it threw. `limit`: it exceeded a limit. `stuck`: it never returned. */
  readonly end: 'normal' | 'failed' | 'limit' | 'stuck'
  /** The thrown value. */
  readonly error: unknown
  /** The completed steps, in order. */
  readonly done: readonly string[]
  /** The places that the run read, each with its possible values. */
  readonly reads: ReadonlyMap<string, PlaceRead>
  /** Whether the run read the payload, and what it read last. */
  readonly seen: { readonly payload: boolean; readonly last: string }
  /** Paths whose samples do not match their schemas. */
  readonly misfits: ReadonlySet<string>
  /** Timing steps, such as delays, whose promise was never used. */
  readonly unused: readonly StepCall[]
  /** Whether it called a step with an invalid id, handler or options. */
  readonly hasWrongCall: boolean
  /** Whether it waited for something other than a step. */
  readonly awaitedIo: boolean
  /** The number of step calls when it last waited for other work. */
  readonly callsAtWork: number
}

/** A recorded run with the sample data it used. */
export interface ExploringRun extends RecordedRun {
  readonly variation: Variation
}

/** How a run is recorded. */
export interface RecordOptions {
  /** The id of a step; the run ends when it is called. */
  readonly until?: string
  /**
   * Replaces sample data with the data of a call.
   *
   * @param samples - The sample data.
   */
  readonly given?: (samples: SampleRunData) => SampleRunData | Promise<SampleRunData>
  /** The total time it may wait for anything other than steps, in milliseconds. After that it counts as stuck. */
  readonly waitMs: number
  /** Called if it waits for anything other than steps. */
  readonly onIo?: () => void
}
