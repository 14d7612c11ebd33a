import { nearest } from '@trestle/protocol'
import { version } from '../base/version.ts'
import { commandTable } from '../commands/command-table.ts'
import type { Command, CommandInput } from '../terminal/command.ts'
import { toHelp, toOverview } from '../terminal/help.ts'
import { parseArguments } from '../terminal/parse-arguments.ts'
import { problemLines, toProblem } from '../terminal/print-problem.ts'
import { createTerminal, type Terminal, type Writer } from '../terminal/terminal.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** The environment of the command. */
export interface TrestleOptions {
  /** Receives results. @default standard output */
  readonly stdout?: Writer
  /** Receives notes and errors. @default standard error */
  readonly stderr?: Writer
  /** The environment. @default that of the process */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The working folder. @default that of the process */
  readonly cwd?: string
  /** Interrupts the command. @default never */
  readonly signal?: AbortSignal
}

const usageStatus = 2
const signatureHeaderVariable = 'SERVICE_BRIDGE_SIGNATURE_HEADER'

/**
 * Runs the `trestle` command.
 *
 * @param argv - The arguments after the command name.
 * @param options - Streams, environment, folder and signal.
 * @returns The exit status: 0 for success, 1 for a problem, 2 for wrong usage.
 * @example
 * process.exitCode = await runTrestle(['doctor', 'http://127.0.0.1:4000/api/bridge'])
 */
export async function runTrestle(argv: readonly string[], options: TrestleOptions = {}): Promise<number> {
  const { stdout = process.stdout, stderr = process.stderr, env = process.env, cwd = process.cwd() } = options
  const { signal = new AbortController().signal } = options
  const terminal = createTerminal({ stdout, stderr, env, isJson: argv.includes('--json') })
  try {
    return await run(argv, { terminal, env, cwd, signal })
  } catch (error) {
    if (signal.aborted && isAbort(error, signal)) return 1
    return report(error, { argv, terminal })
  }
}

/** Node's own functions reject with an error that has the reason as its cause. */
function isAbort(error: unknown, { reason }: AbortSignal): boolean {
  return error === reason || (error instanceof Error && error.cause === reason)
}

async function run(
  argv: readonly string[],
  place: Pick<CommandInput, 'terminal' | 'env' | 'cwd' | 'signal'>,
): Promise<number> {
  const { terminal } = place
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
    terminal.print(toOverview(commandTable, terminal.paint))
    return name === undefined ? usageStatus : 0
  }
  if (name === '--version' || name === '-v') {
    terminal.print(version())
    return 0
  }
  const command = await find(name === 'help' ? (rest[0] ?? '') : name)
  if (name === 'help' || rest.includes('--help') || rest.includes('-h')) {
    terminal.print(toHelp(command, terminal.paint))
    return 0
  }
  const input = { ...parseArguments(command, rest), ...place }
  return withSignatureHeader(input.text('signature-header'), () => command.run(input))
}

/**
 * Sets the environment variable while the command runs, because every bridge client in this process reads it, including
 * the local service's.
 */
async function withSignatureHeader<T>(name: string | undefined, run: () => Promise<T>): Promise<T> {
  if (name === undefined) return run()
  if (!/^[\w-]{1,100}$/.test(name)) throw new UsageError(`--signature-header takes a header name, not "${name}".`)
  const former = process.env[signatureHeaderVariable]
  process.env[signatureHeaderVariable] = name
  try {
    return await run()
  } finally {
    if (former === undefined) delete process.env[signatureHeaderVariable]
    else process.env[signatureHeaderVariable] = former
  }
}

async function find(name: string): Promise<Command> {
  const row = commandTable.find((one) => one.name === name)
  if (row) return row.load()
  const meant = nearest(
    name,
    commandTable.map((one) => one.name),
  )
  const what = name.startsWith('-') ? 'option' : 'command'
  throw new UsageError(
    `Unknown ${what} ${name}.${meant === undefined ? '' : ` Did you mean trestle ${meant}?`} See trestle --help.`,
  )
}

/** Reports an error. With `--json` it is also JSON, so that programs always get JSON. */
function report(
  error: unknown,
  { argv, terminal }: { readonly argv: readonly string[]; readonly terminal: Terminal },
): number {
  const problem = toProblem(error)
  if (argv.includes('--json')) {
    const { code = null, message, why = null, fix = null } = problem
    terminal.printJson({ error: { code: error instanceof UsageError ? 'WrongUse' : code, message, why, fix } })
  } else for (const line of problemLines(problem, terminal.notePaint)) terminal.note(line)
  return error instanceof UsageError ? usageStatus : 1
}
