import { type FollowedRun, followRuns } from '../../api/follow-runs.ts'
import type { ServiceAccess } from '../../api/service-access.ts'
import { cleanText } from '../../base/clean-text.ts'
import type { CommandInput } from '../../terminal/command.ts'
import { problemLines } from '../../terminal/print-problem.ts'

export interface FollowRequest {
  /** The transaction of a trigger. */
  readonly transactionId: string
  /** Whether waits are cut short. */
  readonly skipWaits: boolean
  readonly isQuiet: boolean
}

/** The width of the time column. */
const indent = 11

/**
 * Prints the events of a trigger's runs until they have ended.
 *
 * @param input - The terminal, and the signal that stops the output.
 */
export async function follow(
  access: ServiceAccess,
  { transactionId, skipWaits, isQuiet }: FollowRequest,
  { terminal, signal }: Pick<CommandInput, 'terminal' | 'signal'>,
): Promise<readonly FollowedRun[]> {
  const { paint } = terminal
  const startedMs = Date.now()
  return followRuns(access, {
    transactionId,
    skipWaits,
    signal,
    onEvent({ stepId, status, detail, kind, atMs, error }) {
      if (isQuiet) return
      const time = paint.dim(`${Math.max(0, atMs - startedMs)} ms`.padStart(9))
      const text = kind === 'Failed' ? paint.red(detail) : kind === 'Warning' ? paint.yellow(detail) : detail
      terminal.print(`${time}  ${cleanText(stepId ?? 'run', 24).padEnd(24)}  ${status.padEnd(10)}  ${cleanText(text)}`)
      if (!error) return
      const problem = { message: error.message, code: error.code ?? undefined, fix: error.fix ?? undefined }
      for (const line of problemLines(problem, paint)) terminal.print(`${' '.repeat(indent)}${line}`)
    },
  })
}

/**
 * Returns whether all runs succeeded: completed, or merged into the digest of another run, with each message accepted by
 * its provider.
 */
export function endedWell(runs: readonly FollowedRun[]): boolean {
  return runs.every(({ status, undelivered }) => undelivered === 0 && (status === 'completed' || status === 'merged'))
}
