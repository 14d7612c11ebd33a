import { sql } from 'kysely'
import type { Queue, QueueState } from '../queue/queue.ts'
import type { PoolState, Store } from '../store/store.ts'

/** The queue and wait state of the database at one moment. */
export interface DatabaseState extends QueueState {
  /** Delays and digests that are more than 10 seconds late. */
  readonly lateWaits: number
  /** Milliseconds since the oldest of them was due; 0 if there is none. */
  readonly oldestLateWaitMs: number
  /** Processes that handle work. */
  readonly processes: number
  /** The connections of this process; undefined for the embedded database. */
  readonly pool: PoolState | undefined
}

/** Dependencies for reading the state. */
export interface StateSource {
  readonly store: Pick<Store, 'db' | 'pool'>
  readonly queue: Pick<Queue, 'state'>
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number
}

/** Due waits are polled each second, so a wait this late is not about to end. */
const lateMs = 10_000
/** Counting a long queue costs the database more than a scrape is worth. */
const keptMs = 2_000

/**
 * Returns a function that reads the database state, at most once every two seconds for all callers.
 *
 * @param source - The database and its queue.
 */
export function createStateReader(source: StateSource): () => Promise<DatabaseState> {
  let last: { readonly atMs: number; readonly state: Promise<DatabaseState> } | undefined
  return () => {
    const atMs = performance.now()
    if (!last || atMs > last.atMs + keptMs) {
      const state = readState(source)
      last = { atMs, state }
      // Lets the next caller retry.
      state.catch(() => {
        last = undefined
      })
    }
    return last.state
  }
}

async function readState({ store, queue, now }: StateSource): Promise<DatabaseState> {
  const nowMs = now()
  const [state, waits, processes] = await Promise.all([
    queue.state(),
    store.db
      .selectFrom('jobs')
      .select([sql<number>`count(*)`.as('count'), sql<number | null>`min("dueAt")`.as('oldestMs')])
      .where('status', '=', 'delayed')
      .where('dueAt', '<=', nowMs - lateMs)
      .executeTakeFirstOrThrow(),
    store.db.selectFrom('processes').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return {
    ...state,
    lateWaits: Number(waits.count),
    oldestLateWaitMs: waits.oldestMs === null ? 0 : nowMs - Number(waits.oldestMs),
    processes: Number(processes.count),
    pool: store.pool?.(),
  }
}
