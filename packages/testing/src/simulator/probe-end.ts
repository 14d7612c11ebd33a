import type { SeenCall } from '../context/test-context.ts'
import { type RunContext, toBody, toTestContext } from './call-step.ts'
import type { TriggerRun } from './simulation.ts'

/**
 * Finds steps that the function calls after the last one that is listed: the service would never ask for them. The
 * bridge is called for a step that does not exist, so the function runs to its end, and its step calls are watched.
 *
 * @param context - The parts that all calls share.
 * @param run - The trigger, which has come to its end; the steps that are found are added to it.
 */
export async function probeEnd(context: RunContext, run: TriggerRun): Promise<void> {
  const { call, workflow } = context
  const listed = new Set(workflow.steps.map(({ stepId }) => stepId))
  const stepId = unusedId(listed)
  const seen: SeenCall[] = []
  const testContext = { ...toTestContext(context, run), calls: seen, isProbe: true }
  const body = toBody(context, { run, stepId })
  // That the bridge does not know the step is what is expected.
  await call({ action: 'execute', workflowId: workflow.workflowId, stepId, body }, testContext).catch(() => undefined)
  for (const found of seen) if (!listed.has(found.stepId)) run.unlisted.add(found.stepId)
}

function unusedId(listed: ReadonlySet<string>): string {
  let id = 'end-of-the-run'
  while (listed.has(id)) id += '-'
  return id
}
