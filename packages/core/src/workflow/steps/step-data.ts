import type { RetryData, StepData } from '@trestle/protocol'
import { type RetryOptions, toRetryData } from '../kinds/retries.ts'
import type { StepCall } from './step-call.ts'
import { stepKinds } from './step-kinds.ts'

/** Returns how a step is named on the wire, in errors and in lists of open steps. */
export function toStepData({ id, kind }: StepCall): StepData {
  return { stepId: id, type: stepKinds[kind].type }
}

/**
 * Returns what a failure says of its step: its name on the wire, and how often the service calls it again.
 *
 * @param workflow - The options of the workflow.
 */
export function toFailedStepData(call: StepCall, workflow: RetryOptions): StepData & Partial<RetryData> {
  return { ...toStepData(call), ...toRetryData(call.options, workflow) }
}
