import { createListeners } from '../base/listeners.ts'
import type { InboxApi } from '../wire/api.ts'
import type { ChannelPreferences, InboxPreference, InboxSchedule } from '../wire/resources.ts'

/** A snapshot of the preferences. It is the same object until something changes. */
export interface PreferencesSnapshot {
  readonly status: 'loading' | 'ready' | 'failed'
  /** The global preference, followed by one per workflow. */
  readonly items: readonly InboxPreference[]
  /** Why loading failed. */
  readonly error: unknown
}

/** The subscriber's preferences. */
export interface Preferences {
  /** Calls a function after each change. Returns a function that unsubscribes. The first call loads the preferences. */
  subscribe(listener: () => void): () => void
  /** Returns the current preferences. */
  getSnapshot(): PreferencesSnapshot
  /** Reloads the preferences. */
  load(): Promise<void>
  /**
   * Turns channels on or off. The change is displayed immediately, and reverted if the service rejects it.
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

export function createPreferences(api: InboxApi): Preferences {
  const listeners = createListeners<void>()
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
    }
  }
  const load = (): Promise<void> => {
    loading = read()
    return loading
  }
  const apply = async (change: Pending): Promise<void> => {
    const { workflowId, channels, schedule } = change
    pending.add(change)
    set(loaded)
    try {
      const path = workflowId === undefined ? '/preferences' : `/preferences/${encodeURIComponent(workflowId)}`
      const body = { ...channels, ...(schedule && { schedule }) }
      const { data } = await api.call<{ data: InboxPreference }>({ method: 'PATCH', path, body })
      loaded = {
        ...loaded,
        items: loaded.items.map((item) => (isFor(item, workflowId) ? { ...item, ...data } : item)),
      }
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
    update: (channels, workflowId) => apply({ channels, workflowId }),
    updateSchedule: (schedule) => apply({ schedule }),
  }
}

const isFor = ({ level, workflow }: InboxPreference, workflowId: string | undefined): boolean =>
  workflowId === undefined ? level === 'global' : workflow?.identifier === workflowId || workflow?.id === workflowId

const withChange = (item: InboxPreference, { workflowId, channels, schedule }: Pending): InboxPreference =>
  isFor(item, workflowId)
    ? { ...item, channels: { ...item.channels, ...channels }, ...(schedule && { schedule }) }
    : item
