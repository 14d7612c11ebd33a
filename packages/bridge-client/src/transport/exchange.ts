import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Fault, Phase } from '../failure/fault.ts'
import type { Connection } from './connection.ts'

/** A request as it is written to the wire. */
export interface WireRequest {
  /** GET or POST. */
  readonly method: string
  /** Where it goes. */
  readonly url: URL
  /** All headers but `host` and `content-length`. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact text that was signed; absent for a GET. */
  readonly body: string | undefined
}

/** An answer, its body read or given up. */
export interface WireAnswer {
  /** The HTTP status. */
  readonly status: number
  /** The header `location`, when there was one. */
  readonly location: string | undefined
  /** The body, or why it could not be read. Empty for a redirect, which nobody reads. */
  readonly body: Uint8Array | Fault<'body'>
  /** The address that answered. */
  readonly address: string
}

/** What bounds an exchange. */
export interface ExchangeOptions {
  /** The largest body that is read. */
  readonly maxAnswerBytes: number
  /** Ends the attempt. */
  readonly signal: AbortSignal
}

/** The statuses that send a call elsewhere. */
export const redirectStatuses: readonly number[] = Object.freeze([301, 302, 303, 307, 308])

/**
 * Sends one request on a fresh connection, reads the answer, and closes the connection whatever happened.
 *
 * @param connection - Nothing was sent on it yet.
 * @param wire - The request.
 * @param options - Size limit and the attempt's signal.
 */
export async function exchange(
  connection: Connection,
  wire: WireRequest,
  options: ExchangeOptions,
): Promise<WireAnswer | Fault> {
  const { socket, address } = connection
  try {
    const response = await send(connection, wire, options.signal)
    if ('fault' in response) return { ...response, address }
    const status = response.statusCode ?? 0
    const { location } = response.headers
    const isRedirect = location !== undefined && redirectStatuses.includes(status)
    const body = isRedirect ? new Uint8Array() : await readBody(response, options)
    return { status, location, body, address }
  } finally {
    socket.destroy()
  }
}

function send(connection: Connection, wire: WireRequest, signal: AbortSignal): Promise<IncomingMessage | Fault> {
  const { method, url, headers, body } = wire
  return new Promise((resolve) => {
    let phase: Phase = 'upload'
    let outgoing: ClientRequest | undefined
    const settle = (result: IncomingMessage | Fault): void => {
      signal.removeEventListener('abort', onAbort)
      if ('fault' in result) outgoing?.destroy()
      resolve(result)
    }
    const onAbort = (): void => settle({ fault: phase, error: signal.reason })
    signal.addEventListener('abort', onAbort, { once: true })
    outgoing = request({
      method,
      path: url.pathname + url.search,
      headers: {
        ...headers,
        host: url.host,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      createConnection: () => connection.socket,
    })
    // The listener for errors stays for the life of the request: a late one must not end the process.
    outgoing.on('error', (error) => settle({ fault: phase, error }))
    outgoing.once('finish', () => {
      // Node tells of the end also when a write has failed.
      if (connection.socket.errored === null) phase = 'answer'
    })
    outgoing.once('response', settle)
    outgoing.end(body)
    if (signal.aborted) onAbort()
  })
}

function readBody(response: IncomingMessage, options: ExchangeOptions): Promise<Uint8Array | Fault<'body'>> {
  const { maxAnswerBytes, signal } = options
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (result: Uint8Array | Fault<'body'>): void => {
      signal.removeEventListener('abort', onAbort)
      resolve(result)
    }
    const fail = (error: unknown): void => settle({ fault: 'body', error })
    const onAbort = (): void => fail(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    response.on('error', fail)
    response.once('close', () => fail(new Error('the response closed early')))
    response.once('end', () => settle(Buffer.concat(chunks)))
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxAnswerBytes) chunks.push(chunk)
      else fail(new Error(`the response is larger than ${maxAnswerBytes} bytes`))
    })
    if (signal.aborted) onAbort()
  })
}
