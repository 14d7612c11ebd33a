import { CodedError } from '@trestle/protocol'
import { nextTurn } from '../../base/event-loop.ts'
import { lazy } from '../../base/lazy.ts'
import type { RunState } from '../state/run-state.ts'
import { skipped } from '../state/step-run.ts'
import type { IdleVerdict } from './idle-verdict.ts'

// How long a run that awaits only steps must stay silent before a parallel branch counts as finished: it may be at
// work in a way that discovery did not see, and a skip would then lose a message.
const confirmIdleMs = 250

// Judging brings all of discovery with it, and most runs reach their step.
const classifying = lazy(() => import('./classify-idle-run.ts'))

/**
 * Looks after one turn of the event loop whether the run still makes progress. Asking twice is one look.
 *
 * @param run - A run that has not reached its step.
 */
export function scheduleIdleCheck(run: RunState): void {
  if (run.watching) return
  run.watching = true
  nextTurn(() => checkIdle(run, run.progress))
}

function checkIdle(run: RunState, progress: number): void {
  run.watching = false
  run.turnPassed = true
  // A decision that is under way looks again by itself.
  if (run.ended || run.reached || run.deciding) return
  if (run.progress !== progress || run.checking > 0) scheduleIdleCheck(run)
  else if (run.waiting.length > 0 || run.returned) void decide(run)
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
    else scheduleIdleCheck(run)
  } catch (error) {
    if (!run.reached) run.fail(error)
  }
}

function applyVerdict(run: RunState, { verdict, blockedBy, awaitsOnlySteps, observed }: IdleVerdict): void {
  const { workflow, stepId } = run.scope
  run.unknownStep = verdict === 'unknown'
  const block = (): void => run.fail(corruptState(workflow.id, blockedBy ?? '', stepId))
  if (verdict === 'blocked' && observed) block()
  // What discovery has not seen together may include other work, after which the step is reached all the same.
  else if (verdict === 'blocked') whenStillIdle(run, block)
  else if (verdict === 'open') return
  else if (verdict === 'passed' && observed) run.end(skipped)
  else if (verdict === 'passed') whenStillIdle(run, () => run.end(skipped))
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
  if (run.unknownStep) run.fail(unknownStep(run.scope.workflow.id, run.scope.stepId))
  else run.end(skipped)
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

function corruptState(workflowId: string, missing: string, stepId: string): CodedError {
  return new CodedError(
    'ExecutionStateCorruptError',
    `Workflow "${workflowId}": step "${stepId}" comes after step "${missing}", for which the call brought no result.`,
    { data: { workflowId, stepId: missing } },
  )
}
