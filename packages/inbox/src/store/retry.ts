import { InboxError } from '../base/inbox-error.ts'
import { backoffMs, wait } from '../base/wait.ts'

/** Repeats work while the service is unreachable. The work must be idempotent. */
export type Retry = <Value>(work: () => Promise<Value>) => Promise<Value>

/**
 * Creates a function that repeats work.
 *
 * @param whenOnline - Resolves when the service is reachable.
 * @param signal - Ends the wait when the inbox is closed.
 */
export function createRetry(whenOnline: () => Promise<void>, signal: AbortSignal): Retry {
  return async (work) => {
    for (let failures = 0; ; failures++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof InboxError && error.code === 'ServiceUnreachable')) throw error
        await wait(backoffMs(failures), signal)
        await whenOnline()
      }
    }
  }
}
