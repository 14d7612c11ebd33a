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
  /** Ids that were called more than once. */
  readonly doubles: readonly RecordedCall[]
  /** `normal`: the function returned. `failed`: it threw. `limit`: it went beyond a limit. `stuck`: it never returned. */
  readonly end: 'normal' | 'failed' | 'limit' | 'stuck'
  /** The thrown value. */
  readonly error: unknown
  /** The completed steps, in order. */
  readonly done: readonly string[]
  /** The places it read, each with the values it can have. */
  readonly reads: ReadonlyMap<string, PlaceRead>
  /** Whether it read the payload, and what it read last. */
  readonly seen: { readonly payload: boolean; readonly last: string }
  /** Paths whose samples do not match their schemas. */
  readonly misfits: ReadonlySet<string>
  /** Steps that decide about time and whose promise nothing ever used. */
  readonly unused: readonly StepCall[]
  /** Whether it called a step with a wrong id, handler or options. */
  readonly hasWrongCall: boolean
  /** Whether it waited for something other than a step. */
  readonly awaitedIo: boolean
  /** How many steps were called when it last waited for that. */
  readonly callsAtWork: number
}

/** A recorded run with the sample data it saw. */
export interface ExploringRun extends RecordedRun {
  readonly variation: Variation
}

/** How a run is recorded. */
export interface RecordOptions {
  /** A step at whose call the run is over. */
  readonly until?: string
  /**
   * Replaces sample data by data of a call.
   *
   * @param samples - The sample data.
   */
  readonly given?: (samples: SampleRunData) => SampleRunData | Promise<SampleRunData>
  /** How long it may wait for anything but steps, all in all, in milliseconds. Then it counts as stuck. */
  readonly waitMs: number
  /** Called if it waits for anything but steps. */
  readonly onIo?: () => void
}
