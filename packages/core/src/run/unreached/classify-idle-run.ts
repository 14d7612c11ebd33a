import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import type { Deadline } from '../../call/deadline.ts'
import { discoverWorkflow } from '../../discovery/discover-workflow.ts'
import type { Discovery, ExploredRun } from '../../discovery/discovery.ts'
import { record } from '../../discovery/recording/record-run.ts'
import { hasCalled, type RecordedRun } from '../../discovery/recording/recorded-run.ts'
import type { RunScope } from '../state/step-run.ts'
import { silenceMs } from './idle-timeout.ts'
import type { Judgement, JudgeOptions } from './idle-verdict.ts'
import { tryOut } from './replay-on-call-data.ts'

const maxKept = 1000

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
export async function judge(scope: RunScope, waiting: readonly string[], options: JudgeOptions): Promise<Judgement> {
  const seen = await judgeBySamples(scope, waiting, options.deadline)
  // A function that has ended and left nothing waiting has shown all there is.
  if (waiting.length === 0 || (seen.verdict === 'passed' && seen.proved)) return seen
  const trial = await tryOut(scope, waiting, options)
  const awaitsOnlySteps = seen.awaitsOnlySteps && !trial.awaitedIo
  const blockedBy = (by = waiting[0]): Judgement => ({ verdict: 'blocked', ...(by && { by }), awaitsOnlySteps })
  if (trial.verdict === 'parallel') return { verdict: 'open', awaitsOnlySteps }
  if (seen.verdict === 'blocked') return seen
  if (trial.verdict === 'blocked') return blockedBy(trial.by)
  // Steps that discovery knows and never saw beside the requested one exclude it; of others nothing is known.
  if (trial.verdict === 'unproved' && !seen.proved && !seen.waitingKnown) return blockedBy()
  if (trial.verdict === 'unclear' && seen.verdict !== 'unknown') return { verdict: 'open', awaitsOnlySteps }
  return { ...seen, awaitsOnlySteps }
}

/** Judges by replaying discovered runs with steps held back. Verdicts are kept. */
async function judgeBySamples(scope: RunScope, waiting: readonly string[], deadline: Deadline): Promise<Judgement> {
  const { workflow, stepId } = scope
  const key = JSON.stringify([stepId, ...waiting.toSorted()])
  const known = workflow.judgements.get(key)
  if (known) return known
  const discovery = await discoverWorkflow(workflow)
  const judgement = await decide({ workflow, discovery, stepId, deadline }, waiting)
  if (workflow.judgements.size >= maxKept) workflow.judgements.clear()
  // A replay that the deadline cut short has proved nothing.
  if (!deadline.expired) workflow.judgements.set(key, judgement)
  return judgement
}

interface Case {
  readonly workflow: RegisteredWorkflow
  readonly discovery: Discovery
  readonly stepId: string
  readonly deadline: Deadline
}

async function decide(matter: Case, waiting: readonly string[]): Promise<Judgement> {
  const { discovery, stepId } = matter
  const { awaitsOnlySteps } = discovery
  if (!discovery.steps.some((step) => step.id === stepId)) return { verdict: 'unknown', awaitsOnlySteps }
  const samples = toSharedSamples(discovery.runs, stepId, waiting)
  const verdicts = await Promise.all(samples.map((sample) => judgeSample(matter, sample)))
  // Also where another sample has the two the other way round: a guess would lose a message.
  const blocked = verdicts.find(({ verdict }) => verdict === 'blocked')
  if (blocked) return { ...blocked, awaitsOnlySteps, proved: true }
  const parallel = waiting.length === 0 || verdicts.some(({ verdict }) => verdict === 'parallel')
  // No sample calls both: either the branches exclude each other, or discovery has not seen this path.
  const waitingKnown = waiting.every((id) => discovery.steps.some((step) => step.id === id))
  return { verdict: parallel ? 'parallel' : 'passed', awaitsOnlySteps, proved: samples.length > 0, waitingKnown }
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

async function judgeSample(
  matter: Case,
  { run, waiting }: SharedSample,
): Promise<{ readonly verdict: 'passed' | 'blocked' | 'parallel'; readonly by?: string }> {
  const { stepId } = matter
  const [withoutStep, withoutWaiting] = await Promise.all([
    replay(matter, run, { hold: [stepId] }),
    replay(matter, run, { hold: waiting, until: stepId }),
  ])
  if (waiting.some((id) => !hasCalled(withoutStep, id))) return { verdict: 'passed' }
  // A set is held back and not one step after the other: in a race neither of two blocks alone, both together do.
  if (hasCalled(withoutWaiting, stepId)) return { verdict: 'parallel' }
  for (const id of waiting) {
    const withoutOne = await replay(matter, run, { hold: [id], until: stepId })
    if (!hasCalled(withoutOne, stepId)) return { verdict: 'blocked', by: id }
  }
  return { verdict: 'blocked', ...(waiting[0] !== undefined && { by: waiting[0] }) }
}

function replay(
  { workflow, discovery, deadline }: Case,
  run: ExploredRun,
  { hold, until }: { readonly hold: readonly string[]; readonly until?: string },
): Promise<RecordedRun> {
  return record(workflow, run.variation, {
    hold: new Set(hold),
    silenceMs: silenceMs({ awaitedIo: !discovery.awaitsOnlySteps, maxGapMs: discovery.maxGapMs }),
    waitMs: Math.max(0, deadline.atMs - performance.now()),
    ...(until !== undefined && { until }),
  })
}
