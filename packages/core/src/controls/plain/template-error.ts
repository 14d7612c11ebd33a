import { CodedError } from '@trestle/protocol'

interface Position {
  readonly line: number
  readonly column: number
}

/** Converts an error to one that names the control, the line and the column of an invalid or failed template. */
export function toTemplateError(error: unknown, path: string): CodedError<'StepControlCompilationFailedError'> {
  return createTemplateError(path, textOf(error), { ...positionOf(error), cause: error })
}

/**
 * Creates the error for a control's template.
 *
 * @param message - What is wrong with the template.
 * @param at - The position in the template, from 1, and the cause.
 */
export function createTemplateError(
  path: string,
  message: string,
  at: Position & { readonly cause?: unknown },
): CodedError<'StepControlCompilationFailedError'> {
  const { line, column, cause } = at
  return new CodedError(
    'StepControlCompilationFailedError',
    `The template of the control "${path}" failed at line ${line}, column ${column}: ${message}`,
    { data: { path, message, line, column }, cause },
  )
}

function textOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply'
  const message = error instanceof Error ? error.message : String(error)
  const text = message.replace(/(, file:[^,]*)?, line:\d+, col:\d+$/s, '')
  return /not closed/.test(text) ? `${text}. Write literal braces as {% raw %}...{% endraw %}` : text
}

function positionOf(error: unknown): Position {
  const token = error instanceof Error ? (error as { token?: { getPosition?: () => number[] } }).token : undefined
  const [line = 1, column = 1] = token?.getPosition?.() ?? []
  return { line, column }
}
