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
  /**
   * Calls a function after each change. Returns a function that unsubscribes. The first listener loads the preferences
   * again.
   */
  subscribe(listener: () => void): () => void
  /** Returns the current preferences. */
  getSnapshot(): PreferencesSnapshot
  /** Reloads the preferences; repeats this while the service is unreachable. Concurrent calls share a request. */
  load(): Promise<void>
  /**
   * Turns channels on or off. The change is displayed immediately, and reverted if the service rejects it. Changes of
   * the global preference also reload those of workflows, which depend on it.
   *
   * @param workflowId - Identifier of the workflow; without it, the global preference.
   */
  update(channels: ChannelPreferences, workflowId?: string): Promise<void>
  /**
   * Replaces the schedule. The change is displayed immediately, and reverted if the service rejects it.
   *
   * @param schedule - The schedule, or a function that changes the current one. Before it is sent, the function is
   *   called again with the schedule from the service, so that changes made on another device are kept.
   */
  updateSchedule(schedule: InboxSchedule | ((current: InboxSchedule | undefined) => InboxSchedule)): Promise<void>
}

interface Pending {
  readonly workflowId?: string | undefined
  readonly channels?: ChannelPreferences
  readonly schedule?: Parameters<Preferences['updateSchedule']>[0]
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
    const done = (): void => {
      loading = undefined
    }
    // The snapshot reports a failure.
    loading ??= retry(() => queue(read)).then(done, done)
    return loading
  }
  const apply = async (change: Pending): Promise<void> => {
    pending.add(change)
    set(loaded)
    try {
      const data = await queue(() => retry(() => send(api, change)))
      const items = loaded.items.map((item) => (isFor(item, change.workflowId) ? { ...item, ...data } : item))
      loaded = { ...loaded, items }
    } finally {
      pending.delete(change)
      set(loaded)
    }
  }
  return {
    subscribe(listener) {
      if (listeners.isEmpty()) void load()
      return listeners.add(listener)
    },
    getSnapshot() {
      snapshot ??= { ...loaded, items: loaded.items.map((item) => [...pending].reduce(withChange, item)) }
      return snapshot
    },
    load,
    async update(channels, workflowId) {
      await apply({ channels, workflowId })
      if (workflowId === undefined && loaded.status !== 'loading') await load()
    },
    updateSchedule: (schedule) => apply({ schedule }),
  }
}

async function send(api: InboxApi, { workflowId, channels, schedule }: Pending): Promise<InboxPreference> {
  const call = async (request: InboxRequest) => (await api.call<{ data: InboxPreference }>(request)).data
  const item = typeof schedule === 'function' ? await call({ method: 'GET', path: '/preferences/global' }) : undefined
  return call({
    method: 'PATCH',
    path: workflowId === undefined ? '/preferences' : `/preferences/${encodeURIComponent(workflowId)}`,
    body: { ...channels, ...toScheduleField(schedule, item) },
  })
}

const toScheduleField = (schedule: Pending['schedule'], item: InboxPreference | undefined) =>
  schedule && { schedule: typeof schedule === 'function' ? schedule(item?.schedule) : schedule }

const isFor = ({ level, workflow }: InboxPreference, workflowId: string | undefined): boolean =>
  workflowId === undefined ? level === 'global' : workflow?.identifier === workflowId || workflow?.id === workflowId

const withChange = (item: InboxPreference, { workflowId, channels, schedule }: Pending): InboxPreference =>
  isFor(item, workflowId)
    ? { ...item, channels: { ...item.channels, ...channels }, ...toScheduleField(schedule, item) }
    : item
