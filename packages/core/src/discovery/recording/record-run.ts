import { turn } from '../../base/event-loop.ts'
import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { withContext } from '../../workflow/steps/step-context.ts'
import { guardLooseWork } from '../dictionary/loose-work.ts'
import { createSampleRunData, type SampleRunData } from '../samples/sample-run-data.ts'
import type { Variation } from '../samples/variation/variation.ts'
import { createVariationSource, type RecordingVariationSource } from '../samples/variation/variation-source.ts'
import { withApartTimes } from './apart-times.ts'
import { callFunction } from './call-function.ts'
import { type CallSite, toCallSites, toFrames } from './call-sites.ts'
import { withJoinedTexts } from './joined-texts.ts'
import { noteRacer, takeFirst } from './racers.ts'
import { createRecording, exceed, type Recording } from './record-step.ts'
import type { RecordedCall, RecordedRun, RecordOptions } from './recorded-run.ts'
import { withSameTexts } from './same-texts.ts'

// How long other work is looked for beside open steps, in turns of the event loop.
const patientTurns = 6
// Of so many open steps each is tried as the first to be done.
const maxRacers = 4

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
  recording.recent = variationSource.recent
  const samples = await createSampleRunData(workflow, variationSource, { lazy: true, counts: [1, 2, 0] })
  const runData = options.given ? await options.given(samples) : samples
  const endGuard = guardLooseWork(workflow)
  let outside: Error
  try {
    outside = callFunction(workflow, recording, runData)
    await turn()
    await drive({ recording, runData, variationSource })
  } finally {
    endGuard()
  }
  recording.over = true
  const { noted } = variationSource
  const same = withSameTexts(workflow, variation, variationSource)
  const joined = withJoinedTexts(workflow, variation, { reads: same, noted })
  const reads = withApartTimes(workflow, variation, { reads: joined, noted })
  return toRun(recording, { ...variationSource, reads }, outside)
}

interface Drive {
  readonly recording: Recording
  readonly runData: SampleRunData
  readonly variationSource: RecordingVariationSource
}

async function drive({ recording, runData, variationSource }: Drive): Promise<void> {
  const { open, options } = recording
  let leftMs = options.waitMs
  while (!recording.limit && !hasReached(recording)) {
    if (options.isPatient && open.length > 1) await lookForOtherWork(recording)
    const next = takeNext(recording, runData, variationSource)
    if (next) {
      const before = recording.activity
      const others = open.slice(0, maxRacers)
      recording.done.push(next.call.id)
      await releaseStep(recording, runData, next)
      await turn()
      // What it set off may be another's to set off: then each of those that were open is tried as the first.
      if (recording.activity > before) for (const { call } of others) noteRacer(variationSource, call)
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

/** Steps are done oldest first, unless the variation says that one of them comes first, or the call's data does. */
function takeNext(
  { open }: Recording,
  { rankOf }: SampleRunData,
  variationSource: RecordingVariationSource,
): Recording['open'][number] | undefined {
  if (open.length < 2) return open.shift()
  const ranks = open.map(({ call }) => rankOf?.(call) ?? Number.POSITIVE_INFINITY)
  const lowest = Math.min(...ranks)
  return Number.isFinite(lowest) ? open.splice(ranks.indexOf(lowest), 1)[0] : takeFirst(open, variationSource)
}

/** Waits a few turns: a call that comes now was set off by something that is no step. */
async function lookForOtherWork(recording: Recording): Promise<void> {
  for (let quiet = 0; quiet < patientTurns && !recording.limit; quiet++) {
    const before = recording.activity
    const { length } = recording.calls
    await turn()
    if (recording.activity === before) continue
    recording.awaitedIo = true
    recording.callsAtWork = length
    quiet = -1
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
    const shown = result instanceof Promise ? await result : result
    const context = runData.contextOf(call)
    release(context ? withContext(shown, context) : shown)
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
  recording.callsAtWork = recording.calls.length
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

function toRun(
  recording: Recording,
  { reads, seen, texts, misfits }: Pick<RecordedRun, 'reads' | 'seen' | 'texts' | 'misfits'>,
  outside: Error,
): RecordedRun {
  const { calls, doubles, done, limit, error, settled, awaitedIo, callsAtWork, maxGapMs, unused } = recording
  const end = limit ? 'limit' : error ? 'failed' : settled ? 'normal' : 'stuck'
  let frames: ReadonlySet<string> | undefined
  const sitesOf = ({ place }: RecordedCall): readonly CallSite[] => {
    frames ??= new Set(toFrames(outside))
    return place ? toCallSites(place, frames) : []
  }
  const thrown = error?.thrown ?? limit
  const known = { calls, doubles, done, end, error: thrown, reads, seen, texts, misfits } as const
  return { ...known, awaitedIo, callsAtWork, maxGapMs, unused: [...unused.values()], sitesOf }
}
