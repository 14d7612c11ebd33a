import { afterSilence, nextTurn } from '../../base/event-loop.ts'
import { whetherOnlySteps } from './only-steps.ts'
import { isReplaying } from './replay-queue.ts'
import type { RunState } from './run-state.ts'

const shareOfRest = 0.8

/**
 * Looks after one turn of the event loop whether the run is at rest: no stored result is held or in delivery, and a turn
 * has passed without a new step call. Scheduling it twice is one look.
 *
 * @param run - The run.
 * @param atRest - Called if it is; not after the run has ended or reached the step that decides it.
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
    // The next delivery looks again.
    else if (!isReplaying(run)) atRest(run)
  })
}

/**
 * Acts when the run has been silent: no step was called and no result delivered. A run that awaits only steps, as its text
 * shows, is silent once it is at rest.
 *
 * @param run - The run, at rest.
 * @param silenceMs - How long, in milliseconds, but not longer than most of the time that the call has left; 0 acts at once.
 * @param act - What to do then; not called if there was progress, since the next rest schedules anew.
 */
export function whenSilent(run: RunState, silenceMs: number, act: () => void): void {
  if (silenceMs === 0) {
    act()
    return
  }
  const { progress, deadline } = run
  // Answered before the deadline: what a branch does after it is found by a later call.
  const mostMs = Math.max(0, shareOfRest * (deadline.atMs - performance.now()))
  const wait = (): void => (mostMs < silenceMs ? afterSilence(mostMs, check, 1) : afterSilence(silenceMs, check))
  const check = (): void => {
    if (run.progress === progress && !run.ended && !run.reached) act()
  }
  whetherOnlySteps(run, (isOnlySteps) => (isOnlySteps ? check() : wait()))
}
