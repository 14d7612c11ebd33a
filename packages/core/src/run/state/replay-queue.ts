import { nextTurn } from '../../base/event-loop.ts'
import type { QueuedResult, ReplayQueue, RunState } from './run-state.ts'

const settled = Promise.resolve()

/** A stored result on its way to the code that waits for it. */
export interface StoredResult {
  /** The step. */
  readonly id: string
  /** The result, or a promise of it. */
  readonly value: unknown
  /** Settles when the result was checked; given where that takes its time. */
  readonly ready?: Promise<unknown> | undefined
}

/**
 * Gives a stored result to the code that waits for it, in the order in which the steps were completed, so that a race
 * has the winner it had. The oldest one is given at once. Where several are open each one waits until what the one before
 * it set off has come to rest, also where a schema takes its time over that.
 *
 * @param run - The run.
 * @param result - The step, its result or a promise of it, and when that was checked.
 * @returns The promise of the step call.
 * @source Protocol, "Running a step", the order of `state`.
 */
export function replayResult(run: RunState, result: StoredResult): Promise<unknown> {
  const { id, value, ready } = result
  // With one stored result there is no order.
  const { state } = run.scope.event
  if (state.length < 2) return Promise.resolve(value)
  run.replay ??= createQueue(state.length)
  const { replay } = run
  if (
    !ready &&
    replay.isAlone &&
    replay.open.length === 0 &&
    !replay.isOrdered &&
    state[replay.next - 1]?.stepId === id
  ) {
    replay.next--
    replay.isAlone = false
    // Runs before the code that waits for the result: what is called until then is called beside this step.
    void settled.then(replay.rest)
    return Promise.resolve(value)
  }
  return enqueue(run, replay, result)
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

function enqueue(run: RunState, replay: ReplayQueue, { id, value, ready }: StoredResult): Promise<unknown> {
  if (!replay.isAlone || ready) replay.isOrdered = true
  return new Promise((resolve) => {
    replay.open.push({ id, release: () => resolve(value), ready })
    if (replay.scheduled) return
    replay.scheduled = true
    if (replay.isOrdered) scheduleNext(run, replay)
    else void settled.then(() => releaseAlone(run, replay))
  })
}

/** Runs when the code that called the step has come to its next `await`. */
function releaseAlone(run: RunState, replay: ReplayQueue): void {
  if (replay.open.length > 1) {
    replay.isOrdered = true
    scheduleNext(run, replay)
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
  replay.pending = oldest.ready
  if (open.length === 0) return
  replay.scheduled = true
  scheduleNext(run, replay)
}

/** The next result is given a turn after the last one was, which is only then when it was checked. */
function scheduleNext(run: RunState, replay: ReplayQueue): void {
  const { pending } = replay
  replay.pending = undefined
  const release = (): void => nextTurn(() => releaseNext(run, replay))
  if (pending) void pending.then(release, release)
  else release()
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
