import { findService } from '../api/find-service.ts'
import type { ServiceAccess } from '../api/service-access.ts'
import { readSession } from '../bridge/session-file.ts'
import { relayStdio } from '../mcp/relay-stdio.ts'
import type { Command, CommandInput } from '../terminal/command.ts'
import { CommandError } from '../terminal/command-error.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { sharedOptions } from './base/options.ts'

export const mcp: Command = {
  name: 'mcp',
  usage: '[options]',
  description:
    'Speaks the Model Context Protocol on standard input and output, and relays it with the secret key to the trestle dev running in this folder. trestle dev may be started, restarted or stopped at any time.',
  args: { min: 0, max: 0 },
  options: {
    api: { value: 'URL', text: 'the address of the service (default: the trestle dev of this folder)' },
    key: { value: 'KEY', text: `with --api: ${sharedOptions.key.text}` },
  },
  examples: ['trestle mcp', 'claude mcp add trestle -- npx trestle mcp'],
  exits: { 0: 'the client closed the input', 1: 'it could not read the input' },
  run,
}

async function run(input: CommandInput): Promise<0> {
  const { signal, text } = input
  if (text('key') !== undefined && text('api') === undefined) throw new UsageError('--key needs --api.')
  await relayStdio({ input: process.stdin, output: process.stdout, findAccess: () => findAccess(input), signal })
  return 0
}

/** Returns the service of `trestle dev`, which the tools belong to, instead of the app's configured service. */
function findAccess(input: CommandInput): ServiceAccess {
  if (input.text('api') !== undefined) return findService(input)
  const session = readSession(input.cwd)
  if (session) return session
  throw new CommandError('trestle dev is not running in this folder.', { fix: 'Start it, then call again.' })
}
