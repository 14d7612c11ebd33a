import type { DiscoverReply } from '@trestle/protocol'
import type { CommandInput } from '../terminal/command.ts'
import { createClient } from './create-client.ts'
import { toCommandError } from './describe-failure.ts'
import { findKey } from './find-key.ts'

/**
 * Returns the workflows and agents of a bridge.
 *
 * @param input - The input of the command; uses its option `--key`.
 * @throws {CommandError} The call failed; the error contains code, reason and fix.
 */
export async function readBridge(
  url: string,
  input: Pick<CommandInput, 'text' | 'env' | 'cwd' | 'terminal' | 'signal'>,
): Promise<DiscoverReply> {
  const key = findKey(input.text('key'), { env: input.env, cwd: input.cwd, bridgeUrl: url })?.key
  const end = input.terminal.progress(`Reading the workflows from ${url}`)
  try {
    return await createClient({ url, key }).discover({ signal: input.signal })
  } catch (error) {
    throw toCommandError(error)
  } finally {
    end()
  }
}
