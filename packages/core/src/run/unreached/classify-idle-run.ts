import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import type { Deadline } from '../../call/deadline.ts'
import { discoverWorkflow } from '../../discovery/discover-workflow.ts'
import type { Discovery, ExploredRun } from '../../discovery/discovery.ts'
import { recordRun } from '../../discovery/recording/record-run.ts'
import { hasCalled, type RecordedRun } from '../../discovery/recording/recorded-run.ts'
import type { RunScope } from '../state/step-run.ts'
import { idleTimeoutMs } from './idle-timeout.ts'
import type { ClassifyOptions, IdleVerdict } from './idle-verdict.ts'
import { replayOnCallData } from './replay-on-call-data.ts'

const maxKept = 1000
const maxSuspects = 24
const maxAtOnce = 4

/** Verdicts by what discovery has found, the requested step and the waiting ones. */
const verdictsOf = new WeakMap<Discovery, Map<string, IdleVerdict>>()

/**
 * Judges a run that has come to rest: by what discovery saw of the steps' order, and, where it never saw that a step
 * that waits comes later, by trying the run out on its own data.
 *
 * @param scope - The run.
 * @param waiting - The steps that were called and have no stored result.
 * @param options - When it is over.
 * @throws CodedError - The workflow cannot be discovered.
 * @source Protocol, "Running a step", what "precedes" means.
 */
export async function classifyIdleRun(
  scope: RunScope,
  waiting: readonly string[],
  options: ClassifyOptions,
): Promise<IdleVerdict> {
  const seen = await judgeBySamples(scope, waiting, options.deadline)
  // A function that has ended and left nothing waiting has shown all there is.
  if (waiting.length === 0) return seen
  if (seen.verdict === 'passed' && seen.observed) return await confirmPassed(seen, scope, { waiting, options })
  const trial = await replayOnCallData(scope, waiting, options)
  const awaitsOnlySteps = seen.awaitsOnlySteps && !trial.awaitedIo
  const blockedBy = (by = waiting[0]): IdleVerdict => ({
    verdict: 'blocked',
    ...(by && { blockedBy: by }),
    awaitsOnlySteps,
  })
  if (trial.verdict === 'parallel') return { verdict: 'open', awaitsOnlySteps }
  if (seen.verdict === 'blocked') return seen
  if (trial.verdict === 'blocked') return blockedBy(trial.blockedBy)
  // Steps that discovery has seen, and never beside the requested one, exclude it; of others nothing is known.
  if (trial.verdict === 'unproved' && !seen.observed && !seen.allSeen) return blockedBy()
  // All other work came before what waits: none is left that could lead to the step, beside it or otherwise.
  const isProved = trial.verdict === 'never' && trial.endsBySteps && !options.isOver()
  if (isProved && seen.verdict === 'parallel') return { verdict: 'passed', awaitsOnlySteps }
  if (trial.verdict === 'unclear' && seen.verdict !== 'unknown') return { verdict: 'open', awaitsOnlySteps }
  return { ...seen, awaitsOnlySteps }
}

/**
 * The data of a call may have the steps in another order than all samples, as a list does that is gone through: one run on
 * that data tells. Not where other work is awaited, since that would be done once more.
 */
async function confirmPassed(
  seen: IdleVerdict,
  scope: RunScope,
  { waiting, options }: { readonly waiting: readonly string[]; readonly options: ClassifyOptions },
): Promise<IdleVerdict> {
  if (!seen.awaitsOnlySteps) return seen
  const { verdict, blockedBy = waiting[0] } = await replayOnCallData(scope, waiting, { ...options, isOnce: true })
  return verdict === 'blocked' ? { ...seen, verdict, ...(blockedBy !== undefined && { blockedBy }) } : seen
}

/** Judges by replaying discovered runs with steps held back. Verdicts are kept. */
async function judgeBySamples(scope: RunScope, waiting: readonly string[], deadline: Deadline): Promise<IdleVerdict> {
  const { workflow, stepId } = scope
  const key = JSON.stringify([stepId, ...waiting.toSorted()])
  const discovery = await discoverWorkflow(workflow)
  const kept = verdictsOf.get(discovery) ?? new Map<string, IdleVerdict>()
  verdictsOf.set(discovery, kept)
  const known = kept.get(key)
  if (known) return known
  const verdict = await classify({ workflow, discovery, stepId, deadline }, waiting)
  if (kept.size >= maxKept) kept.clear()
  // A replay that the deadline cut short has proved nothing.
  if (!deadline.expired) kept.set(key, verdict)
  return verdict
}

