import { nextTurn } from '../../base/event-loop.ts'
import type { QueuedResult, ReplayQueue, RunState } from './run-state.ts'

/**
 * Gives a stored result to the code that waits for it, in the order in which the steps were completed, so that a race
 * has the winner it had. A result that is alone is given as soon as the code that called the step has run; where several
 * are open each one waits until what the one before it set off has come to rest.
 *
 * @param run - The run.
 * @param id - The step.
 * @param value - Its result.
 * @returns The promise of the step call.
 * @source Protocol, "Running a step", the order of `state`.
 */
export function replayResult(run: RunState, id: string, value: unknown): Promise<unknown> {
  // With one stored result there is no order.
  if (run.scope.event.state.length < 2) return Promise.resolve(value)
  run.replay ??= { open: [], isOrdered: false, scheduled: false }
  const { replay } = run
  return new Promise((resolve) => {
    replay.open.push({ id, release: () => resolve(value) })
    if (replay.scheduled) return
    replay.scheduled = true
    if (replay.isOrdered) nextTurn(() => releaseNext(run, replay))
    else void Promise.resolve().then(() => releaseAlone(run, replay))
  })
}

/** Runs when the code that called the step has come to its next `await`. */
function releaseAlone(run: RunState, replay: ReplayQueue): void {
  if (replay.open.length > 1) {
    replay.isOrdered = true
    nextTurn(() => releaseNext(run, replay))
    return
  }
  replay.scheduled = false
  replay.open.pop()?.release()
}

function releaseNext(run: RunState, replay: ReplayQueue): void {
  replay.scheduled = false
  const { open } = replay
  const [first] = open
  if (!first || run.ended) return
  const oldest = open.length === 1 ? first : findOldest(run, open)
  open.splice(open.indexOf(oldest), 1)
  run.progress++
  // The turn was ours: what the function now calls is no sign of other work.
  run.turnPassed = false
  oldest.release()
  if (open.length === 0) return
  replay.scheduled = true
  nextTurn(() => releaseNext(run, replay))
}

function findOldest({ scope }: RunState, open: readonly QueuedResult[]): QueuedResult {
  const [first = { id: '', release: () => undefined }] = open
  if (open.length === 1) return first
  const byId = new Map(open.map((queued) => [queued.id, queued]))
  // The steps are kept in the order in which they were completed.
  for (const id of scope.memoizedSteps.keys()) {
    const found = byId.get(id)
    if (found) return found
  }
  return first
}
