import { findDefaultUrls } from '../app/default-urls.ts'
import { noteRewritten } from '../app/resolve-bridge.ts'
import { findKey } from '../bridge/find-key.ts'
import { type DevNotes, writeSession } from '../bridge/session-file.ts'
import { type BridgeUrl, toBridgeUrl } from '../bridge/to-bridge-url.ts'
import { readConfig, type TrestleConfig } from '../config/read-config.ts'
import { createDevReport } from '../dev/dev-report.ts'
import { isUsableKey } from '../dev/dev-service.ts'
import { endOrAbort } from '../dev/run-app.ts'
import { type DevOptions, startDev } from '../dev/start-dev.ts'
import type { Command, CommandInput } from '../terminal/command.ts'
import { CommandError } from '../terminal/command-error.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { sharedOptions } from './base/options.ts'
import { devOnce } from './dev-once.ts'

const usualPollMs = 500

export const dev: Command = {
  name: 'dev',
  usage: '[options]',
  description:
    'Starts a notification service on 127.0.0.1, finds the app (or starts it with --run), and syncs its workflows, then again after each change. It needs no account and no network: it calls only this machine unless --tunnel names an address. Messages stay in the outbox of the studio.',
  args: { min: 0, max: 0 },
  options: {
    bridge: sharedOptions.bridge,
    'signature-header': sharedOptions['signature-header'],
    run: { value: 'COMMAND', text: 'also starts the app, and stops it on exit: --run "npm run dev"' },
    tunnel: { value: 'URL', text: 'the public address of the bridge' },
    'allow-host': {
      value: 'HOSTS',
      text: 'tunnel host names, separated by commas, that may reach the REST API; never the studio or /mcp',
    },
    port: { value: 'PORT', text: 'the port of the service; the next free port if it is taken (default 3737)' },
    environments: {
      value: 'NAMES',
      text: 'the environments shown in the studio, separated by commas (default Development)',
    },
    data: { value: 'FOLDER', text: 'keeps runs and messages in a folder (default: in memory)' },
    key: sharedOptions.key,
    poll: { value: 'MS', text: 'the minimum time between two checks of the app (default 500)' },
    once: { text: 'for scripts: starts, syncs, prints and exits' },
    trigger: { value: 'WORKFLOW', text: 'with --once: triggers a workflow and follows its run, cutting waits short' },
    to: { value: 'ID', text: 'with --trigger: the recipient, a subscriber id or a JSON object (default ada)' },
    payload: { value: 'JSON', text: 'with --trigger: the payload, or @FILE' },
    wait: { value: 'SECONDS', text: 'with --once: how long to wait for the app (default 60)' },
    json: { text: 'with --once: prints the result as JSON' },
  },
  examples: [
    'trestle dev',
    'trestle dev --run "npm run dev"',
    'trestle dev --bridge http://127.0.0.1:4000/api/bridge --data .trestle',
    'trestle dev --once --run "npm start" --trigger order-shipped --payload \'{ "id": "7" }\'',
  ],
  exits: {
    0: 'it was interrupted, or --once succeeded',
    1: 'the app exited, or --once found a problem',
  },
  run,
}

async function run(input: CommandInput): Promise<0 | 1> {
  const { flag, text, whole, cwd, env, signal, terminal } = input
  for (const name of ['trigger', 'json', 'wait', 'to', 'payload'])
    if (!flag('once') && (text(name) !== undefined || flag(name))) throw new UsageError(`--${name} needs --once.`)
  const config = await readConfig(cwd)
  const bridge = chooseBridge(input, config)
  const options: DevOptions = {
    bridgeUrl: bridge?.url,
    otherBridgeUrl: bridge?.otherUrl,
    run: text('run') ?? config.run,
    port: whole('port', { max: 65_535 }) ?? config.port,
    data: text('data') ?? config.data,
    key: chooseKey(input),
    environments: text('environments')
      ?.split(',')
      .map((name) => name.trim()),
    allowedHosts: readHosts(text('allow-host')),
    pollMs: whole('poll', { min: 50, max: 60_000 }) ?? usualPollMs,
    cwd,
    env,
  }
  if (flag('once')) return devOnce(input, options)
  // An address from the command line may belong to any app.
  const isOwnApp = options.run !== undefined || (text('bridge') ?? text('tunnel')) === undefined
  const framework = isOwnApp ? findDefaultUrls(cwd, env).framework : undefined
  const report = createDevReport(terminal, { framework, data: options.data })
  const ended = createSignal<string>()
  const notes = createNotes(cwd)
  const session = await startDev({
    ...options,
    onEvent(event) {
      report.onEvent(event)
      if (event.kind === 'app-found') notes.tell({ bridgeUrl: event.url })
      if (event.kind === 'app-ended') ended.resolve(event.how)
    },
  })
  notes.tell({ apiUrl: session.service.url, key: session.service.key })
  try {
    report.onStart(session.service, options.bridgeUrl)
    const how = await endOrAbort(ended.promise, signal)
    if (how !== undefined) throw new CommandError(`The app ${how}.`, { fix: 'See its output above.' })
    return 0
  } finally {
    notes.forget()
    await session.stop()
  }
}

/** Shares the service with other commands in the folder once it has started, and the bridge once it is found. */
function createNotes(cwd: string): { tell(more: Partial<DevNotes>): void; forget(): void } {
  let session: Partial<DevNotes> = {}
  let forget = (): void => undefined
  return {
    tell(more) {
      session = { ...session, ...more }
      const { apiUrl, key, bridgeUrl } = session
      if (apiUrl !== undefined && key !== undefined) forget = writeSession(cwd, { apiUrl, key, bridgeUrl })
    },
    forget: () => forget(),
  }
}

/** Returns the bridge from the command line or the configuration; undefined to search for the app. */
function chooseBridge(input: CommandInput, config: TrestleConfig): BridgeUrl | undefined {
  const [tunnel, given] = [input.text('tunnel'), input.text('bridge') ?? config.bridge]
  if (tunnel !== undefined) return toBridgeUrl(tunnel)
  if (given === undefined) return undefined
  const bridge = toBridgeUrl(given)
  noteRewritten(bridge, input)
  if (bridge.isLoopback) return bridge
  throw new UsageError(
    `${bridge.url} is not on this machine, and trestle dev calls nothing else. If the bridge has a public address, use --tunnel ${bridge.url}.`,
  )
}

function readHosts(text: string | undefined): readonly string[] {
  const hosts = text?.split(',').map((host) => host.trim()) ?? []
  const wrong = hosts.find((host) => !/^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(host))
  if (wrong === undefined) return hosts
  throw new UsageError(
    `--allow-host takes host names such as my-tunnel.example.com, separated by commas, not "${wrong}".`,
  )
}

function chooseKey(input: CommandInput): string | undefined {
  const existingKey = findKey(input.text('key'), input)
  if (existingKey === undefined || isUsableKey(existingKey.key)) return existingKey?.key
  throw new UsageError(
    `The secret key from ${existingKey.source} has the wrong length: the local service requires 16 to 512 characters.`,
  )
}

function createSignal<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((onResolve) => {
    resolve = onResolve
  })
  return { promise, resolve: (value) => resolve(value) }
}
