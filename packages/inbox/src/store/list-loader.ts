import { createQueue } from '../base/queue.ts'
import type { ListPages } from './list-pages.ts'
import type { Retry } from './retry.ts'
import { createStaleIds } from './stale-ids.ts'

/** Whether a list is loaded. */
export interface LoadingState {
  /** `loading` until the first page has arrived, and while another page is being loaded. */
  readonly status: 'loading' | 'ready' | 'failed'
  /** Why loading failed. */
  readonly error: unknown
}

/** Loads the pages of a list, and keeps them up to date. */
export interface ListLoader {
  state(): LoadingState
  loadMore(): Promise<void>
  /** Refetches the loaded messages, or those around some ids, and repeats this while the service is unreachable. */
  resync(ids?: readonly string[]): Promise<void>
}

/**
 * Creates a loader that has loaded nothing.
 *
 * @param onChange - Called after the state or the pages have changed.
 */
export function createLoader(pages: ListPages, retry: Retry, onChange: () => void): ListLoader {
  const stale = createStaleIds()
  const queue = createQueue()
  let state: LoadingState = { status: 'loading', error: undefined }
  let loading: Promise<void> | undefined
  let isSyncing = false
  const set = (next: LoadingState): void => {
    state = next
    onChange()
  }
  /** Loads what is stale, so that a list that is ready lacks no change, and then older messages. */
  const load = (isMore: boolean): Promise<void> => {
    loading = queue(async () => {
      try {
        await stale.refetch(pages.readAgain)
        if (isMore) await pages.readMore()
        set({ status: 'ready', error: undefined })
      } catch (error) {
        set({ status: 'failed', error })
        throw error
      }
    })
    return loading
  }
  return {
    state: () => state,
    async loadMore() {
      const { status } = state
      if (status === 'ready' && pages.isComplete()) return
      if (status !== 'loading') {
        set({ ...state, status: 'loading' })
        void load(status === 'ready' || stale.isEmpty())
      }
      await loading?.catch(() => undefined)
    },
    async resync(ids) {
      stale.add(ids)
      if (isSyncing) return
      isSyncing = true
      const sync = async (): Promise<void> => {
        while (!stale.isEmpty()) await load(false)
      }
      // The state reports a failure.
      await retry(sync).catch(() => undefined)
      isSyncing = false
    },
  }
}
