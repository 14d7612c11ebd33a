import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { type BridgeOptions, createBridge, type NodeRequest, type NodeResponse, toNodeHandler } from '@trestle/core'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'

/** What the bridge takes where `maxBodyBytes` is not given. */
const usualMaxBytes = 10 * 2 ** 20

/**
 * Serves workflows from Fastify, as a plugin. Inside of it no content type parser runs, since the bridge reads the bytes
 * itself; parsers and hooks of the app stay as they are.
 *
 * @param options - Workflows and settings.
 * @returns A plugin; its prefix is the bridge's path.
 * @throws TypeError - An option has the wrong form.
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
    // Comes before every hook to whom the body may be given.
    app.addHook('onRequest', (request, _reply, next) => {
      along.set(request, listenAlong(request.raw, maxBytes))
      next()
    })
    app.addContentTypeParser('*', (request, payload, next) => {
      // A hook has put another stream in the place of the body.
      if (payload !== request.raw) others.set(request, toRequest(request.raw, payload))
      next(null)
    })
    // A hook that reads along stops the body at the limit of the route, which the bridge could not go beyond.
    app.all('/', { bodyLimit: Math.ceil(maxBytes) }, async (request, reply) => {
      const { rawBody } = request as { readonly rawBody?: unknown }
      const kept = along.get(request)?.end()
      const read = rawBody === undefined && kept ? toRequest(request.raw, request.raw, kept) : undefined
      await handle(others.get(request) ?? read ?? withKept(request, rawBody), toResponse(reply))
      return reply
    })
    done()
  }
}

/** What was read of a body before the bridge came to it. */
interface Kept {
  readonly chunks: readonly Uint8Array[]
  /** Ends the listening, as soon as somebody else listens. */
  stop(): void
}

/** Listens to a body as soon as somebody else does. */
interface Along {
  /** Ends the waiting; returns what was read until now, if anybody has begun to. */
  end(): Kept | undefined
}

/**
 * Hooks may read along, and what they read would be lost to the bridge: then it is listened to as well, without holding
 * anything up, and kept up to the limit.
 */
function listenAlong(raw: IncomingMessage, maxBytes: number): Along {
  const chunks: Uint8Array[] = []
  let size = 0
  let isWhole = false
  const keep = (chunk: Uint8Array | string): void => {
    const bytes = toBytes(raw, chunk)
    if (size <= maxBytes) chunks.push(bytes)
    size += bytes.byteLength
  }
  const begin = (event?: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return
    raw.off('newListener', begin)
    isWhole = true
    raw.on('data', keep)
  }
  // What has begun to flow before is not whole any more.
  if (raw.listenerCount('data') > 0 && !raw.readableDidRead) begin('data')
  else if (!raw.readableDidRead) raw.on('newListener', begin)
  return {
    end() {
      raw.off('newListener', begin)
      return isWhole ? { chunks, stop: () => raw.off('data', keep) } : undefined
    },
  }
}

/** The bytes of a chunk; a hook may have given its stream an encoding. */
function toBytes({ readableEncoding }: Readable, chunk: Uint8Array | string): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk, readableEncoding ?? 'utf8') : chunk
}

/** A request whose body comes from a stream, after what was read of that before. */
function toRequest(raw: IncomingMessage, payload: Readable, kept?: Kept): NodeRequest {
  let isRead = false
  const on = (event: string, listener: (chunk?: unknown) => void): void => {
    isRead ||= event === 'data'
    if (event === 'data') for (const chunk of kept?.chunks ?? []) listener(chunk)
    // What has happened already is told once more.
    const isOver = (event === 'end' && payload.readableEnded) || (event === 'close' && payload.destroyed)
    if (isOver) queueMicrotask(listener)
    else if (event === 'data') payload.on(event, (chunk) => listener(toBytes(payload, chunk)))
    else payload.on(event, listener)
    if (event === 'data') kept?.stop()
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
    // What is left of the request flows where the other stream takes it.
    resume: () => (payload.destroyed ? raw : payload).resume(),
    destroy: () => raw.destroy(),
  }
}

/** The bytes that a hook has kept, where the bridge could not listen from the start on. */
function withKept({ raw }: FastifyRequest, rawBody: unknown): NodeRequest {
  return rawBody === undefined ? raw : Object.assign(raw, { rawBody })
}

/** Fastify writes the answer, so that the app's own hooks see it. */
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
