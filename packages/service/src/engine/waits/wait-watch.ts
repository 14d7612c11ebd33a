import type { Store } from '../../store/store.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import { type DueWait, endWait, type WaitPorts } from './end-wait.ts'

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
/** The number of waits that end concurrently; they share transactions. */
const maxBatch = 100

/**
 * Creates the watch. Several processes may watch one database; each wait ends once.
 *
 * @param onEnd - Called after waits have ended.
 */
export function createWaitWatch(ports: EnginePorts & WaitPorts, onEnd: () => void): WaitWatch {
  const { store, clock, logger } = ports
  const stopping = new AbortController()
  let nap = new AbortController()
  let napEndMs = 0
  let loop: Promise<void> = Promise.resolve()

  async function sweep(): Promise<number> {
    let ended = 0
    for (;;) {
      const due = await loadDue(store, clock.now())
      await Promise.all(due.map((wait) => endWait(ports, wait)))
      if (due.length > 0) onEnd()
      ended += due.length
      if (due.length < maxBatch || stopping.signal.aborted) return ended
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

function loadDue({ db }: Store, nowMs: number): Promise<readonly DueWait[]> {
  return db
    .selectFrom('jobs')
    .innerJoin('runs', 'runs.id', 'jobs.runId')
    .select(['jobs.id as jobId', 'jobs.runId', 'jobs.type', 'runs.isBulk'])
    .where('jobs.status', '=', 'delayed')
    .where('jobs.dueAt', '<=', nowMs)
    .orderBy('jobs.dueAt')
    .orderBy('jobs.id')
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
