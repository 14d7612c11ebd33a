import type { RetryData, StepData } from '@trestle/protocol'
import { type RetryOptions, toRetryData } from '../kinds/retries.ts'
import type { StepCall } from './step-call.ts'
import { stepKinds } from './step-kinds.ts'

/** Returns the data that identifies a step in errors and in lists of open steps. */
export function toStepData({ id, kind }: StepCall): StepData {
  return { stepId: id, type: stepKinds[kind].type }
}

/**
 * Returns the step data of a failure: the step's name, and how many times the service retries it.
 *
 * @param workflow - The options of the step's workflow.
 */
export function toFailedStepData(call: StepCall, workflow: RetryOptions): StepData & Partial<RetryData> {
  return { ...toStepData(call), ...toRetryData(call.options, workflow) }
}
