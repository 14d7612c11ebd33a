import { type ClientHttp2Session, connect } from 'node:http2'
import { onAbort } from '../base/on-abort.ts'
import { type Fault, isFault } from '../failure/fault.ts'
import type { Target } from '../policy/target.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'

/** An HTTP/2 connection that is kept for further requests. */
export interface Http2Session {
  readonly session: ClientHttp2Session
  /** The checked address it is connected to. */
  readonly address: string
}

/** The HTTP/2 connections of one sender, one per origin. */
export interface Http2Sessions {
  /** Returns a connection for a request: the open one of the origin if its address is still allowed, else a new one. */
  open(target: Target, options: ConnectionOptions): Promise<Http2Session | Fault>
}

/** How long an idle connection is kept, in milliseconds. */
const idleMs = 60_000
/** A connection that was idle for this long is probed before use: a dead one would lose the request. */
const freshMs = 5_000
const probeMs = 1_000

interface KeptSession extends Http2Session {
  /** When it was last known to work, as in `performance.now()`. */
  usedMs: number
}

/** Creates an empty set of connections. They never keep the process alive. */
export function createHttp2Sessions(): Http2Sessions {
  const sessions = new Map<string, KeptSession>()
  const opening = new Map<string, Promise<Http2Session | Fault>>()

  function keep(origin: string, { session, address }: Http2Session): void {
    const entry: KeptSession = { session, address, usedMs: performance.now() }
    sessions.set(origin, entry)
    const forget = (): void => {
      if (sessions.get(origin) === entry) sessions.delete(origin)
    }
    session.once('close', forget)
    // The peer finishes open requests, but does not accept new ones.
    session.once('goaway', forget)
    session.setTimeout(idleMs, () => session.close())
  }

  async function findOpen({ url, addresses }: Target): Promise<Http2Session | undefined> {
    const entry = sessions.get(url.origin)
    if (entry === undefined || entry.session.closed || entry.session.destroyed) return undefined
    if (!addresses.includes(entry.address)) return undefined
    if (performance.now() - entry.usedMs > freshMs && !(await answersPing(entry.session))) {
      entry.session.destroy()
      return undefined
    }
    entry.usedMs = performance.now()
    return entry
  }

  /** Opens a connection. Concurrent requests share one attempt, which none of them can abort. */
  function openShared(target: Target, options: ConnectionOptions): Promise<Http2Session | Fault> {
    const { origin } = target.url
    const running = opening.get(origin)
    if (running) return running
    const attempt = openSession(target, options)
      .then((opened) => {
        if (!isFault(opened)) keep(origin, opened)
        return opened
      })
      .finally(() => opening.delete(origin))
    opening.set(origin, attempt)
    return attempt
  }

  return {
    async open(target, options) {
      const open = await findOpen(target)
      if (open) return open
      const { signal } = options
      const own = { ...options, signal: AbortSignal.timeout(sharedMs) }
      return new Promise((resolve) => {
        const stopListening = onAbort(signal, () => resolve({ fault: 'connect', error: signal.reason }))
        void openShared(target, own)
          .catch((error: unknown): Fault => ({ fault: 'connect', error }))
          .then(resolve)
          .finally(stopListening)
      })
    },
  }
}

/** The timeout of a shared connection attempt, in milliseconds. Each request also has its own timeout. */
const sharedMs = 30_000

async function openSession(target: Target, options: ConnectionOptions): Promise<Http2Session | Fault> {
  const opened = await openConnection(target, { ...options, protocol: 'h2' })
  if (isFault(opened)) return opened
  const session = connect(target.url.origin, { createConnection: () => opened.socket })
  // The requests report their own errors; without this listener, an error would end the process.
  session.on('error', () => {})
  session.unref()
  return { session, address: opened.address }
}

function answersPing(session: ClientHttp2Session): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), probeMs)
    const settle = (isAlive: boolean): void => {
      clearTimeout(timer)
      resolve(isAlive)
    }
    try {
      if (!session.ping((error) => settle(error === null))) settle(false)
    } catch {
      settle(false)
    }
  })
}
