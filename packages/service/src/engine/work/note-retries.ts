import type { FailedAttempt } from '../../bridge/bridge-call.ts'
import type { RunRow } from '../../store/schema/run.ts'
import { createHistory } from '../base/history.ts'
import type { EnginePorts } from '../port/engine-ports.ts'

/** Writes failed attempts of a bridge call into the history of its run. */
export interface RetryNotes {
  /** Writes an attempt. Failures are only logged, because the call continues. */
  readonly onRetry: (attempt: FailedAttempt) => void
  /** Resolves when all is written, so that what the call returns comes after it. */
  written(): Promise<void>
}

/**
 * Notes each attempt when it happens: a call may take half a minute, and its run is watched meanwhile.
 *
 * @param jobId - Row id of the step that is called; null if the bridge is asked what comes next.
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
