import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { whileSending } from '@trestle/protocol'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import { errorReply } from './error-reply.ts'
import { readBody } from './read-body.ts'

const maxHeaderBytes = 32 * 1024
const headersTimeoutMs = 15_000
const requestTimeoutMs = 60_000
const keepAliveMs = 65_000
// A caller that continues to send after its response has ended is disconnected after this time.
const lingerMs = 1000
// Before that, the response ends after a second without a part, or after 30 seconds at the latest.
const sendingLimits = { idleChecks: 20, mostChecks: 600 } as const

/** Answers a call; must not reject. */
export type Answer = (call: HttpCall) => Promise<HttpReply>

/** A server with a method to stop it. */
export interface NodeServer {
  readonly server: Server
  /**
   * Stops accepting requests, and waits for requests in progress. Streams are ended, because they last as long as their
   * readers want; idle connections are closed.
   *
   * @param graceMs - The maximum wait, in milliseconds; then all connections are closed.
   * @param drainMs - How long idle keep-alive connections stay open before that, in milliseconds. A proxy may already
   * have sent the next request: it is answered with `connection: close` instead of being reset. @default 0
   */
  close(graceMs: number, drainMs?: number): Promise<void>
}

/**
 * Creates the HTTP server. Everything that arrives at its sockets is answered in the format of the API, or the
 * connection is closed; no input ends the process.
 *
 * @param now - Returns the time, in milliseconds since 1970.
 */
export function createNodeServer(answer: Answer, now: () => number): NodeServer {
  const streams = new Set<ServerResponse>()
  const unused = new Set<Socket>()
  let isClosing = false
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    unused.delete(request.socket)
    // Otherwise the connection would be kept open for another request.
    response.once('close', () => isClosing && request.socket.destroySoon())
    serve({ request, response, answer, streams, isClosing: () => isClosing }).catch(() => response.destroy())
  }
  const server = createServer(
    { maxHeaderSize: maxHeaderBytes, requireHostHeader: false, headersTimeout: headersTimeoutMs },
    listener,
  )
  server.requestTimeout = requestTimeoutMs
  server.keepAliveTimeout = keepAliveMs
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('checkContinue', (request, response) => {
    response.writeContinue()
    listener(request, response)
  })
  server.on('checkExpectation', listener)
  server.on('clientError', (error, socket) => refuse(socket, statusOf(error), now()))
  server.on('connect', (_request, socket) => refuse(socket, 405, now()))
  return {
    server,
    async close(graceMs, drainMs = 0) {
      isClosing = true
      const endStreams = (): void => {
        for (const response of streams) response.destroy()
      }
      // The `close` method of HTTP servers also resets idle connections.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
      const drained = new AbortController()
      void closed.then(() => drained.abort())
      endStreams()
      if (drainMs > 0) await sleep(drainMs, undefined, { signal: drained.signal }).catch(() => undefined)
      endStreams()
      server.closeIdleConnections()
      // Node treats an unused connection like one with a request in progress.
      for (const socket of unused) if (socket.bytesRead === 0) socket.destroy()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(timer)
    },
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly answer: Answer
  readonly streams: Set<ServerResponse>
  readonly isClosing: () => boolean
}

async function serve({ request, response, answer, streams, isClosing }: Exchange): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const reply = await answer({
    method: request.method ?? 'GET',
    url: request.url ?? '/',
    header: (name) => headerOf(request, name),
    remoteAddress: request.socket.remoteAddress ?? '',
    readBody: (maxBytes, watch) => readBody(request, maxBytes, watch),
    signal: gone.signal,
  })
  if (gone.signal.aborted) return
  response.once('finish', () => release(request))
  if (isClosing()) response.setHeader('connection', 'close')
  const { headers } = reply
  if (reply.body === undefined || typeof reply.body === 'string' || reply.body instanceof Uint8Array) {
    // Sent as bytes: with a string body, Node would encode the headers in the encoding of the string instead of
    // Latin-1.
    const body = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body
    const length = body === undefined ? {} : { 'content-length': body.length }
    response.writeHead(reply.status, { ...headers, ...length })
    if (request.complete) response.end(body)
    else await endWhenReceived(request, response, body)
    return
  }
  response.writeHead(reply.status, headers)
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  streams.add(response)
  try {
    await stream(response, reply.body)
  } finally {
    streams.delete(response)
  }
}

/**
 * Sends a response to a caller that is still sending. Node closes a non-persistent connection when the response ends,
 * which could lose it. So the response is sent at once, and ended after the rest of the request was discarded.
 */
async function endWhenReceived(
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array | undefined,
): Promise<void> {
  response.flushHeaders()
  if (body) response.write(body)
  let parts = 0
  const received = new Promise<void>((resolve) => {
    request
      .on('data', () => parts++)
      .once('end', resolve)
      .once('close', resolve)
  })
  request.resume()
  await whileSending(received, () => parts, sendingLimits)
  response.end()
}

/** Closes the connection if the caller is still sending some time after its response has ended. */
function release(request: IncomingMessage): void {
  if (request.complete) return
  request.resume()
  setTimeout(() => request.complete || request.destroy(), lingerMs).unref()
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

async function stream(response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> {
  response.flushHeaders()
  for await (const piece of pieces) {
    if (response.destroyed) break
    if (!response.write(piece)) await untilDrained(response)
  }
  response.end()
}

/** A slow reader causes many waits, so no listener may remain after one. */
function untilDrained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end).off('close', end)
      resolve()
    }
    response.on('drain', end).on('close', end)
    if (response.destroyed) end()
  })
}

function statusOf(error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }): number {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408
  if (error.code !== 'HPE_HEADER_OVERFLOW') return 400
  const line = error.rawPacket?.subarray(0, maxHeaderBytes).indexOf('\r\n') ?? 0
  return line === -1 || line > maxHeaderBytes / 2 ? 414 : 400
}

const messages: Readonly<Record<number, string>> = {
  400: 'This is not a well-formed HTTP request.',
  405: 'This method is not allowed.',
  408: 'The request did not arrive in time.',
  414: 'The URL of the request is too long.',
}

/** Answers input that never became a request. */
function refuse(socket: Duplex, status: number, nowMs: number): void {
  const { writable, destroyed } = socket as Socket
  if (!writable || destroyed) {
    socket.destroy()
    return
  }
  const { headers, body } = errorReply(status, messages[status] ?? 'Bad Request', { path: '', nowMs })
  const text = String(body)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  socket.on('error', () => undefined)
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`)
}
