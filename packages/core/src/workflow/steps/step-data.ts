import type { StepData } from '@trestle/protocol'
import type { StepCall } from './step-call.ts'
import { stepKinds } from './step-kinds.ts'

/** Returns how a step is named on the wire, in errors and in lists of open steps. */
export function toStepData({ id, kind }: StepCall): StepData {
  return { stepId: id, type: stepKinds[kind].type }
}
