import { InboxError } from '../base/inbox-error.ts'
import { backoffMs, wait } from '../base/wait.ts'
import type { InboxApi } from './api.ts'
import { readEvents, type StreamEvent } from './read-events.ts'

/** Callbacks for the stream. */
export interface StreamHandlers {
  /** Called when the stream is connected. `isResumed` is true if no event was missed since the last connection. */
  onOpen(isResumed: boolean): void
  /** Called for each event. */
  onEvent(event: StreamEvent): void
  /** Called when the service is unreachable, before the next attempt. */
  onLost(error: unknown): void
}

/** The time without data after which the connection counts as dead; the service sends a comment every 15 s. */
const silenceMs = 40_000

/** A connection of this duration counts as successful, even without an event. */
const stableMs = 5000

/**
 * Keeps an event stream open until the signal aborts or the session is rejected, and resumes it after the last received
 * event.
 *
 * @param api - The API client.
 */
export async function keepStream(api: InboxApi, handlers: StreamHandlers, signal: AbortSignal): Promise<void> {
  let lastId: string | undefined
  let failures = 0
  let wasOpen = false
  const connect = async (): Promise<void> => {
    const connection = new AbortController()
    const end = (): void => connection.abort()
    let timer = setTimeout(end, silenceMs)
    signal.addEventListener('abort', end)
    globalThis.addEventListener?.('offline', end)
    try {
      const headers = lastId === undefined ? {} : { 'last-event-id': lastId }
      const response = await api.fetch({ method: 'GET', path: '/events', headers, signal: connection.signal })
      if (!response.ok || !response.body)
        throw new InboxError(
          'RequestFailed',
          `The event stream responded with status ${response.status}.`,
          response.status,
        )
      wasOpen = true
      handlers.onOpen(lastId !== undefined)
      const isComplete = await readEvents(
        response.body,
        (event) => {
          failures = 0
          lastId = event.id ?? lastId
          handlers.onEvent(event)
        },
        () => {
          clearTimeout(timer)
          timer = setTimeout(end, silenceMs)
        },
      )
      // A resumed stream would start with the same event again. Without an id, everything is refetched.
      if (!isComplete) lastId = undefined
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      globalThis.removeEventListener?.('offline', end)
    }
  }
  while (!signal.aborted) {
    let failure: unknown
    wasOpen = false
    const startMs = Date.now()
    await connect().catch((error) => {
      failure = error
    })
    if (signal.aborted) return
    if (wasOpen && Date.now() - startMs >= stableMs) failures = 0
    // A stream ends with its token, or when a proxy closes it; this is not a failure unless it cannot be reopened.
    if (!wasOpen || isOffline()) handlers.onLost(failure)
    if (failure instanceof InboxError && failure.code === 'SessionRefused') return
    await waitForNetwork(backoffMs(failures++), signal)
  }
}

/** Returns whether the browser is offline. */
const isOffline = (): boolean => globalThis.navigator?.onLine === false

/** Waits for a time, or until the browser is online again. */
async function waitForNetwork(ms: number, signal: AbortSignal): Promise<void> {
  const early = new AbortController()
  const end = (): void => early.abort()
  signal.addEventListener('abort', end)
  globalThis.addEventListener?.('online', end)
  await wait(ms, early.signal)
  signal.removeEventListener('abort', end)
  globalThis.removeEventListener?.('online', end)
}
