import type { StepReply } from '@trestle/protocol'
import { findWorkflow, type Registry } from '../bridge/registry.ts'
import type { StepEvent } from '../call/bridge-event.ts'
import type { CallScope } from '../call/call-scope.ts'
import { toRemovalWarning } from '../content/removal-warning.ts'
import { run } from './run.ts'
import { checkPayload } from './state/check-payload.ts'
import { toRunScope } from './state/run-scope.ts'
import type { StepOutcome } from './state/step-run.ts'
import { unknownStep } from './unreached/detect-idle.ts'

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
  return toStepReply(await run(runScope, scope.deadline), startMs, call.stepId)
}

/**
 * Creates the answer of a step.
 *
 * @param outcome - How the run ended.
 * @param startMs - When it began, on the clock of `performance.now()`.
 * @param stepId - The step.
 */
export function toStepReply(
  { outputs, providers, skip, cleaned }: StepOutcome,
  startMs: number,
  stepId: string,
): StepReply {
  const duration = performance.now() - startMs
  return {
    outputs,
    providers,
    options: { skip },
    metadata: {
      ...{ status: 'success', error: false, duration },
      ...(cleaned && { warnings: [toRemovalWarning(stepId, cleaned)] }),
    },
  }
}
