import { parseUrl } from '@trestle/protocol'
import { findKey } from '../bridge/find-key.ts'
import { readSession } from '../bridge/session-file.ts'
import type { CommandInput } from '../terminal/command.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { localApiUrl, type ServiceAccess } from './service-access.ts'

/**
 * Returns the service that a command uses: from the options `--api` and `--key`, then the environment, then the service
 * that `trestle dev` runs in this folder.
 *
 * @throws {UsageError} No key was found.
 */
export function findService({ text, env, cwd }: Pick<CommandInput, 'text' | 'env' | 'cwd'>): ServiceAccess {
  const noted = readSession(cwd)
  // A running session has one key and one address: other keys are not sent to it, and its key is sent to no other
  // address.
  const session = text('key') === undefined || text('key') === noted?.key ? noted : undefined
  const apiUrl = text('api') ?? env['SERVICE_API_URL'] ?? session?.apiUrl ?? localApiUrl
  const sessionKey = session?.apiUrl === apiUrl ? session.key : undefined
  const key = sessionKey ?? findKey(text('key'), { env, cwd })?.key
  if (key === undefined)
    throw new UsageError('No secret key found. Pass --key, set SERVICE_SECRET_KEY, or start trestle dev here.')
  if (parseUrl(apiUrl) === undefined || !/^https?:/.test(apiUrl))
    throw new UsageError(`--api must be an http or https address; it is ${JSON.stringify(apiUrl)}.`)
  return { apiUrl: apiUrl.replace(/\/$/, ''), key }
}
