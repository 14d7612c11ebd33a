import { isOfClass } from '@trestle/protocol'
import type { RunReport, StepReport } from '../report/run-report.ts'
import type { RunContext } from './calls/run-context.ts'
import type { TriggerRun } from './calls/trigger-run.ts'

/**
 * Creates the report of a trigger.
 *
 * @param context - The workflow, and the options of the run.
 */
export function toReport({ workflow, options }: RunContext, run: TriggerRun): RunReport {
  const { trigger, state, merged, canceled, handled, nowMs, failure } = run
  const { service = 'run-driven' } = options
  const listed = workflow.steps.map(({ stepId }) => stepId)
  const reports = [...run.reports.values()].flatMap((report) => report ?? [])
  const unlisted = new Set([...run.unlisted, ...run.reports.keys()].filter((stepId) => !listed.includes(stepId)))
  const steps: Record<string, StepReport> = Object.fromEntries(reports.map((report) => [report.stepId, report]))
  const failures = reports.flatMap(({ stepId, error }) =>
    error && !handled.includes(stepId) ? [{ stepId, ...error }] : [],
  )
  const errors = failure ? [...failures, failure] : failures
  const own = errors.length > 0 ? 'failed' : 'completed'
  const end = canceled ? 'canceled' : own
  return {
    workflowId: workflow.workflowId,
    transactionId: trigger.id,
    service,
    status: merged ? 'merged' : end,
    steps,
    sent: reports.filter(({ status, type }) => status === 'completed' && isOfClass(type, 'message')),
    state,
    errors,
    startedAt: new Date(trigger.atMs).toISOString(),
    endedAt: new Date(nowMs).toISOString(),
    refused: [],
    listed,
    unlisted: [...unlisted],
    warnings: workflow.warnings,
    others: [],
  }
}
