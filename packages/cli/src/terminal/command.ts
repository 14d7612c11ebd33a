import type { Terminal } from './terminal.ts'

export interface CommandOption {
  /** What its value is called in the help; a flag without a value where it is left out. */
  readonly value?: string
  readonly text: string
}

/** What a command runs with. */
export interface CommandInput {
  /** The arguments that are not options. */
  readonly args: readonly string[]
  /** The value of an option that takes one; undefined where it was not given. */
  text(name: string): string | undefined
  /** Whether a flag was given. */
  flag(name: string): boolean
  /**
   * The value of an option as a whole number.
   *
   * @throws {UsageError} It is not a whole number within the bounds.
   */
  whole(name: string, bounds?: { readonly min?: number; readonly max?: number }): number | undefined
  /** Where results and notes go. */
  readonly terminal: Terminal
  /** The folder the command runs in. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborts when the command is asked to end. */
  readonly signal: AbortSignal
}

/** A command, described and ready to run. */
export interface Command {
  readonly name: string
  readonly summary: string
  /** What stands behind the name, such as `URL [options]`. */
  readonly usage: string
  /** What it does, in a few sentences. */
  readonly description: string
  /** The fewest and the most arguments beside the options. */
  readonly args: { readonly min: number; readonly max: number }
  readonly options: Readonly<Record<string, CommandOption>>
  readonly examples: readonly string[]
  /** What the exit status says, beside 2 for wrong use. */
  readonly exits: Readonly<Record<0 | 1, string>>
  /** @returns The exit status: 0 good, 1 something is wrong. */
  run(input: CommandInput): Promise<0 | 1>
}
