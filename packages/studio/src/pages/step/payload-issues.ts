import type { ValueIssue } from '../../form/form-validator.ts'
import type { PreviewAnswer } from './use-preview.ts'

const none: readonly ValueIssue[] = []

/**
 * Returns what the bridge found wrong with the payload of a preview, by field.
 *
 * @param answer - What came of the preview.
 */
export function payloadIssuesOf(answer: PreviewAnswer | undefined): readonly ValueIssue[] {
  if (!answer || answer.ok || answer.error.code !== 'WorkflowPayloadInvalidError') return none
  const { data } = answer.error
  return Array.isArray(data) ? data.filter(isIssue) : none
}

function isIssue(value: unknown): value is ValueIssue {
  const { path, message } = (typeof value === 'object' && value !== null ? value : {}) as Partial<ValueIssue>
  return typeof path === 'string' && typeof message === 'string'
}
