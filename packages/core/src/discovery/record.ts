import type { RegisteredWorkflow } from '../registered-workflow.ts'
import { never } from '../run/never.ts'
import { withContext } from '../run/stored-steps.ts'
import { turn } from '../run/turn.ts'
import { checkStepCall, createStep } from '../workflow/create-step.ts'
import type { StepCall } from '../workflow/step.ts'
import { createChooser, type RecordingChooser, type Variation } from './chooser.ts'
import { createSampleWorld, type SampleWorld } from './sample-world.ts'

const maxCalls = 2000
// A sample result tells that its step has not run.
const pending = Object.freeze({ timestamp: 0, state: Object.freeze({ status: 'pending', error: false }) })

/** A step call as a recorded run saw it. */
export interface RecordedCall {
  readonly id: string
  readonly call: StepCall
  /** How many steps were done when it came: calls with one number came in one stretch. */
  readonly batch: number
  /** Where in the app's code the call stands. */
  readonly place: Error
}

/** What became of one run on sample data. */
export interface RecordedRun {
  readonly calls: readonly RecordedCall[]
  /** Ids that were called more than once. */
  readonly doubles: readonly RecordedCall[]
  /** `normal`: the function returned. `failed`: it threw. `limit`: it went beyond a limit. `stuck`: it never returned. */
  readonly end: 'normal' | 'failed' | 'limit' | 'stuck'
  /** What was thrown. */
  readonly error: unknown
  /** The places it read, each with the number of values it can have. */
  readonly reads: ReadonlyMap<string, number>
  /** Whether it waited for something that is no step. */
  readonly awaitedIo: boolean
  /** The longest it was silent then, in milliseconds. */
  readonly maxGapMs: number
}

/** How a run is recorded. */
export interface RecordOptions {
  /** Steps that are never done. */
  readonly hold?: ReadonlySet<string>
  /** A step at whose call the run is over. */
  readonly until?: string
  /** How long it may be silent before it counts as stuck, in milliseconds; 0 is one turn of the event loop. */
  readonly silenceMs?: number
  /** How long it may wait for anything but steps, all in all, in milliseconds. */
  readonly waitMs: number
}

interface Recording {
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
 * Runs a workflow function on sample data and records its step calls. No handler runs. Steps are done one at a time,
 * oldest first, one turn of the event loop apart: so what is open at a call is what runs in parallel to it.
 *
 * @param workflow - The workflow.
 * @param variation - The sample data.
 * @param options - What is held back, and the limits.
 */
export async function record(
  workflow: RegisteredWorkflow,
  variation: Variation,
  options: RecordOptions,
): Promise<RecordedRun> {
  const recording: Recording = {
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
  const chooser = createChooser(variation, (reason) => exceed(recording, reason))
  const world = await createSampleWorld(workflow, chooser, { lazy: true, counts: [1, 2, 0] })
  callFunction(workflow, recording, world)
  await turn()
  await drive(recording, world)
  recording.over = true
  return toRun(recording, chooser)
}

function exceed(recording: Recording, reason: string): Error {
  recording.limit ??= new Error(`the function ${reason}`)
  recording.wake()
  return recording.limit
}

function callFunction(workflow: RegisteredWorkflow, recording: Recording, world: SampleWorld): void {
  const { payload, subscriber, env, controls, context, actor } = world
  const step = createStep((call) => startStep(recording, call))
  const input = { step, payload, subscriber, env, controls, context, actor, signal: new AbortController().signal }
  const settle = (error?: { readonly thrown: unknown }): void => {
    recording.settled = true
    recording.error ??= error
    recording.activity++
    recording.wake()
  }
  try {
    Promise.resolve(workflow.run(input)).then(
      () => settle(),
      (thrown: unknown) => settle({ thrown }),
    )
  } catch (thrown) {
    settle({ thrown })
  }
}

function startStep(recording: Recording, call: StepCall): Promise<unknown> {
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

async function drive(recording: Recording, world: SampleWorld): Promise<void> {
  const { open, options } = recording
  let leftMs = options.waitMs
  while (!recording.limit && !hasReached(recording)) {
    const next = open.shift()
    if (next) {
      recording.released++
      await releaseStep(recording, world, next)
      await turn()
    } else if (recording.settled) {
      // Branches that were not awaited get one more turn.
      const before = recording.activity
      await turn()
      if (recording.activity === before) return
    } else {
      const waitedMs = await waitForActivity(recording, Math.min(leftMs, options.silenceMs ?? leftMs))
      if (waitedMs === undefined) return
      leftMs -= waitedMs
    }
  }
}

function hasReached({ options, ids }: Recording): boolean {
  return options.until !== undefined && ids.has(options.until)
}

async function releaseStep(
  recording: Recording,
  world: SampleWorld,
  { call, release }: Recording['open'][number],
): Promise<void> {
  try {
    const result = world.resultOf(call)
    release(withContext(result instanceof Promise ? await result : result, pending))
  } catch (thrown) {
    recording.error ??= { thrown }
    recording.limit ??= new Error('the sample result of a step could not be made')
  }
}

/** Waits until a step is called or the function ends; gives how long that took, or `undefined` when nothing came. */
async function waitForActivity(recording: Recording, limitMs: number): Promise<number | undefined> {
  const before = recording.activity
  await turn()
  if (recording.activity > before || recording.limit) return 0
  if (limitMs <= 0) return undefined
  recording.awaitedIo = true
  const startMs = performance.now()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, limitMs)
    recording.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  recording.wake = () => undefined
  if (recording.activity === before && !recording.limit) return undefined
  const waitedMs = performance.now() - startMs
  recording.maxGapMs = Math.max(recording.maxGapMs, waitedMs)
  return waitedMs
}

function toRun(recording: Recording, { reads }: RecordingChooser): RecordedRun {
  const { calls, doubles, limit, error, settled, awaitedIo, maxGapMs } = recording
  const end = limit ? 'limit' : error ? 'failed' : settled ? 'normal' : 'stuck'
  return { calls, doubles, end, error: error?.thrown ?? limit, reads, awaitedIo, maxGapMs }
}
