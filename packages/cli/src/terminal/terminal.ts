import { createPaint, hasColours, type Paint } from './paint.ts'

/** A stream to write to. */
export interface Writer {
  write(text: string): unknown
  /** Whether it is a terminal. */
  readonly isTTY?: boolean | undefined
}

/** The output of a command. Results go to standard output, everything else to standard error. */
export interface Terminal {
  /** Prints a line of the result. */
  print(line?: string): void
  /** Prints data as JSON, as the only result of the command. */
  printJson(data: unknown): void
  /** Prints a line to standard error. */
  note(line: string): void
  /** Shows progress if work takes longer than a second. Returns a function that hides it. */
  progress(text: string): () => void
  /** Colors of standard output. */
  readonly paint: Paint
  /** Colors of standard error. */
  readonly notePaint: Paint
}

/** The streams of a terminal. */
export interface TerminalStreams {
  readonly stdout: Writer
  /** Receives notes, errors and progress. */
  readonly stderr: Writer
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether the command has `--json`. If so, progress is shown only in a terminal. @default false */
  readonly isJson?: boolean
}

const quietMs = 1000
const tickMs = 120
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** Creates the terminal of a command. */
export function createTerminal({ stdout, stderr, env, isJson = false }: TerminalStreams): Terminal {
  const isInteractive = stderr.isTTY === true && !env['CI'] && env['TERM'] !== 'dumb'
  let clearLine = (): void => undefined
  return {
    paint: createPaint(hasColours({ isTerminal: stdout.isTTY === true, env })),
    notePaint: createPaint(hasColours({ isTerminal: stderr.isTTY === true, env })),
    print(line = '') {
      clearLine()
      stdout.write(`${line}\n`)
    },
    printJson(data) {
      clearLine()
      stdout.write(`${JSON.stringify(data, null, 2)}\n`)
    },
    note(line) {
      clearLine()
      stderr.write(`${line}\n`)
    },
    progress(text) {
      let frame = 0
      let timer: NodeJS.Timeout | undefined
      let isShown = false
      clearLine = () => {
        if (isShown) stderr.write('\r\u001b[2K')
        isShown = false
      }
      const tick = (): void => {
        if (!isInteractive) {
          if (!isJson) stderr.write(`${text} ...\n`)
          return
        }
        stderr.write(`\r\u001b[2K${frames[frame++ % frames.length]} ${text}`)
        isShown = true
        timer = setTimeout(tick, tickMs)
      }
      timer = setTimeout(tick, quietMs)
      return () => {
        clearTimeout(timer)
        clearLine()
        clearLine = () => undefined
      }
    },
  }
}
