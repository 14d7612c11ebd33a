import { afterSilence, nextTurn } from '../../base/event-loop.ts'
import { whetherOnlySteps } from './only-steps.ts'
import { isReplaying } from './replay-queue.ts'
import type { RunState } from './run-state.ts'

const shareOfRest = 0.8

/**
 * Checks after one turn of the event loop whether the run is idle: no stored result is held or being delivered, and a
 * turn has passed without a new step call. Scheduling the check twice runs it only once.
 *
 * @param run - The run to check.
 * @param atRest - Called if the run is idle; not called after the run has ended or reached the deciding step.
 */
export function watchForRest(run: RunState, atRest: (run: RunState) => void): void {
  if (run.watching || run.ended || run.reached) return
  run.watching = true
  const { progress } = run
  nextTurn(() => {
    run.watching = false
    run.turnPassed = true
    if (run.ended || run.reached) return
    if (run.progress !== progress || run.checking > 0) watchForRest(run, atRest)
    // The next delivery checks again.
    else if (!isReplaying(run)) atRest(run)
  })
}

/**
 * Acts after the run has been inactive for a time: no step was called and no result delivered. A run whose source shows
 * that it awaits only steps counts as inactive as soon as it is idle.
 *
 * @param run - An idle run.
 * @param silenceMs - The time in milliseconds, limited to most of the remaining time of the call; with 0, acts
 * immediately.
 * @param act - Called after the time; not called if there was progress, because the next idle state schedules it again.
 */
export function whenSilent(run: RunState, silenceMs: number, act: () => void): void {
  if (silenceMs === 0) {
    act()
    return
  }
  const { progress, deadline } = run
  // Leaves time to respond before the deadline; a later call continues the branch.
  const mostMs = Math.max(0, shareOfRest * (deadline.atMs - performance.now()))
  const wait = (): void => (mostMs < silenceMs ? afterSilence(mostMs, check, 1) : afterSilence(silenceMs, check))
  const check = (): void => {
    if (run.progress === progress && !run.ended && !run.reached) act()
  }
  whetherOnlySteps(run, (isOnlySteps) => (isOnlySteps ? check() : wait()))
}
