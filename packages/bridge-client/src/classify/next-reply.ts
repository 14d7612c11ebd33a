import { isObject, isStepType } from '@trestle/protocol'

/**
 * Returns whether a body is one of the three replies to `next`: a step with its outputs, open steps, or the end of the
 * run.
 */
export function isNextReply(body: Record<string, unknown>): boolean {
  const { step, outputs, open, done, handled } = body
  if (Array.isArray(open)) return step === undefined && done === undefined && areOpenSteps(open)
  if (open !== undefined) return false
  if (step !== undefined) return done === undefined && isOpenStep(step) && isObject(outputs)
  return done === true && (handled === undefined || isListOfTexts(handled))
}

function areOpenSteps(steps: readonly unknown[]): boolean {
  if (!steps.every(isOpenStep)) return false
  return new Set(steps.map(({ stepId }) => stepId)).size === steps.length
}

function isOpenStep(value: unknown): value is { readonly stepId: string } {
  if (!isObject(value)) return false
  const { stepId, type } = value
  return typeof stepId === 'string' && stepId !== '' && isStepType(type)
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
