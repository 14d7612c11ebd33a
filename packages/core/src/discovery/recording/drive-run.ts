import { microtasksEnd, turn } from '../../base/event-loop.ts'
import { withContext } from '../../workflow/steps/step-context.ts'
import type { SampleRunData } from '../samples/sample-run-data.ts'
import type { Recording } from './record-step.ts'

type OpenStep = Recording['open'][number]

/** The inputs of a run. */
export interface Drive {
  readonly recording: Recording
  /** Provides the results of its steps. */
  readonly runData: Pick<SampleRunData, 'resultOf' | 'contextOf'>
  /** Removes and returns the next open step to complete. */
  takeNext(): OpenStep | undefined
}

/**
 * Completes the steps of a run until it ends: one at a time, each after the microtasks of the previous one. No timer
 * and no I/O runs in between, so other work only makes progress if no step is open. This makes the sequence of calls
 * the same on any machine.
 *
 * @param drive - The run, whose function has already been called.
 */
export async function driveRun({ recording, runData, takeNext }: Drive): Promise<void> {
  let leftMs = recording.options.waitMs
  await microtasksEnd()
  while (!recording.limit && !hasReached(recording)) {
    const next = takeNext()
    if (next) {
      recording.done.push(next.call.id)
      await releaseStep(recording, runData, next)
      await microtasksEnd()
    } else if (recording.settled) {
      // Unawaited branches get one more turn.
      const before = recording.activity
      await turn()
      if (recording.activity === before) break
      noteIo(recording)
    } else {
      const startMs = performance.now()
      if (!(await waitForActivity(recording, leftMs))) break
      leftMs -= performance.now() - startMs
    }
  }
  recording.over = true
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
    const sampleResult = result instanceof Promise ? await result : result
    const context = runData.contextOf(call)
    release(context ? withContext(sampleResult, context) : sampleResult)
  } catch (thrown) {
    recording.error ??= { thrown }
    recording.limit ??= new Error('the sample result of a step could not be made')
  }
}

/**
 * Waits until a step is called or the function ends, if that depends on other work. Returns whether either happened.
 */
async function waitForActivity(recording: Recording, limitMs: number): Promise<boolean> {
  if (limitMs <= 0) return false
  const before = recording.activity
  noteIo(recording)
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, limitMs)
    recording.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  recording.wake = () => undefined
  // Other code may have blocked the thread for that long: results that arrived in the meantime count.
  if (recording.activity === before) await turn()
  await microtasksEnd()
  return recording.activity > before || recording.limit !== undefined
}

function noteIo(recording: Recording): void {
  recording.awaitedIo = true
  recording.callsAtWork = recording.calls.length
  recording.options.onIo?.()
}
