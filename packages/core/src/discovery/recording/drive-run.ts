import { turn } from '../../base/event-loop.ts'
import { withContext } from '../../workflow/steps/step-context.ts'
import type { SampleRunData } from '../samples/sample-run-data.ts'
import type { Recording } from './record-step.ts'

type OpenStep = Recording['open'][number]

/** What a run is driven with. */
export interface Drive {
  readonly recording: Recording
  /** Gives the results of its steps. */
  readonly runData: Pick<SampleRunData, 'resultOf' | 'contextOf'>
  /** Takes the step that is done next out of those that are open. */
  takeNext(): OpenStep | undefined
}

// How long other work is looked for beside open steps, in turns of the event loop.
const patientTurns = 6

/**
 * Does the steps of a run until it ends: one at a time, one turn of the event loop apart, so that what is open at a call is
 * what runs in parallel to it.
 *
 * @param drive - The run, whose function was called.
 */
export async function driveRun({ recording, runData, takeNext }: Drive): Promise<void> {
  const { open, options } = recording
  let leftMs = options.waitMs
  await turn()
  while (!recording.limit && !hasReached(recording)) {
    if (options.isPatient && open.length > 1) await lookForOtherWork(recording)
    const next = takeNext()
    if (next) {
      recording.done.push(next.call.id)
      await releaseStep(recording, runData, next)
      await turn()
    } else if (recording.settled) {
      // Branches that were not awaited get one more turn.
      const before = recording.activity
      await turn()
      if (recording.activity === before) break
    } else {
      const waitedMs = await waitForActivity(recording, Math.min(leftMs, options.silenceMs ?? leftMs))
      if (waitedMs === undefined) break
      leftMs -= waitedMs
    }
  }
  recording.over = true
}

/** Waits a few turns: a call that comes now was set off by something that is no step. */
async function lookForOtherWork(recording: Recording): Promise<void> {
  for (let quiet = 0; quiet < patientTurns && !recording.limit; quiet++) {
    const before = recording.activity
    const { length } = recording.calls
    await turn()
    if (recording.activity === before) continue
    noteIo(recording, length)
    quiet = -1
  }
}

function hasReached({ options, ids }: Recording): boolean {
  return options.until !== undefined && ids.has(options.until)
}

async function releaseStep(
  recording: Recording,
  runData: Drive['runData'],
  { call, release }: OpenStep,
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
  noteIo(recording, recording.calls.length)
  const startMs = performance.now()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, limitMs)
    recording.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  recording.wake = () => undefined
  // Other code may have kept the thread for as long: what has come in the meantime counts.
  await turn()
  if (recording.activity === before && !recording.limit) return undefined
  const waitedMs = performance.now() - startMs
  recording.maxGapMs = Math.max(recording.maxGapMs, waitedMs)
  return waitedMs
}

function noteIo(recording: Recording, calls: number): void {
  recording.awaitedIo = true
  recording.callsAtWork = calls
  recording.options.onIo?.()
}
