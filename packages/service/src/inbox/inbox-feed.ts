import { nap } from '../clock/nap.ts'
import { onInboxChange } from '../messages/record-inbox-change.ts'
import { createSignalChannel, type SignalChannel } from '../queue/signal-channel.ts'
import type { Session, Store } from '../store/store.ts'

/** Waits for changes in a subscriber's inbox. */
export interface InboxWatcher {
  /** Resolves when something may have changed since the last call, after the given time, or when the signal aborts. */
  wait(ms: number): Promise<void>
  /** Sets the position of the last known change. */
  knows(position: number): void
  close(): void
}

/** Reports changes in inboxes, in this process and in others on the same database. */
export interface InboxFeed {
  /** Starts to watch a subscriber's inbox, by row id. */
  watch(subscriberId: string, signal: AbortSignal): InboxWatcher
  /** Checks the positions of all watched inboxes now, in addition to the periodic check. */
  check(): Promise<void>
  /** Closes the database connection. */
  close(): Promise<void>
}

/** The maximum delay of a change whose signal between processes was lost. */
const checkMs = 10_000
const batchSize = 500

/** Dependencies of a feed. */
export interface FeedOptions {
  readonly store: Pick<Store, 'db' | 'driver'>
  /** The URL of the PostgreSQL database. */
  readonly databaseUrl: string | undefined
  /** Receives database errors. */
  readonly onError: (error: unknown) => void
}

interface Entry {
  position: number
  isWoken: boolean
  readonly waiting: Set<() => void>
}

/** Creates the feed of a database. */
export function createInboxFeed({ store, databaseUrl, onError }: FeedOptions): InboxFeed {
  const entries = new Map<string, Set<Entry>>()
  const ending = new AbortController()
  let channel: SignalChannel | undefined
  let checking: Promise<void> | undefined

  const wake = (subscriberId: string): void => {
    for (const entry of entries.get(subscriberId) ?? []) wakeEntry(entry)
  }
  const wakeAll = (): void => {
    for (const subscriberId of entries.keys()) wake(subscriberId)
  }
  const heard = { onError, onSignal: wake, onReconnect: wakeAll }
  // Other processes may have streams even if this one has none.
  if (store.driver === 'postgres' && databaseUrl !== undefined)
    channel = createSignalChannel({ name: 'trestle_inbox', db: store.db, databaseUrl, ...heard })
  const stopListening = onInboxChange(store.db, (subscriberId) => {
    wake(subscriberId)
    channel?.send(subscriberId)
  })

  const check = (): Promise<void> => wakeLate(store.db, entries)

  async function checkOften(): Promise<void> {
    while (entries.size > 0 && !ending.signal.aborted) {
      await nap(new Set(), checkMs, ending.signal)
      await check().catch(onError)
    }
    checking = undefined
  }

  return {
    watch(subscriberId, signal) {
      const entry: Entry = { position: 0, isWoken: true, waiting: new Set() }
      const those = entries.get(subscriberId) ?? new Set()
      entries.set(subscriberId, those.add(entry))
      channel?.listen()
      checking ??= checkOften()
      return {
        async wait(ms) {
          if (!entry.isWoken) await nap(entry.waiting, ms, signal)
          entry.isWoken = false
        },
        knows(position) {
          entry.position = position
        },
        close() {
          those.delete(entry)
          if (those.size === 0) entries.delete(subscriberId)
        },
      }
    },
    check,
    async close() {
      ending.abort()
      stopListening()
      await Promise.all([checking, channel?.close()])
    },
  }
}

/** Wakes watchers whose inbox has a new position. */
async function wakeLate(db: Session, entries: ReadonlyMap<string, ReadonlySet<Entry>>): Promise<void> {
  const ids = [...entries.keys()]
  for (let start = 0; start < ids.length; start += batchSize) {
    const rows = await db
      .selectFrom('inboxPositions')
      .select(['subscriberId', 'position'])
      .where('subscriberId', 'in', ids.slice(start, start + batchSize))
      .execute()
    for (const { subscriberId, position } of rows)
      for (const entry of entries.get(subscriberId) ?? []) if (entry.position < position) wakeEntry(entry)
  }
}

function wakeEntry(entry: Entry): void {
  entry.isWoken = true
  for (const end of [...entry.waiting]) end()
}
