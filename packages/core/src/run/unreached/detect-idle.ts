import { CodedError } from '@trestle/protocol'
import { lazy } from '../../base/lazy.ts'
import type { RegisteredWorkflow } from '../../bridge/registered-workflow.ts'
import { peekDiscovery } from '../../discovery/known-discoveries.ts'
import { functionFailed } from '../state/function-failed.ts'
import { watchForRest, whenSilent } from '../state/rest.ts'
import { endRun, failRun, type RunGoal, type RunState } from '../state/run-state.ts'
import { notReached } from '../state/step-run.ts'
import type { RestVerdict } from './judge-rest.ts'

// The decision needs all of discovery, but most runs reach their step.
const judging = lazy(() => import('./judge-rest.ts'))

/**
 * The goal of a run for one step, for a list-driven service: an idle run is checked for whether it can reach the step.
 */
export const listedStep: RunGoal = Object.freeze({
  watch: (run: RunState) => watchForRest(run, judge),
  onThrow: (run: RunState, error: unknown) => failRun(run, functionFailed(run, error)),
})

function judge(run: RunState): void {
  // A decision already in progress checks again.
  if (!run.deciding && (run.waiting.length > 0 || run.returned)) void decide(run)
}

/** Determines what an idle run means, and acts on it. */
async function decide(run: RunState): Promise<void> {
  const { progress, scope, deadline } = run
  const isOver = (): boolean => run.ended || run.reached || deadline.expired
  run.deciding = true
  try {
    const { judgeRest } = await judging()
    const verdict = await judgeRest({ scope, open: [...run.waiting], awaitedIo: run.awaitedIo, deadline })
    run.deciding = false
    if (isOver()) return
    if (run.progress === progress) applyVerdict(run, verdict)
    else listedStep.watch(run)
  } catch (error) {
    if (!run.reached) failRun(run, error)
  }
}

function applyVerdict(run: RunState, { verdict, blockedBy = '', silenceMs }: RestVerdict): void {
  const { workflow, stepId } = run.scope
  run.unknownStep = verdict === 'unknown'
  if (verdict === 'block') whenSilent(run, silenceMs, () => failRun(run, corruptState(workflow, blockedBy, stepId)))
  else if (verdict === 'skip') endRun(run, notReached)
  else if (verdict === 'unknown') failRun(run, unknownStep(workflow.id, stepId))
}

/**
 * Returns the error for a step that the workflow does not have.
 *
 * @param workflowId - The id of the workflow.
 * @param stepId - The step id in the query.
 */
export function unknownStep(workflowId: string, stepId: string | undefined): CodedError {
  const what = stepId === undefined ? 'The query has no stepId' : `Unknown step "${stepId}"`
  return new CodedError('StepNotFoundError', `${what} in workflow "${workflowId}". Use discover to list its steps.`)
}

function corruptState(workflow: RegisteredWorkflow, missing: string, stepId: string): CodedError {
  const isListed = peekDiscovery(workflow)?.ids.has(missing) ?? true
  const cure = isListed ? '' : ` Discovery had not found step "${missing}"; it is listed from now on, so sync again.`
  return new CodedError(
    'ExecutionStateCorruptError',
    `Workflow "${workflow.id}": step "${stepId}" comes after step "${missing}", which has no result in the call.${cure}`,
    { data: { workflowId: workflow.id, stepId: missing } },
  )
}
