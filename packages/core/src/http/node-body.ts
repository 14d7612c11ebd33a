import { createBodyBuffer, toBodyError } from '@trestle/protocol'
import type { ReceivedBody } from '../call/bridge-call.ts'
import { readWebStream } from './web-stream.ts'

const encoder = new TextEncoder()

/** The part of `IncomingMessage` from `node:http` that the framework uses, as extended by web frameworks. */
export interface NodeRequest {
  /** The HTTP method. */
  readonly method?: string | undefined
  /** Path and query; in some web frameworks without the mount path. */
  readonly url?: string | undefined
  /** The original path and query, if a web framework changes `url`. */
  readonly originalUrl?: string | undefined
  /** The headers, names in lowercase. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The parsed body. */
  readonly body?: unknown
  /** The raw body, if a web framework has kept it. */
  readonly rawBody?: unknown
  /** Whether any of the body was read from the stream. */
  readonly readableDidRead?: boolean
  /** Whether the stream was read completely. */
  readonly readableEnded?: boolean
  /** Whether the stream is closed. */
  readonly destroyed?: boolean
  /** Whether the request was received completely. */
  readonly complete?: boolean
  /** Calls back with each chunk of the body. */
  on(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown
  /** Calls back if the stream fails. */
  on(event: 'error', listener: (error: Error) => void): unknown
  /** Calls back at the end of the body, or of the request. */
  on(event: 'end' | 'close', listener: () => void): unknown
  /** Discards the rest of the body. */
  resume?(): unknown
  /** Closes the connection. */
  destroy?(): unknown
}

/**
 * Reads the body of a Node request: from the stream if it is unread, otherwise the raw body kept by a web framework,
 * otherwise the parsed object, serialized again.
 *
 * @throws CodedError - `PayloadTooLarge`.
 * @throws Error - The body cannot be read completely.
 * @source bridge-protocol.md#signature
 */
export async function readNodeBody(request: NodeRequest, maxBytes: number): Promise<ReceivedBody> {
  const body = isUnread(request)
    ? { bytes: await readStream(request, maxBytes), exact: true }
    : isWebStream(request.body)
      ? { bytes: await readWebStream(request.body, maxBytes), exact: true }
      : readKept(request)
  if (body.bytes.byteLength > maxBytes) throw toBodyError('bytes', maxBytes)
  return body
}

/**
 * Returns whether the body is unread. This depends on the stream, not on `request.body`: some parsers set that to `{}`
 * for bodies they have not read.
 */
function isUnread({ readableDidRead, readableEnded, rawBody, body }: NodeRequest): boolean {
  if (readableDidRead) return false
  const isHandedOver = toBytes(rawBody) !== undefined || toBytes(body) !== undefined || isWebStream(body)
  // Serverless platforms pass the body separately. The request object is then not a stream, or one that has already
  // ended.
  if (readableDidRead === undefined) return !isHandedOver && body === undefined
  return !(readableEnded && isHandedOver)
}

function isWebStream(value: unknown): value is ReadableStream<Uint8Array> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'getReader') === 'function'
}

function readStream(request: NodeRequest, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const buffer = createBodyBuffer(maxBytes)
    const closed = (): void => reject(new Error('The request ended before its body was complete.'))
    // A parser has read an empty body: the stream is unread, but has ended.
    if (request.readableEnded) return resolve(new Uint8Array(0))
    if (request.destroyed) return closed()
    request.on('data', (chunk) => {
      const limit = buffer.add(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
      if (limit) reject(toBodyError(limit, maxBytes))
    })
    request.on('end', () => resolve(buffer.toBytes()))
    request.on('error', reject)
    request.on('close', closed)
    // Adding a listener does not resume a paused stream.
    request.resume?.()
  })
}

function readKept(request: NodeRequest): ReceivedBody {
  const { rawBody, body } = request
  const kept = toBytes(rawBody) ?? toBytes(body)
  if (kept) return { bytes: kept, exact: true }
  // Some parsers turn an empty body into {}, which must not count as the {} that the signature of a GET covers.
  const sent = Number(request.headers['content-length'] ?? 0) > 0
  return { bytes: encoder.encode(sent ? (JSON.stringify(body) ?? '') : ''), exact: false }
}

function toBytes(value: unknown): Uint8Array | undefined {
  if (typeof value === 'string') return encoder.encode(value)
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  return undefined
}
