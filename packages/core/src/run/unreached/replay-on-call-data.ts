import { explore } from '../../discovery/exploring/explore.ts'
import { recordRun } from '../../discovery/recording/record-run.ts'
import { hasCalled, type RecordedRun, type RecordOptions } from '../../discovery/recording/recorded-run.ts'
import type { Variation } from '../../discovery/samples/variation/variation.ts'
import type { RunScope } from '../state/step-run.ts'
import { toCallData } from './call-data.ts'
import { idleTimeoutMs } from './idle-timeout.ts'
import type { ClassifyOptions } from './idle-verdict.ts'

/** The outcome of replaying a run on the data of its call. */
export interface CallDataReplay {
  /**
   * `never`: the requested step is not reached, whatever the steps without a result may give. `blocked`: it is, but not
   * before a waiting step is done. `parallel`: it is, while the waiting steps wait. `unproved`: it was not, but the
   * function threw on every sample result, or there was more to try. `unclear`: it did not end.
   */
  readonly verdict: 'never' | 'blocked' | 'parallel' | 'unproved' | 'unclear'
  /** The step that must be done first, where the verdict is `blocked`. */
  readonly blockedBy?: string
  /** Whether the function waited for anything but steps. */
  readonly awaitedIo: boolean
  /** Whether each run has called all that waits, and then waited for nothing but steps until it ended. */
  readonly endsBySteps?: boolean
}

/**
 * Tries out whether a run that has come to rest could still reach its step: runs the function again on the data of the
 * call, where only steps without a stored result give sample results. No handler runs.
 *
 * @param scope - The run.
 * @param waiting - The steps that were called and have no stored result.
 * @param options - When it is over; with `isOnce` only one sample of each result is tried.
 */
export async function replayOnCallData(
  scope: RunScope,
  waiting: readonly string[],
  { deadline, isOver, isOnce = false }: ClassifyOptions & { readonly isOnce?: boolean },
): Promise<CallDataReplay> {
  const { workflow, stepId } = scope
  const leftMs = (): number => Math.max(0, deadline.atMs - performance.now())
  const run = (variation: Variation, options: Partial<RecordOptions>): Promise<RecordedRun> =>
    recordRun(workflow, variation, {
      until: stepId,
      waitMs: leftMs(),
      given: (samples) => toCallData(scope, samples),
      ...options,
    })
  const { runs, cut } = await explore({
    record: (variation, waitMs) => run(variation, { waitMs }),
    waitMs: leftMs(),
    isEnough: (made) => isOnce || isOver() || hasCalled(made, stepId),
  })
  const awaitedIo = runs.some((made) => made.awaitedIo)
  const found = runs.find((made) => hasCalled(made, stepId))
  if (!found)
    return { verdict: toVerdict(runs, cut), awaitedIo, endsBySteps: runs.every((made) => endsBySteps(made, waiting)) }
  const reachesWithout = async (held: readonly string[]): Promise<boolean> =>
    hasCalled(await run(found.variation, { hold: new Set(held), silenceMs: idleTimeoutMs(found) }), stepId)
  if (await reachesWithout(waiting)) return { verdict: 'parallel', awaitedIo }
  for (const id of waiting)
    if (isOver() || !(await reachesWithout([id]))) return { verdict: 'blocked', blockedBy: id, awaitedIo }
  return { verdict: 'blocked', ...(waiting[0] !== undefined && { blockedBy: waiting[0] }), awaitedIo }
}

function toVerdict(runs: readonly RecordedRun[], cut: boolean): CallDataReplay['verdict'] {
  if (runs.some(({ end }) => end === 'stuck')) return 'unclear'
  return !cut && runs.some(({ end }) => end === 'normal') ? 'never' : 'unproved'
}

function endsBySteps(run: RecordedRun, waiting: readonly string[]): boolean {
  const { calls, callsAtWork, end } = run
  if (end !== 'normal' || !waiting.every((id) => hasCalled(run, id))) return false
  return calls.findIndex(({ id }) => waiting.includes(id)) >= callsAtWork
}
