import { findService } from '../api/find-service.ts'
import { syncBridge } from '../api/sync-bridge.ts'
import { resolveBridge } from '../app/resolve-bridge.ts'
import { endOrAbort } from '../dev/run-app.ts'
import type { Command, CommandInput } from '../terminal/command.ts'
import { CommandError } from '../terminal/command-error.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { startTunnel } from '../tunnel/start-tunnel.ts'
import { anyAddress, isInstalled, tunnelPrograms } from '../tunnel/tunnel-programs.ts'
import { sharedOptions } from './base/options.ts'

export const tunnel: Command = {
  name: 'tunnel',
  usage: '[options]',
  description:
    'Makes the app on this machine reachable from a remote service: starts an installed tunnel program (cloudflared, ngrok, or any with --command), waits until the bridge answers at its address, and syncs that address. It does not bundle or install one. Stop it with Ctrl-C.',
  args: { min: 0, max: 0 },
  options: {
    bridge: sharedOptions.bridge,
    program: { value: 'NAME', text: 'cloudflared or ngrok (default: the first one installed)' },
    command: { value: 'COMMAND', text: 'another program; {url} and {port} are replaced by those of the app' },
    wait: { value: 'SECONDS', text: 'how long to wait for the address (default 60)' },
    'no-sync': { text: 'prints the address only' },
    api: sharedOptions.api,
    key: sharedOptions.key,
    json: { text: 'prints the address as JSON when it is ready' },
  },
  examples: [
    'trestle tunnel --api https://api.example.com --key sk_...',
    'trestle tunnel --command "ssh -R 80:127.0.0.1:{port} tunnel.example.com"',
  ],
  exits: { 0: 'it was interrupted', 1: 'no tunnel was opened, it broke, or the sync was rejected' },
  run,
}

const usualWaitSeconds = 60

async function run(input: CommandInput): Promise<0 | 1> {
  const { flag, terminal, signal, whole, cwd, env } = input
  const access = flag('no-sync') ? undefined : findService(input)
  const { url: bridgeUrl } = await resolveBridge(input)
  const { command, pattern } = chooseProgram(input, bridgeUrl)
  const end = terminal.progress('Opening the tunnel')
  const opened = await startTunnel({
    command,
    pattern,
    bridgeUrl,
    waitMs: (whole('wait', { min: 1, max: 3600 }) ?? usualWaitSeconds) * 1000,
    cwd,
    env,
    signal,
    onLine: (line) => terminal.note(`${terminal.notePaint.dim('tunnel │')} ${line}`),
  }).finally(end)
  try {
    const synced = access && (await syncBridge(access, opened.url, signal))
    if (flag('json'))
      terminal.printJson({
        bridgeUrl: opened.url,
        apiUrl: access?.apiUrl ?? null,
        workflows: synced?.workflowIds ?? null,
      })
    else {
      terminal.print(opened.url)
      if (synced)
        terminal.print(`${terminal.paint.green('synced')} ${synced.workflowIds.length} workflows to ${access?.apiUrl}`)
    }
    const how = await endOrAbort(opened.ended, signal)
    if (how !== undefined) throw new CommandError(`The tunnel program ${how}.`, { code: 'TunnelNotFound' })
    return 0
  } finally {
    await opened.stop()
  }
}

function chooseProgram(
  { text, env }: CommandInput,
  bridgeUrl: string,
): { readonly command: string; readonly pattern: RegExp } {
  const { origin, port } = new URL(bridgeUrl)
  const own = text('command')
  if (own !== undefined) {
    if (text('program') !== undefined) throw new UsageError('--program and --command exclude each other.')
    return { command: own.replaceAll('{url}', origin).replaceAll('{port}', port || '80'), pattern: anyAddress }
  }
  const name = text('program')
  const candidates = tunnelPrograms.filter((one) => name === undefined || one.name === name)
  if (candidates.length === 0)
    throw new UsageError(
      `--program takes ${tunnelPrograms.map((one) => one.name).join(' or ')}; start any other program with --command.`,
    )
  const program = candidates.find((one) => isInstalled(one.name, env))
  if (!program)
    throw new CommandError(
      `${candidates.map((one) => one.name).join(' and ')} ${candidates.length === 1 ? 'is' : 'are'} not installed.`,
      {
        fix: 'Install one of them, or start another program with --command "…".',
      },
    )
  return { command: program.command(origin), pattern: program.pattern }
}
