/** What a {@link CommandError} carries beside its message. */
export interface CommandErrorRest {
  /** A code of the error tables, where there is one. */
  readonly code?: string
  /** Says what leads to it. */
  readonly why?: string
  readonly fix?: string
  readonly cause?: unknown
}

/** Reports that a command could not do its work; the exit status is 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** A code of the error tables, where there is one. */
  readonly code: string | undefined
  /** Says what leads to it. */
  readonly why: string | undefined
  readonly fix: string | undefined

  constructor(message: string, rest: CommandErrorRest = {}) {
    super(message, 'cause' in rest ? { cause: rest.cause } : undefined)
    this.code = rest.code
    this.why = rest.why
    this.fix = rest.fix
  }
}
