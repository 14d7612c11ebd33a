import { createListeners } from '../base/listeners.ts'
import { createQueue } from '../base/queue.ts'
import type { InboxApi, InboxRequest } from '../wire/api.ts'
import type { ChannelPreferences, InboxPreference, InboxSchedule } from '../wire/resources.ts'
import type { LoadingState } from './list-loader.ts'
import type { Retry } from './retry.ts'

/** A snapshot of the preferences. It is the same object until something changes. */
export interface PreferencesSnapshot extends LoadingState {
  /** The global preference, followed by one per workflow. */
  readonly items: readonly InboxPreference[]
}

/** The subscriber's preferences. */
export interface Preferences {
  /** Calls a function after each change. Returns a function that unsubscribes. The first call loads the preferences. */
  subscribe(listener: () => void): () => void
  /** Returns the current preferences. */
  getSnapshot(): PreferencesSnapshot
  /** Reloads the preferences; repeats this while the service is unreachable. */
  load(): Promise<void>
  /**
   * Turns channels on or off. The change is displayed immediately, and reverted if the service rejects it. Changes of
   * the global preference also reload those of workflows, which depend on it.
   *
   * @param workflowId - Identifier of the workflow; without it, the global preference.
   */
  update(channels: ChannelPreferences, workflowId?: string): Promise<void>
  /** Replaces the schedule. The change is displayed immediately, and reverted if the service rejects it. */
  updateSchedule(schedule: InboxSchedule): Promise<void>
}

interface Pending {
  readonly workflowId?: string | undefined
  readonly channels?: ChannelPreferences
  readonly schedule?: InboxSchedule
}

export function createPreferences(api: InboxApi, retry: Retry): Preferences {
  const listeners = createListeners<void>()
  // A response must not replace the result of a later change.
  const queue = createQueue()
  const pending = new Set<Pending>()
  let loaded: PreferencesSnapshot = { status: 'loading', items: [], error: undefined }
  let snapshot: PreferencesSnapshot | undefined
  let loading: Promise<void> | undefined

  const set = (next: PreferencesSnapshot): void => {
    loaded = next
    snapshot = undefined
    listeners.emit()
  }
  const read = async (): Promise<void> => {
    try {
      const { data } = await api.call<{ data: readonly InboxPreference[] }>({ method: 'GET', path: '/preferences' })
      set({ status: 'ready', items: data, error: undefined })
    } catch (error) {
      set({ ...loaded, status: 'failed', error })
      throw error
    }
  }
  const load = (): Promise<void> => {
    // The snapshot reports a failure.
    loading = retry(() => queue(read)).catch(() => undefined)
    return loading
  }
  const apply = async (change: Pending): Promise<void> => {
    pending.add(change)
    set(loaded)
    try {
      const send = () => api.call<{ data: InboxPreference }>(toRequest(change))
      const { data } = await queue(() => retry(send))
      const items = loaded.items.map((item) => (isFor(item, change.workflowId) ? { ...item, ...data } : item))
      loaded = { ...loaded, items }
    } finally {
      pending.delete(change)
      set(loaded)
    }
  }
  return {
    subscribe(listener) {
      if (!loading) void load()
      return listeners.add(listener)
    },
    getSnapshot() {
      snapshot ??= { ...loaded, items: loaded.items.map((item) => [...pending].reduce(withChange, item)) }
      return snapshot
    },
    load,
    async update(channels, workflowId) {
      await apply({ channels, workflowId })
      if (workflowId === undefined && loading) await load()
    },
    updateSchedule: (schedule) => apply({ schedule }),
  }
}

const toRequest = ({ workflowId, channels, schedule }: Pending): InboxRequest => ({
  method: 'PATCH',
  path: workflowId === undefined ? '/preferences' : `/preferences/${encodeURIComponent(workflowId)}`,
  body: { ...channels, ...(schedule && { schedule }) },
})

const isFor = ({ level, workflow }: InboxPreference, workflowId: string | undefined): boolean =>
  workflowId === undefined ? level === 'global' : workflow?.identifier === workflowId || workflow?.id === workflowId

const withChange = (item: InboxPreference, { workflowId, channels, schedule }: Pending): InboxPreference =>
  isFor(item, workflowId)
    ? { ...item, channels: { ...item.channels, ...channels }, ...(schedule && { schedule }) }
    : item
