import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { type BridgeOptions, createBridge, type NodeRequest, type NodeResponse, toNodeHandler } from '@trestle/core'
import { type BodyLimit, type CodedError, createBodyBuffer, toBodyError } from '@trestle/protocol'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'

/** The default of `maxBodyBytes` in the bridge. */
const usualMaxBytes = 10 * 2 ** 20

/**
 * Serves workflows from Fastify, as a plugin. No content type parser runs inside it, because the bridge reads the raw
 * bytes. Parsers and hooks of the app are unchanged.
 *
 * @param options - Workflows and settings.
 * @returns A plugin; its prefix is the path of the bridge.
 * @throws TypeError - An option is invalid.
 * @example
 * app.register(serve({ workflows: [orderShipped] }), { prefix: '/api/bridge' })
 */
export function serve(options: BridgeOptions): FastifyPluginCallback {
  const rawBodyHint = 'Leave the body to the bridge, or keep its bytes in request.rawBody, as fastify-raw-body does.'
  const handle = toNodeHandler(createBridge(options), { rawBodyHint })
  const maxBytes = options.maxBodyBytes ?? usualMaxBytes
  const along = new WeakMap<FastifyRequest, Along>()
  const others = new WeakMap<FastifyRequest, NodeRequest>()
  return (app, _options, done) => {
    app.removeAllContentTypeParsers()
    // Must run before every hook that may receive the body.
    app.addHook('onRequest', (request, _reply, next) => {
      along.set(request, listenAlong(request.raw, maxBytes))
      next()
    })
    app.addContentTypeParser('*', (request, payload, next) => {
      // A hook has replaced the body stream.
      if (payload !== request.raw) others.set(request, toRequest(request.raw, payload))
      next(null)
    })
    // A hook that reads the body enforces the route's limit, so the route must allow at least as much as the bridge.
    app.all('/', { bodyLimit: Math.ceil(maxBytes) }, async (request, reply) => {
      const { rawBody } = request as { readonly rawBody?: unknown }
      const bufferedBody = along.get(request)?.end()
      const read = rawBody === undefined && bufferedBody ? toRequest(request.raw, request.raw, bufferedBody) : undefined
      await handle(others.get(request) ?? read ?? withKept(request, rawBody), toResponse(reply))
      return reply
    })
    done()
  }
}

/** The part of a body that was read before the bridge received the request. */
interface Kept {
  readonly bytes: Uint8Array
  /** Why the body must be rejected. */
  readonly fault: CodedError | undefined
  /** Stops recording when another listener is added. */
  stop(): void
}

interface Along {
  /** Stops recording. Returns the bytes read so far, if reading has started. */
  end(): Kept | undefined
}

/**
 * Records the body while hooks read it, without delaying them and up to the size limit. Otherwise the bridge would lose
 * these bytes.
 */
function listenAlong(raw: IncomingMessage, maxBytes: number): Along {
  const buffer = createBodyBuffer(maxBytes)
  let limit: BodyLimit | undefined
  let isWhole = false
  const keep = (chunk: Uint8Array | string): void => {
    limit = buffer.add(toBytes(raw, chunk))
  }
  const begin = (event?: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return
    raw.off('newListener', begin)
    isWhole = true
    raw.on('data', keep)
  }
  // A body that started flowing earlier is incomplete.
  if (raw.listenerCount('data') > 0 && !raw.readableDidRead) begin('data')
  else if (!raw.readableDidRead) raw.on('newListener', begin)
  return {
    end() {
      raw.off('newListener', begin)
      if (!isWhole) return undefined
      const fault = limit && toBodyError(limit, maxBytes)
      return { bytes: buffer.toBytes(), fault, stop: () => raw.off('data', keep) }
    },
  }
}

/** Returns a chunk as bytes, even if a hook has set an encoding. */
function toBytes({ readableEncoding }: Readable, chunk: Uint8Array | string): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk, readableEncoding ?? 'utf8') : chunk
}

/** Returns a request whose body continues from a stream after the recorded bytes. */
function toRequest(raw: IncomingMessage, payload: Readable, bufferedBody?: Kept): NodeRequest {
  let isRead = false
  const on = (event: string, listener: (chunk?: unknown) => void): void => {
    isRead ||= event === 'data'
    const fault = bufferedBody?.fault
    if (fault) {
      if (event === 'error') queueMicrotask(() => listener(fault))
      return
    }
    if (event === 'data' && bufferedBody) listener(bufferedBody.bytes)
    // Calls listeners for events that were already emitted.
    const isOver = (event === 'end' && payload.readableEnded) || (event === 'close' && payload.destroyed)
    if (isOver) queueMicrotask(listener)
    else if (event === 'data') payload.on(event, (chunk) => listener(toBytes(payload, chunk)))
    else payload.on(event, listener)
    if (event === 'data') bufferedBody?.stop()
  }
  return {
    ...{ method: raw.method, url: raw.url, headers: raw.headers },
    on: on as NodeRequest['on'],
    get readableDidRead() {
      return isRead || (payload !== raw && payload.readableDidRead)
    },
    get complete() {
      return raw.complete
    },
    // Resumes whichever stream still has data.
    resume: () => (payload.destroyed ? raw : payload).resume(),
    destroy: () => raw.destroy(),
  }
}

/** Returns the bytes kept by a hook, if they could not be recorded from the start. */
function withKept({ raw }: FastifyRequest, rawBody: unknown): NodeRequest {
  return rawBody === undefined ? raw : Object.assign(raw, { rawBody })
}

/** Returns a response that is sent by Fastify, so that the app's hooks process it. */
function toResponse(reply: FastifyReply): NodeResponse {
  return {
    get headersSent() {
      return reply.sent
    },
    get statusCode() {
      return reply.statusCode
    },
    set statusCode(status) {
      reply.code(status)
    },
    setHeader: (name, value) => reply.header(name, value),
    end: (body) => reply.send(body),
    destroy: () => reply.raw.destroy(),
    on: (event, listener) => reply.raw.on(event, listener),
  }
}
