import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { createSampleRunData, type SampleRunData, toGiven } from '../samples/sample-run-data.ts'
import type { Variation } from '../samples/variation/variation.ts'
import { createVariationSource } from '../samples/variation/variation-source.ts'
import { callFunction } from './call-function.ts'
import { driveRun } from './drive-run.ts'
import { guardSampleRun } from './guard-sample-run.ts'
import { createRecording, exceed, type Recording } from './record-step.ts'
import type { RecordedRun, RecordOptions } from './recorded-run.ts'

/**
 * Runs a workflow function on sample data and records its step calls. Step handlers do not run. Steps complete one at a
 * time, oldest first.
 *
 * @param workflow - The workflow to run.
 * @param variation - The sample data to use.
 * @param options - When to stop, and the data to use.
 */
export async function recordRun(
  workflow: RegisteredWorkflow,
  variation: Variation,
  options: RecordOptions,
): Promise<RecordedRun> {
  const recording = createRecording(options)
  const variationSource = createVariationSource(variation, (reason) => exceed(recording, reason))
  const style = { lazy: true, counts: [1, 2, 0], ...toGiven(workflow, variation) }
  const samples = await createSampleRunData(workflow, variationSource, style)
  const runData = options.given ? await options.given(samples) : samples
  const endGuard = guardSampleRun()
  try {
    callFunction(workflow, recording, runData)
    await driveRun({ recording, runData, takeNext: () => takeNext(recording, runData) })
  } finally {
    endGuard()
  }
  return toRun(recording, variationSource)
}

/** Removes the next step to complete: the oldest, unless the data of the call defines a different order. */
function takeNext({ open }: Recording, { rankOf }: SampleRunData): Recording['open'][number] | undefined {
  if (open.length < 2) return open.shift()
  const ranks = open.map(({ call }) => rankOf?.(call) ?? Number.POSITIVE_INFINITY)
  const lowest = Math.min(...ranks)
  return open.splice(ranks.indexOf(lowest), 1)[0]
}

function toRun(
  recording: Recording,
  { reads, seen, misfits }: Pick<RecordedRun, 'reads' | 'seen' | 'misfits'>,
): RecordedRun {
  const { calls, doubles, done, limit, error, settled, awaitedIo, callsAtWork, unused, hasWrongCall } = recording
  const end = limit ? 'limit' : error ? 'failed' : settled ? 'normal' : 'stuck'
  const thrown = error?.thrown ?? limit
  const mainFields = { calls, doubles, done, end, error: thrown, reads, seen, misfits } as const
  return { ...mainFields, hasWrongCall, awaitedIo, callsAtWork, unused: [...unused.values()] }
}
