import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection } from './first-connection.ts'

/** Options of {@link createConnectionPool}. */
export interface ConnectionPoolOptions {
  /** How long an idle connection stays open, in milliseconds. @default 4000 */
  readonly idleMs?: number
  /** The maximum number of idle connections; the oldest is closed first. @default 256 */
  readonly maxIdle?: number
  /** The clock, in milliseconds. @default performance.now */
  readonly nowMs?: () => number
}

/** Describes the connections that a request can reuse. */
export interface SuitableConnections {
  /** The origin and all other properties that a reused connection must match. */
  readonly key: string
  /** The checked addresses of the request. */
  readonly addresses: readonly string[]
  /** How long the connection may have been idle, in milliseconds. @default as long as it stays open */
  readonly maxIdleMs?: number
}

/** Idle connections, open for the next request to the same address. Requests still look up and check their addresses. */
export interface ConnectionPool {
  /** Removes and returns a connection that is still open; `undefined` if there is none. */
  take(suitable: SuitableConnections): Connection | undefined
  /** Keeps a connection after a complete response. Response headers can shorten the idle time. */
  keep(connection: Connection, key: string, headers: IncomingHttpHeaders): void
  /** Closes all idle connections. Connections in use are closed after their request. */
  close(): void
}

interface IdleConnection {
  readonly connection: Connection
  readonly key: string
  readonly sinceMs: number
  readonly untilMs: number
  /** Stops watching the idle socket. */
  readonly release: () => void
}

/**
 * How long before the server's own limit an idle connection is closed, so that no request arrives as the server closes
 * it.
 */
const marginMs = 1000

/**
 * Creates an empty pool. Share it between clients, and close it when they are no longer used.
 *
 * @example
 * const connections = createConnectionPool()
 * const client = createBridgeClient({ secretKey, bridgeUrl, environmentName: 'Production', connections })
 */
export function createConnectionPool(options: ConnectionPoolOptions = {}): ConnectionPool {
  const { idleMs = 4000, maxIdle = 256, nowMs = () => performance.now() } = options
  // The first connection is the oldest.
  let idle: IdleConnection[] = []
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function drop(some: readonly IdleConnection[]): void {
    idle = idle.filter((one) => !some.includes(one))
    for (const { connection, release } of some) {
      release()
      connection.socket.destroy()
    }
  }

  function sweep(): void {
    timer = undefined
    drop(idle.filter(({ untilMs }) => untilMs <= nowMs()))
    schedule()
  }

  function schedule(): void {
    if (idle.length > 0) timer ??= setTimeout(sweep, idleMs).unref()
  }

  return {
    take({ key, addresses, maxIdleMs = Number.POSITIVE_INFINITY }) {
      const now = nowMs()
      const entry = idle.findLast(
        (one) =>
          one.key === key &&
          addresses.includes(one.connection.address) &&
          one.untilMs > now &&
          now - one.sinceMs <= maxIdleMs,
      )
      if (!entry) return undefined
      idle.splice(idle.indexOf(entry), 1)
      entry.release()
      return entry.connection
    },
    keep(connection, key, headers) {
      const now = nowMs()
      const untilMs = now + Math.min(idleMs, toServerLimitMs(headers) - marginMs)
      if (isClosed || connection.socket.destroyed || untilMs <= now) return void connection.socket.destroy()
      const release = watchIdle(connection.socket, () => drop([one]))
      const one: IdleConnection = { connection, key, sinceMs: now, untilMs, release }
      idle.push(one)
      drop(idle.slice(0, Math.max(0, idle.length - maxIdle)))
      schedule()
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      drop(idle)
    },
  }
}

const idleEvents = ['data', 'end', 'close'] as const

/** Calls back if anything happens on an idle socket: unrequested data would be mistaken for the next response. */
function watchIdle(socket: Socket, onEvent: () => void): () => void {
  for (const event of idleEvents) socket.on(event, onEvent)
  // An idle connection must not keep the process alive.
  socket.unref()
  return () => {
    for (const event of idleEvents) socket.off(event, onEvent)
    socket.ref()
  }
}

/** Returns how long the server keeps an idle connection, if its headers say so. */
function toServerLimitMs(headers: IncomingHttpHeaders): number {
  const seconds = /(?:^|[,\s])timeout=(\d{1,6})/i.exec(String(headers['keep-alive'] ?? ''))?.[1]
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1000
}
