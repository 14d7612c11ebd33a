import { nap } from '../clock/nap.ts'
import type { Store } from '../store/store.ts'
import { loadSyncStatus, type SyncStatus } from './sync-status.ts'

/** Tells of syncs that found something new, in this process and in others on the same database. */
export interface SyncFeed {
  /** Looks for news now; called where this process has synced. */
  notify(): void
  /**
   * Returns how the last sync went, each time one finds what the one before did not, until the signal aborts.
   *
   * @param environmentId - Row id of the environment.
   * @param signal - Ends it.
   */
  watch(environmentId: string, signal: AbortSignal): AsyncGenerator<SyncStatus, void, undefined>
}

const pollMs = 1000

/**
 * Creates a feed of a database.
 *
 * @param store - The database.
 */
export function createSyncFeed(store: Pick<Store, 'db'>): SyncFeed {
  const waiting = new Set<() => void>()
  return {
    notify() {
      for (const wake of [...waiting]) wake()
    },
    async *watch(environmentId, signal) {
      let known = (await loadSyncStatus(store.db, environmentId))?.revision
      while (!signal.aborted) {
        await nap(waiting, pollMs, signal)
        const status = await loadSyncStatus(store.db, environmentId)
        if (status === undefined || status.revision === known || signal.aborted) continue
        known = status.revision
        yield status
      }
    },
  }
}
