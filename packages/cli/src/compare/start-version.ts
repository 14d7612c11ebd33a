import { findDefaultUrls } from '../app/default-urls.ts'
import { findApp } from '../app/find-app.ts'
import { findFreePort } from '../dev/free-port.ts'
import { runApp } from '../dev/run-app.ts'
import { portsOf, waitForApp } from '../dev/wait-for-app.ts'
import { CommandError } from '../terminal/command-error.ts'

/** How a version of an app is started. */
export interface VersionOptions {
  /** The command that starts it. */
  readonly run: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The time within which its bridge must respond, in milliseconds. */
  readonly waitMs: number
  /** Receives its output, line by line. */
  readonly onLine: (line: string) => void
  readonly signal: AbortSignal
}

const firstPort = 4310

/**
 * Starts a version of an app on a free port, calls a function with the address of its bridge, and stops the app.
 *
 * @param work - Called as soon as the bridge responds.
 * @throws {CommandError} The app exits, or its bridge does not respond in time.
 */
export async function withVersion<T>(options: VersionOptions, work: (bridgeUrl: string) => Promise<T>): Promise<T> {
  const { run, cwd, waitMs, onLine, signal } = options
  const port = await findFreePort(firstPort)
  const env = { ...options.env, PORT: String(port) }
  // A server that responds before the app has started is not the app.
  const others = await findApp(findDefaultUrls(cwd, env), signal)
  const ports: number[] = []
  const app = runApp(run, {
    cwd,
    env,
    onLine(line) {
      ports.unshift(...portsOf(line))
      onLine(line)
    },
  })
  const ending = new AbortController()
  const timeout = AbortSignal.timeout(waitMs)
  const search = { bridgeUrl: undefined, isStarting: true, others, ports: () => ports, cwd, env }
  const appReady = waitForApp({ ...search, signal: AbortSignal.any([signal, timeout, ending.signal]) })
  const ended = app.ended.then((how): never => {
    throw new CommandError(`The app ${how} before its bridge answered.`, { fix: 'See its output above.' })
  })
  ended.catch(() => undefined)
  try {
    const { url } = await Promise.race([appReady, ended]).catch((error: unknown) => {
      if (signal.aborted || !timeout.aborted) throw error
      throw new CommandError(`No bridge answered within ${waitMs / 1000} seconds.`, {
        fix: `Check that the app listens on the port in the variable PORT, and that it runs in ${cwd}.`,
      })
    })
    return await work(url)
  } finally {
    ending.abort()
    await appReady.catch(() => undefined)
    await app.stop()
  }
}
