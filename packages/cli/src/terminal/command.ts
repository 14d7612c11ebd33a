import type { Terminal } from './terminal.ts'

export interface CommandOption {
  /** The name of the option's value in the help; omitted for a flag, which takes no value. */
  readonly value?: string
  readonly text: string
}

/** The input of a command. */
export interface CommandInput {
  /** The arguments that are not options. */
  readonly args: readonly string[]
  /** The value of an option; undefined if it was not given. */
  text(name: string): string | undefined
  /** Whether a flag was given. */
  flag(name: string): boolean
  /**
   * The value of an option as a whole number.
   *
   * @throws {UsageError} It is not a whole number within the bounds.
   */
  whole(name: string, bounds?: { readonly min?: number; readonly max?: number }): number | undefined
  /** The output for results and notes. */
  readonly terminal: Terminal
  /** The working folder of the command. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborts when the command is interrupted. */
  readonly signal: AbortSignal
}

/** A command: its description and how to run it. */
export interface Command {
  readonly name: string
  /** The arguments after the name, such as `URL [options]`. */
  readonly usage: string
  /** What it does, in a few sentences. */
  readonly description: string
  /** The minimum and maximum number of arguments, without options. */
  readonly args: { readonly min: number; readonly max: number }
  readonly options: Readonly<Record<string, CommandOption>>
  readonly examples: readonly string[]
  /** The meaning of the exit status; 2 always means incorrect usage. */
  readonly exits: Readonly<Record<0 | 1, string>>
  /** @returns The exit status: 0 for success, 1 for a problem. */
  run(input: CommandInput): Promise<0 | 1>
}
