import { sql } from 'kysely'
import type { Session } from '../store/store.ts'
import type { TestEngine } from './engine.fixture.ts'

/** A lock on rows that the engine needs, which makes the order of concurrent work deterministic. */
export interface HeldRows {
  /** Releases the lock; resolves once it is released. */
  readonly release: () => Promise<void>
}

/**
 * Locks rows until they are released.
 *
 * @param engine - The engine.
 * @param lock - A statement that writes the rows, which locks them.
 */
export async function holdRows(
  { store }: Pick<TestEngine, 'store'>,
  lock: (tx: Session) => Promise<unknown>,
): Promise<HeldRows> {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let done: Promise<void> = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    done = store.transaction(async (tx) => {
      await lock(tx)
      resolve()
      await opened
    })
    done.catch(reject)
  })
  return {
    release: async () => {
      open()
      await done
    },
  }
}

/** Resolves once this many connections wait for a lock. */
export async function untilBlocked({ store }: Pick<TestEngine, 'store'>, count: number): Promise<void> {
  for (let left = 1000; left > 0; left--) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as "count" from pg_stat_activity
      where "datname" = current_database() and "wait_event_type" = 'Lock'`.execute(store.db)
    if (Number(rows[0]?.count) >= count) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`there are no ${count} connections that wait for a lock`)
}
