import { callListedStep, findOpenSteps, type StepAnswer } from '../calls/call-step.ts'
import type { TriggerRun } from '../calls/trigger-run.ts'
import { recordEnd, recordStep } from './record-step.ts'
import { settleStep } from './settle-step.ts'
import type { Simulation } from './simulation.ts'

/**
 * Runs the listed steps in sequence, as a service without run-driven execution does. Steps that are called but not
 * listed are recorded and never run.
 *
 * @param simulation - The workflow, and the state shared by its triggers.
 */
export function followList(simulation: Simulation, run: TriggerRun): Promise<void> {
  return followFrom(simulation, run, 0)
}

async function followFrom(simulation: Simulation, run: TriggerRun, start: number): Promise<void> {
  const { steps } = simulation.workflow
  for (const [index, step] of [...steps.entries()].slice(start)) {
    const startedMs = run.nowMs
    const answer = await callListedStep(simulation, run, step)
    noteUnlisted(simulation, run, answer)
    const executed = { step, answer, startedMs }
    const settlement = settleStep(simulation, run, executed)
    const { untilMs, rest } = settlement
    if (untilMs !== undefined)
      return simulation.alarms.set(untilMs, async () => {
        run.nowMs = untilMs
        recordStep(run, executed, settlement)
        await followFrom(simulation, run, index + 1)
      })
    recordStep(run, executed, settlement)
    if (!rest) continue
    run.merged = rest === 'merged'
    for (const left of steps.slice(index + 1)) recordEnd(run, left, { status: rest })
    return
  }
  for (const { stepId } of await findOpenSteps(simulation, run)) noteStep(simulation, run, stepId)
}

/** If a step fails after an unlisted step, the failure names the unlisted step. */
function noteUnlisted(simulation: Simulation, run: TriggerRun, { reply, error }: StepAnswer): void {
  for (const { stepId } of reply?.metadata.open ?? []) noteStep(simulation, run, stepId)
  const missing = error?.code === 'ExecutionStateCorruptError' ? Reflect.get(error.data ?? {}, 'stepId') : undefined
  if (typeof missing === 'string') noteStep(simulation, run, missing)
}

function noteStep({ workflow }: Simulation, run: TriggerRun, stepId: string): void {
  if (!workflow.steps.some((step) => step.stepId === stepId)) run.unlisted.add(stepId)
}
