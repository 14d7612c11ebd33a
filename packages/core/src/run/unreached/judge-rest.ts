import type { Deadline } from '../../call/deadline.ts'
import { discoverWorkflow } from '../../discovery/discover-workflow.ts'
import type { Discovery } from '../../discovery/discovery.ts'
import { recordRun } from '../../discovery/recording/record-run.ts'
import type { RecordedRun } from '../../discovery/recording/recorded-run.ts'
import { keyOfVariation } from '../../discovery/samples/variation/choose-value.ts'
import { fullest, type Variation } from '../../discovery/samples/variation/variation.ts'
import type { RunScope } from '../state/step-run.ts'
import { toCallData } from './call-data.ts'

/** Why an idle run has not reached the requested step. */
export interface RestVerdict {
  /**
   * `skip`: the condition of the step is false. `block`: an open step must be completed first. `unknown`: the workflow
   * does not have the step. `wait`: other work is in progress and may still lead to the step.
   */
  readonly verdict: 'skip' | 'block' | 'unknown' | 'wait'
  /** The step that must be completed first, if the verdict is `block`. */
  readonly blockedBy?: string
  /** How long the run must be inactive for the verdict to hold, in milliseconds; 0 if it awaits only steps. */
  readonly silenceMs: number
}

/** An idle run. */
export interface Rest {
  readonly scope: RunScope
  /** The steps that were called and have no stored result. */
  readonly open: readonly string[]
  /** Whether it has awaited anything other than steps. */
  readonly awaitedIo: boolean
  readonly deadline: Deadline
}

// Other work, such as I/O, can take longer.
const ioSilenceMs = 500

/**
 * Evaluates an idle run, based on the list of steps. If the step may have been skipped, this is confirmed by replays with
 * the call's data and with sample results for the open steps. A replay runs no handlers.
 *
 * @param rest - The idle run.
 * @throws CodedError - The workflow cannot be discovered.
 * @source bridge-protocol.md#running-a-step
 */
export async function judgeRest(rest: Rest): Promise<RestVerdict> {
  const { scope, open, awaitedIo } = rest
  const discovery = await discoverWorkflow(scope.workflow)
  const silenceMs = awaitedIo || !discovery.awaitsOnlySteps ? ioSilenceMs : 0
  const isListed = discovery.ids.has(scope.stepId)
  const blockedBy = isListed ? findBlocking(discovery, scope.stepId, open) : undefined
  if (blockedBy !== undefined) {
    // The dependencies and races of an unlisted step are unknown, so it gets more time.
    const isKnown = discovery.ids.has(blockedBy)
    return { verdict: 'block', blockedBy, silenceMs: isKnown ? silenceMs : ioSilenceMs }
  }
  const notReached = isListed ? 'skip' : 'unknown'
  // A function that has ended with no open steps cannot call another one.
  if (open.length === 0) return { verdict: notReached, silenceMs: 0 }
  const replay = await replayOf(rest, fullest)
  const isReached = ({ calls }: RecordedRun): boolean => calls.some(({ id }) => id === scope.stepId)
  if (!isReached(replay) && isAtWork(replay, open)) return { verdict: 'wait', silenceMs }
  const { calls, done } = isReached(replay) ? replay : await replayOthers(rest, replay, isReached)
  const reached = calls.find(({ id }) => id === scope.stepId)
  if (reached) {
    const before = new Set(done.slice(0, reached.done))
    const needed = open.find((id) => before.has(id))
    // If none of the open steps had to finish first, the run awaits other work.
    return needed === undefined ? { verdict: 'wait', silenceMs } : { verdict: 'block', blockedBy: needed, silenceMs }
  }
  // The function threw on a sample result, so the outcome depends on the parallel branches.
  const parallel = replay.end === 'normal' ? undefined : open.find((id) => discovery.parallel(id, scope.stepId))
  return parallel === undefined
    ? { verdict: notReached, silenceMs: 0 }
    : { verdict: 'block', blockedBy: parallel, silenceMs }
}

/**
 * Returns the first open step that either is listed before the requested one and not parallel to it, or is not listed
 * at all.
 */
function findBlocking(discovery: Discovery, stepId: string, open: readonly string[]): string | undefined {
  const places = new Map(discovery.steps.map(({ id }, index) => [id, index]))
  const own = places.get(stepId) ?? 0
  return open.find((id) => (places.get(id) ?? -1) < own && !discovery.parallel(id, stepId))
}

/** The maximum number of replays with one other value of the open steps; each runs the function. */
const maxOthers = 6

/**
 * Returns the first replay with other results of the open steps that reaches the step, or the last one. A full result
 * may end the loop that would lead to the step, or fail a condition before it.
 */
async function replayOthers(
  rest: Rest,
  { reads }: RecordedRun,
  isReached: (run: RecordedRun) => boolean,
): Promise<RecordedRun> {
  const changes = [...reads].flatMap(([path, { count, chosen }]) =>
    Array.from({ length: count }, (_, index) => index)
      .filter((index) => index !== chosen)
      .map((index): Variation => ({ ...fullest, changes: new Map([[path, index]]) })),
  )
  let replay = await replayOf(rest, { ...fullest, base: 'emptiest' })
  for (const change of changes.slice(0, maxOthers)) {
    if (isReached(replay)) return replay
    replay = await replayOf(rest, change)
  }
  return replay
}

const replays = new WeakMap<RunScope, Map<string, Promise<RecordedRun>>>()

/** Returns the replay of a call, which is made once per call and variation even if its run is idle several times. */
function replayOf({ scope, deadline }: Rest, variation: Variation): Promise<RecordedRun> {
  const replaysOfCall = replays.get(scope) ?? new Map<string, Promise<RecordedRun>>()
  replays.set(scope, replaysOfCall)
  const key = keyOfVariation(variation)
  const existingReplay = replaysOfCall.get(key)
  if (existingReplay) return existingReplay
  const replay = recordRun(scope.workflow, variation, {
    until: scope.stepId,
    waitMs: Math.max(0, deadline.atMs - performance.now()),
    given: (samples) => toCallData(scope, samples),
  })
  replaysOfCall.set(key, replay)
  return replay
}

/**
 * Returns whether the function awaits other work after it has called the open steps, because that work may lead to the
 * requested step.
 */
function isAtWork({ awaitedIo, calls, callsAtWork, end }: RecordedRun, open: readonly string[]): boolean {
  if (end === 'stuck' || end === 'limit') return true
  return awaitedIo && calls.findIndex(({ id }) => open.includes(id)) < callsAtWork
}
