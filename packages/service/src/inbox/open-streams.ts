import { ApiError } from '../api/api-error.ts'
import { createStreamCounts } from '../api/stream-counts.ts'
import type { Clock } from '../clock/clock.ts'
import type { Revocations } from '../keys/revocations.ts'
import type { Session } from '../store/store.ts'
import type { SubscriberSession } from './subscriber-session.ts'

const maxOfSubscriber = 20
const maxOfEnvironment = 10_000

export interface OpenStream {
  /** Aborts when the session expires or is revoked, the client disconnects, or the stream is closed. */
  readonly signal: AbortSignal
  /** Ends the stream and stops counting it. */
  close(): void
}

/** The streams of this process. */
export interface OpenStreams {
  /**
   * Opens a stream, and counts it until its signal aborts.
   *
   * @param signal - Aborts when the client disconnects.
   * @throws {ApiError} 503 if too many are open.
   */
  open(session: SubscriberSession, signal: AbortSignal): OpenStream
  /**
   * Checks that one more may be opened.
   *
   * @throws {ApiError} 503
   */
  admit(session: SubscriberSession): void
}

/** Dependencies of open streams. */
export interface StreamOptions {
  readonly db: Session
  readonly clock: Clock
  /** Reports revoked secret keys. */
  readonly revocations: Revocations
}

interface KeyWatch {
  readonly streams: Set<AbortController>
  readonly ending: AbortController
}

/** Creates the registry of this process's streams. One check of a key is enough for all its streams. */
export function createOpenStreams({ db, clock, revocations }: StreamOptions): OpenStreams {
  const counts = createStreamCounts()
  const keys = new Map<string, KeyWatch>()

  const isFull = ({ subscriber, environment }: SubscriberSession): boolean =>
    counts.read(subscriber.id) >= maxOfSubscriber || counts.read(environment.id) >= maxOfEnvironment

  function admit(session: SubscriberSession): void {
    if (isFull(session))
      throw new ApiError(503, 'Too many streams for this subscriber or environment are open. Wait and retry.', {
        headers: { 'retry-after': '5' },
      })
  }

  function watchKey({ environment, keyHash }: SubscriberSession): KeyWatch {
    const existingWatch = keys.get(keyHash)
    if (existingWatch) return existingWatch
    const watch: KeyWatch = { streams: new Set(), ending: new AbortController() }
    keys.set(keyHash, watch)
    const identify = () => findKey(db, environment.id, keyHash)
    revocations.whenRevoked(identify, watch.ending.signal).then(() => {
      if (keys.get(keyHash) === watch) keys.delete(keyHash)
      for (const stream of watch.streams) stream.abort()
    })
    return watch
  }

  return {
    admit,
    open(session, signal) {
      admit(session)
      const { subscriber, environment, claims, keyHash } = session
      const ended = new AbortController()
      const watch = watchKey(session)
      const leave = (): void => {
        watch.streams.delete(ended)
        if (watch.streams.size > 0) return
        if (keys.get(keyHash) === watch) keys.delete(keyHash)
        watch.ending.abort()
      }
      ended.signal.addEventListener('abort', leave, { once: true })
      watch.streams.add(ended)
      counts.add(subscriber.id, ended.signal)
      counts.add(environment.id, ended.signal)
      const end = (): void => ended.abort()
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      clock.sleep(claims.expiresMs - clock.now(), ended.signal).then(end)
      return {
        signal: ended.signal,
        close() {
          signal.removeEventListener('abort', end)
          end()
        },
      }
    },
  }
}

async function findKey(db: Session, environmentId: string, keyHash: string): Promise<void> {
  const row = await db
    .selectFrom('apiKeys')
    .select('hash')
    .where('environmentId', '=', environmentId)
    .where('hash', '=', keyHash)
    .executeTakeFirst()
  if (!row) throw new ApiError(401, 'The key of the session was revoked.')
}
