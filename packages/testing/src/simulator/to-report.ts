import type { WorkflowManifest } from '@trestle/protocol'
import { channelTypes, type RunReport, type StepReport } from '../report/run-report.ts'
import type { TriggerRun } from './simulation.ts'

/**
 * Creates the report of a trigger.
 *
 * @param workflow - The workflow, as the bridge discovers it.
 * @param run - The trigger, which has come to its end.
 */
export function toReport({ workflowId, warnings }: WorkflowManifest, run: TriggerRun): RunReport {
  const { trigger, reports, state, merged, nowMs, unlisted } = run
  const steps: Record<string, StepReport> = Object.fromEntries(reports.map((report) => [report.stepId, report]))
  const errors = reports.flatMap(({ stepId, error }) => (error ? [{ stepId, ...error }] : []))
  const end = errors.length > 0 ? 'failed' : 'completed'
  return {
    workflowId,
    transactionId: trigger.id,
    status: merged ? 'merged' : end,
    steps,
    sent: reports.filter(({ status, type }) => status === 'completed' && channelTypes.includes(type)),
    state,
    errors,
    startedAt: new Date(trigger.atMs).toISOString(),
    endedAt: new Date(nowMs).toISOString(),
    refused: [],
    unlisted: [...unlisted],
    warnings,
    others: [],
  }
}
