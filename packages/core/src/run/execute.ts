import { isCodedError, type StepReply, type Warning } from '@trestle/protocol'
import { lazy } from '../base/lazy.ts'
import { findWorkflow, type Registry } from '../bridge/registry.ts'
import type { StepEvent } from '../call/bridge-event.ts'
import type { CallScope } from '../call/call-scope.ts'
import { peekDiscovery } from '../discovery/known-discoveries.ts'
import { learn, learnFromRun } from './learn-from-run.ts'
import { run } from './run.ts'
import { checkPayload } from './state/check-payload.ts'
import { toRunScope } from './state/run-scope.ts'
import type { StepOutcome } from './state/step-run.ts'
import { unknownStep } from './unreached/detect-idle.ts'

// It needs what discovers, which is there where something has been discovered.
const lookingAhead = lazy(() => import('./unreached/look-ahead.ts'))

/**
 * Runs one step of a workflow for real.
 *
 * @param registry - The bridge.
 * @param call - The workflow, the step and the event.
 * @param scope - The call's time.
 * @throws CodedError - Whatever the workflow, its step or the call's data got wrong.
 * @source Protocol, "Running a step".
 */
export async function execute(registry: Registry, call: StepEvent, scope: CallScope): Promise<StepReply> {
  const startMs = performance.now()
  const workflow = findWorkflow(registry, call.workflowId)
  if (call.stepId === undefined) throw unknownStep(workflow.id, undefined)
  const checked = checkPayload(workflow, call.event.payload)
  const payload = checked instanceof Promise ? await checked : checked
  const prepared = toRunScope(registry, workflow, { call, scope, payload })
  const runScope = prepared instanceof Promise ? await prepared : prepared
  try {
    const outcome = await run(runScope, scope.deadline)
    learnFromRun(registry, runScope)
    const discovery = outcome.skip ? undefined : peekDiscovery(workflow)
    if (discovery) {
      const { lookAhead } = await lookingAhead()
      const missed = await lookAhead(runScope, outcome.outputs, { discovery, deadline: scope.deadline })
      for (const reached of missed) learn(registry, runScope, reached)
    }
    for (const { code, message } of runScope.warnings ?? []) registry.notices.once(message, code)
    reportStep(registry, call, { scope, startMs, outcome })
    return toStepReply(outcome, startMs, runScope.warnings)
  } catch (error) {
    learnFromRun(registry, runScope)
    reportStep(registry, call, { scope, startMs, error })
    throw error
  }
}

interface Ended {
  readonly scope: CallScope
  readonly startMs: number
  readonly outcome?: StepOutcome
  readonly error?: unknown
}

function reportStep(
  { settings: { hooks }, notices }: Registry,
  { workflowId = '', stepId = '' }: StepEvent,
  { scope, startMs, outcome, error }: Ended,
): void {
  if (!hooks?.onStep) return
  const status = !outcome ? 'failed' : outcome.skip ? 'skipped' : 'completed'
  const code = outcome ? undefined : isCodedError(error) ? error.code : 'BridgeError'
  const durationMs = performance.now() - startMs
  notices.guard('onStep', () => hooks.onStep?.({ workflowId, stepId, status, code, durationMs }, scope.info))
}

/**
 * Creates the answer of a step.
 *
 * @param outcome - How the run ended.
 * @param startMs - When it began, on the clock of `performance.now()`.
 * @param warnings - What the app's developers should know of it. @default none
 */
export function toStepReply(
  { outputs, providers, skip }: StepOutcome,
  startMs: number,
  warnings: readonly Warning[] = [],
): StepReply {
  const duration = performance.now() - startMs
  return {
    outputs,
    providers,
    options: { skip },
    metadata: { status: 'success', error: false, duration, ...(warnings.length > 0 && { warnings }) },
  }
}
