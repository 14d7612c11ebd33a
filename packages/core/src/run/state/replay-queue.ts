import { nextTurn } from '../../base/event-loop.ts'
import type { QueuedResult, ReplayQueue, RunState } from './run-state.ts'

const settled = Promise.resolve()

/**
 * Gives a stored result to the code that waits for it, in the order in which the steps were completed, so that a race
 * has the winner it had. The oldest one is given at once. Where several are open each one waits until what the one before
 * it set off has come to rest.
 *
 * @param run - The run.
 * @param id - The step.
 * @param value - Its result.
 * @returns The promise of the step call.
 * @source Protocol, "Running a step", the order of `state`.
 */
export function replayResult(run: RunState, id: string, value: unknown): Promise<unknown> {
  // With one stored result there is no order.
  const { state } = run.scope.event
  if (state.length < 2) return Promise.resolve(value)
  run.replay ??= createQueue(state.length)
  const { replay } = run
  if (replay.isAlone && replay.open.length === 0 && !replay.isOrdered && state[replay.next - 1]?.stepId === id) {
    replay.next--
    replay.isAlone = false
    // Runs before the code that waits for the result: what is called until then is called beside this step.
    void settled.then(replay.rest)
    return Promise.resolve(value)
  }
  return enqueue(run, replay, { id, value })
}

function createQueue(next: number): ReplayQueue {
  const replay: ReplayQueue = {
    open: [],
    next,
    isAlone: true,
    isOrdered: false,
    scheduled: false,
    rest() {
      replay.isAlone = true
    },
  }
  return replay
}

function enqueue(
  run: RunState,
  replay: ReplayQueue,
  { id, value }: { readonly id: string; readonly value: unknown },
): Promise<unknown> {
  if (!replay.isAlone) replay.isOrdered = true
  return new Promise((resolve) => {
    replay.open.push({ id, release: () => resolve(value) })
    if (replay.scheduled) return
    replay.scheduled = true
    if (replay.isOrdered) nextTurn(() => releaseNext(run, replay))
    else void settled.then(() => releaseAlone(run, replay))
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
  const alone = replay.open.pop()
  if (!alone) return
  // Older results that were not asked for by now belong to another path.
  const { state } = run.scope.event
  const at = state.findLastIndex(({ stepId }, index) => index < replay.next && stepId === alone.id)
  if (at !== -1) replay.next = at
  alone.release()
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
