import { nap } from '../clock/nap.ts'
import type { Store } from '../store/store.ts'
import { loadSyncStatus, type SyncStatus } from './sync-status.ts'

/** Reports syncs with a new result, in this process and in others on the same database. */
export interface SyncFeed {
  /** Checks for new results immediately; called after a sync in this process. */
  notify(): void
  /**
   * Yields the last sync whenever its result differs from the previous one, until the signal aborts.
   *
   * @param environmentId - Row id of the environment.
   */
  watch(environmentId: string, signal: AbortSignal): AsyncGenerator<SyncStatus, void, undefined>
}

const pollMs = 1000

export function createSyncFeed(store: Pick<Store, 'db'>): SyncFeed {
  const waiting = new Set<() => void>()
  return {
    notify() {
      for (const wake of [...waiting]) wake()
    },
    async *watch(environmentId, signal) {
      let lastRevision = (await loadSyncStatus(store.db, environmentId))?.revision
      while (!signal.aborted) {
        await nap(waiting, pollMs, signal)
        const status = await loadSyncStatus(store.db, environmentId)
        if (status === undefined || status.revision === lastRevision || signal.aborted) continue
        lastRevision = status.revision
        yield status
      }
    },
  }
}
