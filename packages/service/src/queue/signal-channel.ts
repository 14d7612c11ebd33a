import { sql } from 'kysely'
import type { Client } from 'pg'
import { nap } from '../clock/nap.ts'
import type { Session } from '../store/store.ts'

/** Signals between the processes on one PostgreSQL database, sent with LISTEN and NOTIFY. */
export interface SignalChannel {
  /** Starts to listen. Does nothing if it already listens. */
  listen(): void
  /** Sends a word without commas. Equal words sent at almost the same time are sent once. */
  send(word: string): void
  close(): Promise<void>
}

/** Dependencies of a channel. */
export interface ChannelOptions {
  /** The name of the channel in the database. */
  readonly name: string
  /** The session for sending. */
  readonly db: Session
  /** The URL of the database, for listening. */
  readonly databaseUrl: string
  readonly onError: (error: unknown) => void
  /** Receives the words of all processes, including this one. */
  readonly onSignal: (word: string) => void
  /** Called when it starts to listen, because earlier signals may have been lost. */
  readonly onReconnect: () => void
}

const gatherMs = 20
/** The payload of a signal is limited to 8000 bytes. */
const wordsPerSignal = 200
const retryMs = 1000
/** How long a silently dropped connection may go unnoticed. */
const pingMs = 15_000

/**
 * Creates the channel of a process. Signals are batched and sent after their transactions, because NOTIFY inside a
 * transaction serializes all commits of the database. Signals may be lost, so listeners must also poll.
 */
export function createSignalChannel(options: ChannelOptions): SignalChannel {
  const { name, db, onError } = options
  const pending = new Set<string>()
  const ending = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()
  let listening: Promise<void> | undefined

  async function flush(): Promise<void> {
    const words = [...pending]
    pending.clear()
    for (let start = 0; start < words.length; start += wordsPerSignal)
      await sql`select pg_notify(${name}, ${words.slice(start, start + wordsPerSignal).join(',')})`.execute(db)
  }

  async function keepListening(): Promise<void> {
    while (!ending.signal.aborted) {
      await listenOnce(options, ending.signal).catch(onError)
      await nap(new Set(), retryMs, ending.signal)
    }
  }

  return {
    listen() {
      listening ??= keepListening()
    },
    send(word) {
      pending.add(word)
      timer ??= setTimeout(() => {
        timer = undefined
        sending = flush().catch(onError)
      }, gatherMs)
    },
    async close() {
      ending.abort()
      clearTimeout(timer)
      await sending
      await listening
    },
  }
}

/** Listens until the connection is lost or the signal aborts. */
async function listenOnce(options: ChannelOptions, signal: AbortSignal): Promise<void> {
  const { name, databaseUrl, onSignal, onReconnect } = options
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true, connectionTimeoutMillis: pingMs })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  client.on('notification', ({ payload = '' }) => {
    for (const word of payload.split(',')) onSignal(word)
  })
  try {
    await client.connect()
    await client.query(`listen ${name}`)
    onReconnect()
    await pingUntil(client, AbortSignal.any([signal, lost.signal]))
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function pingUntil(client: Client, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    await nap(new Set(), pingMs, end)
    if (!end.aborted) await client.query({ text: 'select 1', query_timeout: pingMs } as never)
  }
}
