import { never } from '../../base/never.ts'
import { checkStepCall } from '../../workflow/steps/create-step.ts'
import type { StepCall } from '../../workflow/steps/step-call.ts'
import type { SampleRunData } from '../samples/sample-run-data.ts'

const maxCalls = 2000

/** A step call as a recorded run saw it. */
export interface RecordedCall {
  readonly id: string
  readonly call: StepCall
  /** How many steps were done when it came: calls with one number came in one stretch. */
  readonly batch: number
  /** Where in the app's code the call stands. */
  readonly place: Error
}

/** The outcome of one run on sample data. */
export interface RecordedRun {
  readonly calls: readonly RecordedCall[]
  /** Ids that were called more than once. */
  readonly doubles: readonly RecordedCall[]
  /** `normal`: the function returned. `failed`: it threw. `limit`: it went beyond a limit. `stuck`: it never returned. */
  readonly end: 'normal' | 'failed' | 'limit' | 'stuck'
  /** The thrown value. */
  readonly error: unknown
  /** The places it read, each with the number of values it can have. */
  readonly reads: ReadonlyMap<string, number>
  /** Whether it waited for something that is no step. */
  readonly awaitedIo: boolean
  /** The longest it was silent then, in milliseconds. */
  readonly maxGapMs: number
}

/**
 * Returns whether a run called a step.
 *
 * @param run - The run.
 * @param id - The step.
 */
export function hasCalled({ calls }: RecordedRun, id: string): boolean {
  return calls.some((call) => call.id === id)
}

/** How a run is recorded. */
export interface RecordOptions {
  /** Steps that are never done. */
  readonly hold?: ReadonlySet<string>
  /** A step at whose call the run is over. */
  readonly until?: string
  /**
   * Puts data of a call in place of sample data.
   *
   * @param samples - The sample data.
   */
  readonly given?: (samples: SampleRunData) => SampleRunData | Promise<SampleRunData>
  /** How long it may be silent before it counts as stuck, in milliseconds; 0 is one turn of the event loop. */
  readonly silenceMs?: number
  /** How long it may wait for anything but steps, all in all, in milliseconds. */
  readonly waitMs: number
}

/** A run on sample data, as it stands. */
export interface Recording {
  readonly calls: RecordedCall[]
  readonly doubles: RecordedCall[]
  readonly open: { readonly call: StepCall; readonly release: (result: unknown) => void }[]
  readonly ids: Set<string>
  readonly options: RecordOptions
  released: number
  settled: boolean
  over: boolean
  error: { readonly thrown: unknown } | undefined
  limit: Error | undefined
  awaitedIo: boolean
  maxGapMs: number
  /** Counts step calls and the function's end. */
  activity: number
  /** How often the limit was thrown. */
  refusals: number
  /** Wakes the loop that waits for anything to happen. */
  wake: () => void
}

/**
 * Creates the record of a run that has not started.
 *
 * @param options - What is held back, and the limits.
 */
export function createRecording(options: RecordOptions): Recording {
  return {
    calls: [],
    doubles: [],
    open: [],
    ids: new Set(),
    options,
    released: 0,
    settled: false,
    over: false,
    error: undefined,
    limit: undefined,
    awaitedIo: false,
    maxGapMs: 0,
    activity: 0,
    refusals: 0,
    wake: () => undefined,
  }
}

/**
 * Notes that a run has gone beyond a limit; its steps are then not taken over.
 *
 * @param recording - The run.
 * @param reason - What the function did.
 * @returns What is to be thrown at the function.
 */
export function exceed(recording: Recording, reason: string): Error {
  recording.limit ??= new Error(`the function ${reason}`)
  recording.wake()
  return recording.limit
}

/**
 * Notes a step call of the function. The step is done when it is released.
 *
 * @param recording - The run.
 * @param call - The step call.
 * @throws TypeError - The step call was written wrongly.
 * @throws Error - The run has gone beyond a limit.
 */
export function recordStep(recording: Recording, call: StepCall): Promise<unknown> {
  if (recording.limit) return refuse(recording, recording.limit)
  if (recording.over) return never()
  checkStepCall(call)
  const { calls, doubles, open, ids, options, released } = recording
  // Out of the call and not out of its promise: the only way out of a loop that does not await.
  if (calls.length + doubles.length >= maxCalls) throw exceed(recording, `called more than ${maxCalls} steps`)
  const noted = { id: call.id, call, batch: released, place: new Error('step call') }
  if (ids.has(call.id)) doubles.push(noted)
  else calls.push(noted)
  ids.add(call.id)
  recording.activity++
  recording.wake()
  if (options.hold?.has(call.id)) return never()
  return new Promise((release) => open.push({ call, release }))
}

/** A loop that does not await ends by the throw; one that catches it ends by awaiting for ever. */
function refuse(recording: Recording, limit: Error): Promise<never> {
  recording.refusals++
  if (recording.refusals % 2 === 1) throw limit
  return never()
}
