import type { JobRow } from '../../store/schema/run.ts'
import type { Store } from '../../store/store.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { endWait } from './end-wait.ts'

/** Ends waits when they are due. */
export interface WaitWatch {
  /**
   * Reports a wait that has started.
   *
   * @param dueMs - Its end, in milliseconds since 1970.
   */
  notice(dueMs: number): void
  /** Ends all due waits, and returns how many there were. */
  sweep(): Promise<number>
  start(): void
  /** Stops watching after the current sweep. */
  stop(): Promise<void>
}

/** How often to check for waits that other processes have started, in milliseconds. */
const pollMs = 1000
const maxBatch = 100
/** The number of waits that end concurrently, so that they do not queue behind all other work one by one. */
const concurrency = 25

/**
 * Creates the watch. Several processes may watch one database; each wait ends once.
 *
 * @param onEnd - Called after waits have ended.
 */
export function createWaitWatch(ports: EnginePorts, onEnd: () => void): WaitWatch {
  const { store, clock, logger } = ports
  const stopping = new AbortController()
  let nap = new AbortController()
  let napEndMs = 0
  let loop: Promise<void> = Promise.resolve()

  async function sweep(): Promise<number> {
    let ended = 0
    for (;;) {
      const due = await loadDue(store, clock.now())
      for (let at = 0; at < due.length; at += concurrency) {
        if (stopping.signal.aborted) return ended
        const batch = due.slice(at, at + concurrency)
        await Promise.all(batch.map(({ id, runId, type }) => endWait(ports, { jobId: id, runId, type })))
        onEnd()
      }
      ended += due.length
      if (due.length < maxBatch) return ended
    }
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      nap = new AbortController()
      napEndMs = Number.POSITIVE_INFINITY
      const dueMs = await sweep()
        .then(() => loadNextDueMs(store))
        .catch((error: unknown) => {
          logger.error({ err: error }, 'waits could not be checked')
          return Number.POSITIVE_INFINITY
        })
      napEndMs = Math.min(dueMs, clock.now() + pollMs)
      const signal = AbortSignal.any([nap.signal, stopping.signal])
      if (!signal.aborted) await clock.sleep(napEndMs - clock.now(), signal)
    }
  }

  return {
    sweep,
    notice(dueMs) {
      if (dueMs < napEndMs) nap.abort()
    },
    start() {
      loop = watch()
    },
    async stop() {
      stopping.abort()
      await loop
    },
  }
}

function loadDue({ db }: Store, nowMs: number): Promise<readonly Pick<JobRow, 'id' | 'runId' | 'type'>[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'runId', 'type'])
    .where('status', '=', 'delayed')
    .where('dueAt', '<=', nowMs)
    .orderBy('dueAt')
    .orderBy('id')
    .limit(maxBatch)
    .execute()
}

async function loadNextDueMs({ db }: Store): Promise<number> {
  const row = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.min('dueAt').as('dueAt'))
    .where('status', '=', 'delayed')
    .executeTakeFirst()
  return row?.dueAt ?? Number.POSITIVE_INFINITY
}
