import { InboxError } from '../base/inbox-error.ts'
import { createListeners } from '../base/listeners.ts'
import type { InboxApi } from '../wire/api.ts'
import type { StreamEvent } from '../wire/read-events.ts'
import type { InboxNotification, UnreadCounts } from '../wire/resources.ts'
import { keepStream } from '../wire/stream.ts'

/** The status of live updates. `refused` if the service rejects the application identifier or the hash. */
export type ConnectionStatus = 'connecting' | 'online' | 'offline' | 'refused'

/** The events of an inbox by name, with their data. */
export interface InboxEvents {
  /** A message has arrived. */
  readonly notification_received: { readonly message: InboxNotification }
  /** Messages changed, in this inbox or elsewhere; without `ids`, possibly all of them. */
  readonly notification_changed: { readonly ids?: readonly string[]; readonly all?: boolean }
  readonly unread_count_changed: { readonly counts: UnreadCounts }
  readonly unseen_count_changed: { readonly unseenCount: number }
  /** Live updates have started or stopped. */
  readonly status_changed: { readonly status: ConnectionStatus; readonly error: unknown }
}

/** The live updates of an inbox. */
export interface Connection {
  /** Returns the status of live updates. */
  status(): ConnectionStatus
  /** Returns why updates do not arrive. */
  error(): unknown
  /** Adds a listener for an event. */
  on<Name extends keyof InboxEvents>(name: Name, listener: (event: InboxEvents[Name]) => void): () => void
  /** Resolves when updates arrive; rejects if the inbox is closed or its session is rejected. */
  whenOnline(): Promise<void>
}

/** Opens the stream and keeps it open until the signal aborts. */
export function openConnection(api: InboxApi, signal: AbortSignal): Connection {
  const listeners = createListeners<{ readonly name: string; readonly event: unknown }>()
  let status: ConnectionStatus = 'connecting'
  let error: unknown
  const emit = <Name extends keyof InboxEvents>(name: Name, event: InboxEvents[Name]): void =>
    listeners.emit({ name, event })
  const setStatus = (next: ConnectionStatus, cause?: unknown): void => {
    if (status === next && error === cause) return
    status = next
    error = cause
    emit('status_changed', { status, error })
  }
  const connection: Connection = {
    status: () => status,
    error: () => error,
    on: (wanted, listener) => listeners.add(({ name, event }) => name === wanted && listener(event as never)),
    whenOnline: () =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (status !== 'online' && status !== 'refused' && !signal.aborted) return
          stop()
          signal.removeEventListener('abort', check)
          if (status === 'online') resolve()
          else reject(error ?? new InboxError('Closed', 'The inbox is closed.'))
        }
        const stop = connection.on('status_changed', check)
        signal.addEventListener('abort', check)
        check()
      }),
  }
  const handlers = {
    onOpen(isResumed: boolean) {
      setStatus('online')
      if (!isResumed) emit('notification_changed', { all: true })
    },
    onEvent({ name, data }: StreamEvent) {
      const event = parse(data)
      if (event) listeners.emit({ name, event })
    },
    onLost(cause: unknown) {
      const isRefused = cause instanceof InboxError && cause.code === 'SessionRefused'
      setStatus(isRefused ? 'refused' : 'offline', cause)
    },
  }
  // Deferred, so that the caller can add listeners first.
  queueMicrotask(() => void keepStream(api, handlers, signal))
  return connection
}

/** Returns the data of an event, or undefined if it is not an object. */
function parse(data: string): object | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
