import { CommandError } from './command-error.ts'
import type { Paint } from './paint.ts'

/** Something that is wrong, in words. */
export interface Problem {
  /** Its code, if it has one. */
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

/** Returns the problem of something that was thrown. */
export function toProblem(error: unknown): Problem {
  if (error instanceof CommandError) return error
  return { message: error instanceof Error ? error.message : String(error) }
}
