import type { CommandInput } from '../../terminal/command.ts'
import { parseJsonArgument } from '../../terminal/parse-json-argument.ts'
import { UsageError } from '../../terminal/usage-error.ts'

/** The recipient and the payload of a trigger, from the command line. */
export interface TriggerOptions {
  /** A subscriber id, or a JSON object that the API accepts; undefined without `--to`. */
  readonly to: string | Readonly<Record<string, unknown>> | undefined
  readonly payload: Readonly<Record<string, unknown>>
}

/**
 * Parses the options `--to`, `--email` and `--payload`.
 *
 * @throws {UsageError} One of them is invalid.
 */
export function readTriggerOptions({ text, cwd }: Pick<CommandInput, 'text' | 'cwd'>): TriggerOptions {
  const payload = parseJsonArgument('payload', text('payload') ?? '{}', cwd)
  const [to, email] = [text('to'), text('email')]
  if (!to?.startsWith('{'))
    return { to: to === undefined || email === undefined ? to : { subscriberId: to, email }, payload }
  if (email !== undefined)
    throw new UsageError('--email needs a subscriber id as --to; a JSON object takes "email" itself.')
  return { to: parseJsonArgument('to', to, cwd), payload }
}
