import { CommandError } from './command-error.ts'
import type { Paint } from './paint.ts'

/** A problem, as text. */
export interface Problem {
  /** The error code, if there is one. */
  readonly code?: string | undefined
  readonly message: string
  readonly why?: string | undefined
  readonly fix?: string | undefined
}

/** Formats a problem as lines: code and message, cause, and fix. */
export function problemLines({ code, message, why, fix }: Problem, paint: Paint): readonly string[] {
  return [
    `${code === undefined ? '' : `${paint.red(code)}  `}${message}`,
    ...(why ? [`  ${paint.dim('why')}  ${why}`] : []),
    ...(fix ? [`  ${paint.dim('fix')}  ${fix}`] : []),
  ]
}

/** Converts a thrown value to a problem. */
export function toProblem(error: unknown): Problem {
  if (error instanceof CommandError) return error
  return { message: error instanceof Error ? error.message : String(error) }
}
