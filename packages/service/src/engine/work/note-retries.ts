import type { FailedAttempt } from '../../bridge/bridge-call.ts'
import type { RunRow } from '../../store/schema/run.ts'
import { createHistory } from '../base/history.ts'
import type { EnginePorts } from '../port/engine-ports.ts'

/** Writes failed attempts of a bridge call into the history of its run. */
export interface RetryNotes {
  /** Writes an attempt. Failures are only logged, because the call continues. */
  readonly onRetry: (attempt: FailedAttempt) => void
  /** Resolves once all attempts are written, so that the outcome of the call is written after them. */
  written(): Promise<void>
}

/**
 * Creates the notes of one call. Each attempt is written when it happens, because a call may take half a minute while
 * users watch its run.
 *
 * @param jobId - Row id of the called step; null if the call requests the next step.
 */
export function noteRetries(
  { store, clock, logger }: Pick<EnginePorts, 'store' | 'clock' | 'logger'>,
  run: Pick<RunRow, 'id' | 'environmentId'>,
  jobId: string | null,
): RetryNotes {
  let writing = Promise.resolve()
  return {
    onRetry(attempt) {
      const history = createHistory(run.environmentId, clock.now())
      history.note({ runId: run.id, jobId }, 'bridgeRetried', attempt)
      writing = writing
        .then(() => history.write(store.db))
        .catch((error: unknown) => logger.warn({ err: error, runId: run.id }, 'a retried call could not be recorded'))
    },
    written: () => writing,
  }
}
