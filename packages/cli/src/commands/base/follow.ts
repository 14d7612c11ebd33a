import { type FollowedTrigger, followRuns } from '../../api/follow-runs.ts'
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
): Promise<FollowedTrigger> {
  const { paint } = terminal
  const startedMs = Date.now()
  const followed = await followRuns(access, {
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
  const { runs, incomplete } = followed
  if (incomplete !== null)
    terminal.note(`The trigger ${transactionId} did not create all its runs (${runs.length} exist): ${incomplete}.`)
  return followed
}

/**
 * Returns whether the trigger created all its runs, and each of them succeeded: it completed, or was merged into the
 * digest of another run, and providers accepted its messages.
 */
export function endedWell({ runs, incomplete }: FollowedTrigger): boolean {
  return (
    incomplete === null &&
    runs.every(({ status, undelivered }) => undelivered === 0 && (status === 'completed' || status === 'merged'))
  )
}
