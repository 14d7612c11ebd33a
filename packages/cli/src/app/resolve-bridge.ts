import { readSession } from '../bridge/session-file.ts'
import { type BridgeUrl, toBridgeUrl } from '../bridge/to-bridge-url.ts'
import { readConfig } from '../config/read-config.ts'
import type { CommandInput } from '../terminal/command.ts'
import { CommandError } from '../terminal/command-error.ts'
import { findDefaultUrls } from './default-urls.ts'
import { chooseAnswering, findApp, isBridge } from './find-app.ts'

/**
 * Returns the bridge address for a command: the option `--bridge`, the configuration file, the app of `trestle dev` in
 * this folder, or an app found on this machine. Prints a note if `localhost` was replaced.
 *
 * @param bridgeUrl - The address argument. @default the option `--bridge`
 * @throws {CommandError} No address was given and no bridge was found.
 */
export async function resolveBridge(
  input: Pick<CommandInput, 'text' | 'cwd' | 'env' | 'terminal' | 'signal'>,
  bridgeUrl: string | undefined = input.text('bridge'),
): Promise<BridgeUrl> {
  const { cwd, env, terminal, signal } = input
  const text = bridgeUrl ?? (await readConfig(cwd)).bridge
  if (text !== undefined) {
    const bridge = toBridgeUrl(text)
    const { otherUrl } = bridge
    const url = otherUrl === undefined ? bridge.url : await chooseAnswering([bridge.url, otherUrl], signal)
    noteRewritten({ ...bridge, url }, input)
    return { ...bridge, url }
  }
  const sessionUrl = readSession(cwd)?.bridgeUrl
  if (sessionUrl !== undefined && (await isBridge(sessionUrl, signal))) {
    terminal.note(`The bridge of trestle dev is at ${sessionUrl}.`)
    return toBridgeUrl(sessionUrl)
  }
  const places = findDefaultUrls(cwd, env)
  const end = terminal.progress('Looking for the app')
  const [url, ...others] = await findApp(places, signal).finally(end)
  if (url === undefined)
    throw new CommandError(`No bridge found at ${places.paths.join(' or ')} on the ports ${places.ports.join(', ')}.`, {
      fix: 'Start the app, or pass the address of its bridge with --bridge URL.',
    })
  terminal.note(`Found the bridge at ${url}.`)
  if (others.length > 0) terminal.note(`Also found ${others.join(', ')}; choose one with --bridge.`)
  return { url, isLoopback: true }
}

/** Prints a note if `localhost` was replaced. */
export function noteRewritten({ url, rewrittenFrom }: BridgeUrl, { terminal }: Pick<CommandInput, 'terminal'>): void {
  if (rewrittenFrom === undefined) return
  terminal.note(
    `Using ${new URL(url).host} instead of ${rewrittenFrom}, because the service does not call the name localhost.`,
  )
}
