import { afterMicrotasks, afterSilence, nextTurn } from '../../base/event-loop.ts'
import { isOneAtATime, whetherOnlySteps } from './only-steps.ts'
import type { ReplayQueue, RunState, StoredResult } from './run-state.ts'

// After this much inactivity, the stored results are considered outdated: for example, a deploy has removed a step.
const unfitMs = 250
// Reading the source of a function loads a module, which is not worthwhile for a few results.
const worthReading = 8

/**
 * Delivers a stored result to the code that awaits it, strictly in completion order. A result is held until every older
 * one was called and delivered, so that races always have the same winner. Each delivery waits until the code resumed
 * by the previous one is idle.
 *
 * @param run - The run that awaits the result.
 * @param result - The step, its result or a promise of it, and a promise that settles when it has been validated.
 * @returns The promise of the step call.
 * @source bridge-protocol.md#delivery-of-results
 */
export function replayResult(run: RunState, result: StoredResult): Promise<unknown> {
  // A single result needs no ordering.
  if (run.scope.stored.length < 2) return Promise.resolve(result.value)
  run.replay ??= createQueue(run)
  const queue = run.replay
  // Steps that are awaited one after another cannot overtake each other.
  if (queue.isSequential) return Promise.resolve(result.value)
  const position = positionOf(run, queue, result.id)
  queue.values[position] = result.value
  if (result.ready) queue.checks[position] = result.ready
  queue.heldCount++
  if (queue.heldCount > 1) queue.parallel = true
  if (position < queue.lowest) queue.lowest = position
  return new Promise((resolve) => {
    queue.held[position] = resolve
    deliverSoon(run, queue)
  })
}

/** Returns whether a result is held or being delivered, so that the run is not idle. */
export function isReplaying({ replay }: RunState): boolean {
  return replay !== undefined && (replay.heldCount > 0 || replay.scheduled)
}

function createQueue(run: RunState): ReplayQueue {
  const queue: ReplayQueue = {
    held: [],
    values: [],
    checks: [],
    isSequential: run.scope.stored.length >= worthReading && isOneAtATime(run),
    heldCount: 0,
    lowest: 0,
    next: 0,
    positions: undefined,
    scheduled: false,
    parallel: false,
    unfit: false,
    watched: false,
    deliver: () => deliver(run, queue),
  }
  if (!queue.isSequential) skipFree(run, queue)
  return queue
}

function positionOf({ scope: { stored } }: RunState, queue: ReplayQueue, id: string): number {
  const last = stored.length - 1
  if (stored[last - queue.next]?.stepId === id) return queue.next
  queue.positions ??= new Map(stored.map(({ stepId }, index) => [stepId, last - index]))
  return queue.positions.get(id) ?? last
}

/** Skips positions that do not hold back any result. */
function skipFree({ scope }: RunState, queue: ReplayQueue): void {
  const { stored, stepId, event } = scope
  while (queue.next < stored.length) {
    const entry = stored[stored.length - 1 - queue.next]
    // A service that follows the list stores an entry for each listed step that the run skipped.
    const isFree = entry?.stepId === stepId || (!event.next && entry?.state.status !== 'completed')
    if (!isFree || queue.held[queue.next]) return
    queue.next++
  }
}

/** Returns the oldest held result that no other result holds back. */
function findDeliverable(queue: ReplayQueue): number | undefined {
  if (queue.heldCount === 0) return undefined
  while (!queue.held[queue.lowest]) queue.lowest++
  return queue.unfit || queue.lowest <= queue.next ? queue.lowest : undefined
}

function deliverSoon(run: RunState, queue: ReplayQueue): void {
  if (queue.scheduled || run.ended) return
  if (findDeliverable(queue) === undefined) {
    if (queue.heldCount > 0) watch(run, queue)
    return
  }
  queue.scheduled = true
  if (queue.parallel) nextTurn(queue.deliver)
  else afterMicrotasks(queue.deliver)
}

function deliver(run: RunState, queue: ReplayQueue): void {
  queue.scheduled = false
  const position = findDeliverable(queue)
  const resolve = position === undefined ? undefined : queue.held[position]
  if (position === undefined || !resolve || run.ended) return
  const { [position]: value } = queue.values
  const { [position]: check } = queue.checks
  queue.held[position] = undefined
  queue.values[position] = undefined
  queue.heldCount--
  if (position === queue.next) {
    queue.next++
    skipFree(run, queue)
  }
  run.progress++
  // The queue used this turn, so step calls of the function now do not indicate other work.
  run.turnPassed = false
  resolve(value)
  if (check) void deliverAfter(check, run, queue)
  else goOn(run, queue)
}

/** Delivers the next result after this one was validated, because only then does the awaiting code receive it. */
async function deliverAfter(check: Promise<unknown>, run: RunState, queue: ReplayQueue): Promise<void> {
  queue.scheduled = true
  await check.catch(() => undefined)
  queue.scheduled = false
  goOn(run, queue)
}

function goOn(run: RunState, queue: ReplayQueue): void {
  if (queue.heldCount > 0) deliverSoon(run, queue)
  run.goal.watch(run)
}

function watch(run: RunState, queue: ReplayQueue): void {
  if (queue.watched) return
  queue.watched = true
  const { progress } = run
  const release = (): void => {
    queue.watched = false
    if (run.ended || queue.scheduled) return
    if (run.progress === progress) queue.unfit = true
    deliverSoon(run, queue)
  }
  // A run at rest that awaits only steps cannot call another step.
  whetherOnlySteps(run, (isOnlySteps) => (isOnlySteps ? nextTurn(release) : afterSilence(unfitMs, release)))
}
