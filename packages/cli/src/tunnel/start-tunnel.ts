import { setTimeout as sleep } from 'node:timers/promises'
import { parseUrl } from '@trestle/protocol'
import { isBridge } from '../app/find-app.ts'
import { type RunningApp, runApp } from '../dev/run-app.ts'
import { CommandError } from '../terminal/command-error.ts'

/** An open tunnel. */
export interface Tunnel {
  /** The public address of the bridge. */
  readonly url: string
  /** Resolves when the program exits, with the reason. */
  readonly ended: Promise<string>
  stop(): Promise<void>
}

/** How a tunnel is opened. */
export interface TunnelOptions {
  /** The command that opens it. */
  readonly command: string
  /** Finds addresses in the program's output. */
  readonly pattern: RegExp
  /** The bridge on this machine. */
  readonly bridgeUrl: string
  /** How long to wait for the address, in milliseconds. */
  readonly waitMs: number
  /** The folder in which the program runs. */
  readonly cwd: string
  /** The environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called with each line of output. */
  readonly onLine: (line: string) => void
  readonly signal: AbortSignal
}

const tryAgainMs = 500

/**
 * Starts a tunnel program, reads the address from its output, and waits until the bridge responds there.
 *
 * @throws {CommandError} The program exits, or the bridge does not respond at any printed address in time.
 */
export async function startTunnel(options: TunnelOptions): Promise<Tunnel> {
  const { command, pattern, cwd, env, onLine, bridgeUrl, waitMs, signal } = options
  const addresses: string[] = []
  const own = new URL(bridgeUrl)
  const program: RunningApp = runApp(command, {
    cwd,
    env,
    onLine(line) {
      onLine(line)
      for (const match of line.matchAll(new RegExp(pattern, 'gi'))) {
        const origin = toOrigin(match[1] ?? match[0])
        if (origin !== undefined && origin !== own.origin && !addresses.includes(origin)) addresses.push(origin)
      }
    },
  })
  let ending: string | undefined
  void program.ended.then((how) => {
    ending = how
  })
  const endMs = Date.now() + waitMs
  try {
    while (Date.now() < endMs && ending === undefined) {
      signal.throwIfAborted()
      for (const origin of addresses) {
        const url = `${origin}${own.pathname}${own.search}`
        if (await isBridge(url, signal)) return { url, ended: program.ended, stop: () => program.stop() }
      }
      await sleep(tryAgainMs, undefined, { signal })
    }
    throw toError(ending, addresses, waitMs)
  } catch (error) {
    await program.stop()
    throw error
  }
}

function toOrigin(text: string): string | undefined {
  return parseUrl(text)?.origin
}

function toError(ending: string | undefined, addresses: readonly string[], waitMs: number): CommandError {
  if (ending !== undefined) return new CommandError(`The tunnel program ${ending}.`, { fix: 'See its output above.' })
  const seconds = waitMs / 1000
  if (addresses.length === 0)
    return new CommandError(`The tunnel program printed no address within ${seconds} seconds.`, {
      fix: 'Check its output above; it may need an account.',
    })
  return new CommandError(`The bridge did not answer at ${addresses.join(' or ')} within ${seconds} seconds.`, {
    code: 'TunnelNotFound',
    fix: 'Check that the tunnel leads to the port of the app, and that it shows no page that visitors must confirm.',
  })
}
