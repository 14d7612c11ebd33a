import type { JsonObject } from '@trestle/protocol'
import { requireReport } from './require-report.ts'
import type { RunReport, StepReport, StepStatus } from './run-report.ts'

/** The content of a step for a snapshot, independent of time and machine. */
export interface StepContent {
  /** The step's id. */
  readonly step: string
  /** The kind of step. */
  readonly type: string
  /** The step's final status. */
  readonly status: StepStatus
  /** The output of its handler with sorted keys; absent if the handler did not run. */
  readonly outputs?: JsonObject
  /** The provider overrides by provider id; absent if there are none. */
  readonly providers?: JsonObject
  /** Code and message of its failure. */
  readonly error?: string
}

/**
 * Returns the rendered content of a run for snapshots, in the order of its steps and with sorted keys.
 *
 * @param report - The run.
 * @throws TypeError - The run was not awaited.
 * @example
 * expect(toContent(run)).toMatchSnapshot()
 */
export function toContent(report: RunReport): readonly StepContent[] {
  return Object.values(requireReport(report).steps).map(toStepContent)
}

function toStepContent({ stepId, type, status, outputs, providers, error }: StepReport): StepContent {
  return {
    step: stepId,
    type,
    status,
    ...(Object.keys(outputs).length > 0 && { outputs: sort(outputs) as JsonObject }),
    ...(Object.keys(providers).length > 0 && { providers: sort(providers) as JsonObject }),
    ...(error && { error: `${error.code}: ${error.message}` }),
  }
}

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sort(Reflect.get(value, key))]),
  )
}
