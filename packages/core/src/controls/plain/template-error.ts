import { CodedError } from '@trestle/protocol'

/**
 * Creates the error for a control's template.
 *
 * @param message - What is wrong with the template.
 * @param at - The position in the template, from 1, and the cause.
 */
export function createTemplateError(
  path: string,
  message: string,
  at: { readonly line: number; readonly column: number; readonly cause?: unknown },
): CodedError<'StepControlCompilationFailedError'> {
  const { line, column, cause } = at
  return new CodedError(
    'StepControlCompilationFailedError',
    `The template of the control "${path}" failed at line ${line}, column ${column}: ${message}`,
    { data: { path, message, line, column }, cause },
  )
}