interface IdleQuery {
  readonly workflow: RegisteredWorkflow
  readonly discovery: Discovery
  readonly stepId: string
  readonly deadline: Deadline
}

async function classify(query: IdleQuery, waiting: readonly string[]): Promise<IdleVerdict> {
  const { discovery, stepId } = query
  const { awaitsOnlySteps } = discovery
  if (!discovery.ids.has(stepId)) return { verdict: 'unknown', awaitsOnlySteps }
  const samples = toSharedSamples(discovery.runs, stepId, waiting)
  const suspects = samples.filter((sample) => isSuspect(sample, stepId))
  // Also where another sample has the two the other way round: a guess would lose a message.
  for (let start = 0; start < Math.min(suspects.length, maxSuspects); start += maxAtOnce) {
    const verdicts = await Promise.all(suspects.slice(start, start + maxAtOnce).map((one) => findBlocking(query, one)))
    const blockedBy = verdicts.find((id) => id !== undefined)
    if (blockedBy !== undefined) return { verdict: 'blocked', blockedBy, awaitsOnlySteps, observed: true }
  }
  const isParallel =
    waiting.length === 0 ||
    (await Promise.all(samples.slice(0, maxAtOnce).map((sample) => isBeside(query, sample)))).includes(true)
  // No sample calls both: either the branches exclude each other, or discovery has not seen this path.
  // A step that was learned from a real run is listed, and no run of discovery has shown it.
  const allSeen = [stepId, ...waiting].every((id) => discovery.runs.some((run) => run.calls.has(id)))
  const observed = samples.length > 0
  return { verdict: isParallel ? 'parallel' : 'passed', awaitsOnlySteps, observed, allSeen }
}

interface SharedSample {
  readonly run: ExploredRun
  /** The waiting steps that this run calls. */
  readonly waiting: readonly string[]
}

/** One sample for each order of steps in which both the requested step and a waiting one are called. */
function toSharedSamples(
  runs: readonly ExploredRun[],
  stepId: string,
  waiting: readonly string[],
): readonly SharedSample[] {
  const samples = new Map<string, SharedSample>()
  for (const run of runs) {
    if (!run.calls.has(stepId)) continue
    const called = waiting.filter((id) => run.calls.has(id))
    const key = run.order.join('\n')
    if (called.length > 0 && !samples.has(key)) samples.set(key, { run, waiting: called })
  }
  return [...samples.values()]
}

/** Whether a step that now waits was done when this run called the requested one: only then can it come first. */
function isSuspect({ run, waiting }: SharedSample, stepId: string): boolean {
  const done = new Set(run.done.slice(0, run.calls.get(stepId)))
  return waiting.some((id) => done.has(id))
}

/** Returns the step that must be done before the requested one, if one must. */
async function findBlocking(query: IdleQuery, { run, waiting }: SharedSample): Promise<string | undefined> {
  const { stepId } = query
  const isReachedWithout = async (hold: readonly string[]): Promise<boolean> =>
    hasCalled(await replay(query, run, { hold, until: stepId }), stepId)
  // A set is held back and not one step after the other: in a race neither of two blocks alone, both together do.
  if (await isReachedWithout(waiting)) return undefined
  for (const id of waiting) if (!(await isReachedWithout([id]))) return id
  return waiting[0]
}

/** Whether all that waits is reached beside the requested step, and says nothing about it. */
async function isBeside(query: IdleQuery, { run, waiting }: SharedSample): Promise<boolean> {
  const held = await replay(query, run, { hold: [query.stepId] })
  return waiting.every((id) => hasCalled(held, id))
}

function replay(
  { workflow, discovery, deadline }: IdleQuery,
  run: ExploredRun,
  { hold, until }: { readonly hold: readonly string[]; readonly until?: string },
): Promise<RecordedRun> {
  return recordRun(workflow, run.variation, {
    hold: new Set(hold),
    silenceMs: idleTimeoutMs({ awaitedIo: !discovery.awaitsOnlySteps, maxGapMs: discovery.maxGapMs }),
    waitMs: Math.max(0, deadline.atMs - performance.now()),
    ...(until !== undefined && { until }),
  })
}
