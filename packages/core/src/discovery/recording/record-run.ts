import { turn } from '../../base/event-loop.ts'
import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { createStep } from '../../workflow/steps/create-step.ts'
import { withContext } from '../../workflow/steps/step-context.ts'
import { createSampleRunData, type SampleRunData } from '../samples/sample-run-data.ts'
import { createVariationSource, type RecordingVariationSource, type Variation } from '../samples/values/variation.ts'
import {
  createRecording,
  exceed,
  type RecordedRun,
  type Recording,
  type RecordOptions,
  recordStep,
} from './recorded-run.ts'

// A sample result tells that its step has not run.
const pending = Object.freeze({ timestamp: 0, state: Object.freeze({ status: 'pending', error: false }) })

/**
 * Runs a workflow function on sample data and records its step calls. No handler runs. Steps are done one at a time,
 * oldest first, one turn of the event loop apart: so what is open at a call is what runs in parallel to it.
 *
 * @param workflow - The workflow.
 * @param variation - The sample data.
 * @param options - What is held back, and the limits.
 */
export async function recordRun(
  workflow: RegisteredWorkflow,
  variation: Variation,
  options: RecordOptions,
): Promise<RecordedRun> {
  const recording = createRecording(options)
  const variationSource = createVariationSource(variation, (reason) => exceed(recording, reason))
  const samples = await createSampleRunData(workflow, variationSource, { lazy: true, counts: [1, 2, 0] })
  const runData = options.given ? await options.given(samples) : samples
  callFunction(workflow, recording, runData)
  await turn()
  await drive(recording, runData)
  recording.over = true
  return toRun(recording, variationSource)
}

function callFunction(workflow: RegisteredWorkflow, recording: Recording, runData: SampleRunData): void {
  const { payload, subscriber, env, controls, context, actor } = runData
  const step = createStep((call) => recordStep(recording, call))
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

async function drive(recording: Recording, runData: SampleRunData): Promise<void> {
  const { open, options } = recording
  let leftMs = options.waitMs
  while (!recording.limit && !hasReached(recording)) {
    const next = open.shift()
    if (next) {
      recording.released++
      await releaseStep(recording, runData, next)
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
  runData: SampleRunData,
  { call, release }: Recording['open'][number],
): Promise<void> {
  try {
    const result = runData.resultOf(call)
    release(withContext(result instanceof Promise ? await result : result, runData.contextOf?.(call) ?? pending))
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

function toRun(recording: Recording, { reads }: RecordingVariationSource): RecordedRun {
  const { calls, doubles, limit, error, settled, awaitedIo, maxGapMs } = recording
  const end = limit ? 'limit' : error ? 'failed' : settled ? 'normal' : 'stuck'
  return { calls, doubles, end, error: error?.thrown ?? limit, reads, awaitedIo, maxGapMs }
}
