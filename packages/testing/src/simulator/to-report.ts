import { isOfClass } from '@trestle/protocol'
import type { RunReport, StepReport } from '../report/run-report.ts'
import { type TriggerRun, toRunEnd, toRunErrors } from './calls/trigger-run.ts'
import type { Simulation } from './runs/simulation.ts'

/**
 * Creates the report of a trigger.
 *
 * @param simulation - The workflow, and the options of the run.
 */
export function toReport({ workflow, options, subscriber, childrenOf }: Simulation, run: TriggerRun): RunReport {
  const { trigger, state, nowMs } = run
  const { service = 'run-driven' } = options
  const listed = workflow.steps.map(({ stepId }) => stepId)
  const reports = [...run.reports.values()].flatMap((report) => report ?? [])
  const unlisted = new Set([...run.unlisted, ...run.reports.keys()].filter((stepId) => !listed.includes(stepId)))
  const steps: Record<string, StepReport> = Object.fromEntries(reports.map((report) => [report.stepId, report]))
  const children = childrenOf.get(run) ?? []
  return {
    workflowId: workflow.workflowId,
    transactionId: trigger.id,
    subscriberId: subscriber.subscriberId,
    service,
    status: toRunEnd(run),
    steps,
    sent: reports.filter(({ status, type }) => status === 'completed' && isOfClass(type, 'message')),
    state,
    errors: toRunErrors(run),
    startedAt: new Date(trigger.atMs).toISOString(),
    endedAt: new Date(nowMs).toISOString(),
    refused: [],
    listed,
    unlisted: [...unlisted],
    warnings: workflow.warnings,
    others: [],
    children: children.map(({ stepId, simulation, run: child }) => ({ ...toReport(simulation, child), stepId })),
  }
}
