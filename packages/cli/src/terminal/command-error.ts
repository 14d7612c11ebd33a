/** The optional parts of a {@link CommandError}. */
export interface CommandErrorRest {
  /** The error code, if there is one. */
  readonly code?: string
  /** The cause. */
  readonly why?: string
  readonly fix?: string
  readonly cause?: unknown
}

/** Reports that a command failed; the exit status is 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** An error code, if there is one. */
  readonly code: string | undefined
  /** The cause. */
  readonly why: string | undefined
  readonly fix: string | undefined

  constructor(message: string, rest: CommandErrorRest = {}) {
    super(message, 'cause' in rest ? { cause: rest.cause } : undefined)
    this.code = rest.code
    this.why = rest.why
    this.fix = rest.fix
  }
}
