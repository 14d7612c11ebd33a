import { sql } from 'kysely'
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
  /** Ends all due waits, and returns how many have ended. Waits that cannot be ended are logged. */
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

  async function sweep(nowMs: number): Promise<number> {
    let ended = 0
    for (let last: OrderedWait | undefined; ; ) {
      const due = await loadDue(store, { nowMs, last })
      const ends = await Promise.all(due.map((wait) => tryToEnd(ports, wait)))
      if (due.length > 0) onEnd()
      ended += ends.filter(Boolean).length
      last = due.at(-1)
      if (due.length < maxBatch || stopping.signal.aborted) return ended
    }
  }

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      nap = new AbortController()
      napEndMs = Number.POSITIVE_INFINITY
      const nowMs = clock.now()
      const dueMs = await sweep(nowMs)
        .then(() => loadNextDueMs(store, nowMs))
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
    sweep: () => sweep(clock.now()),
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

/** Ends a wait. Returns whether it ended; otherwise the next sweep tries again, so that it cannot block other waits. */
async function tryToEnd(ports: EnginePorts & WaitPorts, wait: DueWait): Promise<boolean> {
  try {
    await endWait(ports, wait)
    return true
  } catch (error) {
    ports.logger.error({ err: error, jobId: wait.jobId, runId: wait.runId }, 'a wait could not be ended')
    return false
  }
}

interface OrderedWait extends DueWait {
  readonly dueAt: number | null
}

/** Returns the next due waits after the last one, in the order of their ends. */
function loadDue(
  { db }: Store,
  { nowMs, last }: { readonly nowMs: number; readonly last: OrderedWait | undefined },
): Promise<readonly OrderedWait[]> {
  return db
    .selectFrom('jobs')
    .innerJoin('runs', 'runs.id', 'jobs.runId')
    .select(['jobs.id as jobId', 'jobs.runId', 'jobs.type', 'jobs.dueAt', 'runs.isBulk'])
    .where('jobs.status', '=', 'delayed')
    .where('jobs.dueAt', '<=', nowMs)
    .$if(last !== undefined, (query) =>
      query.where(sql<boolean>`("jobs"."dueAt", "jobs"."id") > (${last?.dueAt}, ${last?.jobId})`),
    )
    .orderBy('jobs.dueAt')
    .orderBy('jobs.id')
    .limit(maxBatch)
    .execute()
}

/** Returns when the next wait ends that was not due at a time. */
async function loadNextDueMs({ db }: Store, nowMs: number): Promise<number> {
  const row = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.min('dueAt').as('dueAt'))
    .where('status', '=', 'delayed')
    .where('dueAt', '>', nowMs)
    .executeTakeFirst()
  return row?.dueAt ?? Number.POSITIVE_INFINITY
}
