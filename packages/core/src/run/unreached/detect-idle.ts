import { CodedError } from '@trestle/protocol'
import { lazy } from '../../base/lazy.ts'
import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { peekDiscovery } from '../../discovery/known-discoveries.ts'
import { functionFailed } from '../state/function-failed.ts'
import { watchForRest } from '../state/rest.ts'
import { endRun, failRun, type RunGoal, type RunState } from '../state/run-state.ts'
import { notReached } from '../state/step-run.ts'
import type { IdleVerdict } from './idle-verdict.ts'

// How long a run that awaits only steps must stay silent before a parallel branch counts as finished: it may be at
// work in a way that discovery did not see, and a skip would then lose a message.
const confirmIdleMs = 250

// Judging brings all of discovery with it, and most runs reach their step.
const classifying = lazy(() => import('./classify-idle-run.ts'))

/** The goal of a run for one step of a service that follows the list: at rest it is judged whether the step can be reached. */
export const listedStep: RunGoal = Object.freeze({
  watch: (run: RunState) => watchForRest(run, judge),
  onThrow: (run: RunState, error: unknown) => failRun(run, functionFailed(run, error)),
})

function judge(run: RunState): void {
  // A decision that is under way looks again by itself.
  if (!run.deciding && (run.waiting.length > 0 || run.returned)) void decide(run)
}

/** Finds out what it means that the run has come to rest, and acts on it. */
async function decide(run: RunState): Promise<void> {
  const { progress, scope, deadline } = run
  const isOver = (): boolean => run.ended || run.reached || deadline.expired
  run.deciding = true
  try {
    const { classifyIdleRun } = await classifying()
    const idleVerdict = await classifyIdleRun(scope, [...run.waiting], { deadline, isOver })
    run.deciding = false
    if (isOver()) return
    if (run.progress === progress) applyVerdict(run, idleVerdict)
    else listedStep.watch(run)
  } catch (error) {
    if (!run.reached) failRun(run, error)
  }
}

function applyVerdict(run: RunState, { verdict, blockedBy, awaitsOnlySteps, observed }: IdleVerdict): void {
  const { workflow, stepId } = run.scope
  run.unknownStep = verdict === 'unknown'
  const block = (): void => failRun(run, corruptState(workflow, blockedBy ?? '', stepId))
  if (verdict === 'blocked' && observed) block()
  // What discovery has not seen together may include other work, after which the step is reached all the same.
  else if (verdict === 'blocked') whenStillIdle(run, block)
  else if (verdict === 'open') return
  else if (verdict === 'passed' && observed) endRun(run, notReached)
  else if (verdict === 'passed') whenStillIdle(run, () => endRun(run, notReached))
  else if (run.returned) conclude(run)
  // Work that is no step may still lead to the requested step: then only the deadline can tell.
  else if (awaitsOnlySteps && !run.awaitedIo) whenStillIdle(run, () => conclude(run))
}

function whenStillIdle(run: RunState, act: () => void): void {
  const { progress } = run
  setTimeout(() => {
    if (run.progress === progress && !run.reached) act()
  }, confirmIdleMs)
}

function conclude(run: RunState): void {
  if (run.unknownStep) failRun(run, unknownStep(run.scope.workflow.id, run.scope.stepId))
  else endRun(run, notReached)
}

/**
 * The failure of a step that the workflow does not have.
 *
 * @param workflowId - The workflow.
 * @param stepId - As the query named it.
 */
export function unknownStep(workflowId: string, stepId: string | undefined): CodedError {
  const what = stepId === undefined ? 'The query names no stepId' : `There is no step "${stepId}"`
  return new CodedError('StepNotFoundError', `${what} in workflow "${workflowId}". Discover lists the steps it has.`)
}

function corruptState(workflow: RegisteredWorkflow, missing: string, stepId: string): CodedError {
  const isListed = peekDiscovery(workflow)?.ids.has(missing) ?? true
  const cure = isListed ? '' : ` Discovery had not found step "${missing}"; it is listed from now on, so sync again.`
  return new CodedError(
    'ExecutionStateCorruptError',
    `Workflow "${workflow.id}": step "${stepId}" comes after step "${missing}", for which the call brought no result.${cure}`,
    { data: { workflowId: workflow.id, stepId: missing } },
  )
}
