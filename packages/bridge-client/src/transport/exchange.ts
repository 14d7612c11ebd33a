import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { onAbort } from '../base/on-abort.ts'
import type { Fault, Phase } from '../failure/fault.ts'
import { type Connection, closedEarly } from './first-connection.ts'
import { type BodyLimits, readBody } from './read-body.ts'

/** A request as written to the wire. */
export interface WireRequest {
  readonly method: string
  readonly url: URL
  /** All headers except `host` and `content-length`. */
  readonly headers: Readonly<Record<string, string>>
  /** The exact text that was signed; absent for a GET. */
  readonly body: string | undefined
}

/** A response whose body was read or abandoned. */
export interface WireAnswer {
  readonly status: number
  /** The headers, names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** The header `location`, if present; non-ASCII bytes are percent-encoded. */
  readonly location: string | undefined
  /** The body, or why it could not be read. Empty for a redirect, whose body is not read. */
  readonly body: Uint8Array | Fault<'body'>
  readonly address: string
}

export interface ExchangeOptions extends BodyLimits {
  readonly signal: AbortSignal
  /** Receives the connection if it can carry another request, with the response headers. @default none */
  readonly keep?: ((connection: Connection, headers: IncomingHttpHeaders) => void) | undefined
}

/** The statuses of followed redirects. */
export const redirectStatuses: readonly number[] = Object.freeze([301, 302, 303, 307, 308])

/** The allowance for headers and informational responses, in addition to a body that chunked framing may double. */
const overheadBytes = 256 * 1024

/**
 * Sends one request on a connection and reads the response. Closes the connection, unless it can carry another request
 * and may be kept. A complete response is accepted, regardless of what the peer sends after it; an incomplete one is a
 * fault.
 *
 * @param connection - A connection without an open request.
 * @param options - Size limits and the attempt's signal.
 */
export async function exchange(
  connection: Connection,
  wire: WireRequest,
  options: ExchangeOptions,
): Promise<WireAnswer | Fault> {
  const { socket, address } = connection
  let isFree = false
  // Emitted by Node after both messages are complete, if neither side wants to close.
  socket.once('free', () => {
    isFree = true
  })
  let headers: IncomingHttpHeaders = {}
  try {
    const result = await send(connection, wire, options)
    if ('fault' in result) return { ...result, address }
    headers = result.headers
    return { ...result, body: await result.body, address }
  } finally {
    if (isFree && options.keep && !options.signal.aborted) options.keep(connection, headers)
    else socket.destroy()
  }
}

interface BegunAnswer extends Pick<WireAnswer, 'status' | 'headers' | 'location'> {
  readonly body: Promise<WireAnswer['body']>
}

function send(connection: Connection, wire: WireRequest, options: ExchangeOptions): Promise<BegunAnswer | Fault> {
  const { socket } = connection
  const { signal, maxAnswerBytes } = options
  return new Promise((resolve) => {
    let phase: Phase = 'upload'
    let outgoing: ClientRequest | undefined
    let response: IncomingMessage | undefined
    let received = 0
    let isSettled = false
    const settle = (result: BegunAnswer | Fault): void => {
      // A late error must not destroy the request: Node would drop the rest of the body.
      if (isSettled) return
      isSettled = true
      stopListening()
      if ('fault' in result) outgoing?.destroy()
      resolve(result)
    }
    const fail = (error: unknown): void => settle({ fault: phase, error })
    const begin = (incoming: IncomingMessage, hasBody: boolean): void => {
      response = incoming
      // Read synchronously from here: the parser may find an error after the response in the same segment.
      settle(toBegunAnswer(incoming, hasBody, options))
    }
    outgoing = request({ ...toRequestOptions(wire, options), createConnection: () => socket })
    const stopListening = onAbort(signal, () => fail(signal.reason))
    // The error listener stays for the life of the request: a late error must not end the process.
    outgoing.on('error', fail)
    outgoing.once('close', () => {
      socket.off('data', count)
      fail(closedEarly())
    })
    outgoing.once('finish', () => {
      // Node also emits the end event if a write has failed.
      if (socket.errored === null && phase === 'upload') phase = 'answer'
    })
    outgoing.once('response', (incoming) => begin(incoming, true))
    // Handles a 101, even without a protocol.
    outgoing.once('upgrade', (incoming) => begin(incoming, false))
    const count = (segment: Buffer): void => {
      phase = 'headers'
      received += segment.length
      if (received <= 2 * maxAnswerBytes + overheadBytes) return
      const error = new Error(`the compressed response is larger than twice ${maxAnswerBytes} bytes`)
      if (response === undefined) fail(error)
      else response.destroy(error)
    }
    outgoing.once('socket', () => socket.on('data', count))
    if (!signal.aborted) outgoing.end(wire.body)
  })
}

function toRequestOptions({ method, url, headers, body }: WireRequest, { keep }: ExchangeOptions): object {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const connection = keep ? { connection: 'keep-alive' } : {}
  return { method, path: url.pathname + url.search, headers: { ...headers, host: url.host, ...connection, ...length } }
}

function toBegunAnswer(incoming: IncomingMessage, hasBody: boolean, options: ExchangeOptions): BegunAnswer {
  const status = incoming.statusCode ?? 0
  const location = incoming.headers.location?.replaceAll(/[\u0080-\u00ff]/g, toPercentEncoded)
  const isRedirect = location !== undefined && redirectStatuses.includes(status)
  const body = hasBody && !isRedirect ? readBody(incoming, status, options) : Promise.resolve(new Uint8Array())
  return { status, headers: incoming.headers, location, body }
}

/**
 * Percent-encodes a header byte: Node reads headers as Latin-1, and re-encoding them as UTF-8 would change the target.
 */
function toPercentEncoded(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase()}`
}
