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
  const rawBodyHint = 'Leave the body to the bridge, or keep its bytes as request.rawBody, as fastify-raw-body does.'
  const handle = toNodeHandler(createBridge(options), { rawBodyHint })
  const bodies = new WeakMap<FastifyRequest, NodeRequest>()
  return (app, _options, done) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (request, payload, next) => {
      const kept = keepPayload(payload, request, options.maxBodyBytes ?? usualMaxBytes)
      if (kept) bodies.set(request, kept)
      next(null)
    })
    app.all('/', async (request, reply) => {
      const { rawBody } = request as { readonly rawBody?: unknown }
      await handle(bodies.get(request) ?? withKept(request, rawBody), toResponse(reply))
      return reply
    })
    done()
  }
}

/**
 * A hook may put another stream in the place of the body: that one is read. Or it may read along, and what it reads would be
 * lost to the bridge: then it is listened to from the start on, without holding anything up, and kept up to the limit.
 */
function keepPayload(payload: Readable, request: FastifyRequest, maxBytes: number): NodeRequest | undefined {
  const { raw } = request
  if (payload !== raw) return toRequest(raw, payload, [])
  // What has begun to flow before is not whole any more.
  if (raw.listenerCount('data') === 0 || raw.readableDidRead) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  raw.on('data', (chunk: Uint8Array) => {
    if (size <= maxBytes) chunks.push(chunk)
    size += chunk.byteLength
  })
  return toRequest(raw, raw, chunks)
}

/** A request whose body comes from a stream, after what was read of that before. */
function toRequest(raw: IncomingMessage, payload: Readable, chunks: readonly Uint8Array[]): NodeRequest {
  let isRead = false
  const on = (event: string, listener: (chunk?: unknown) => void): void => {
    if (event === 'data') for (const chunk of chunks) listener(chunk)
    isRead ||= event === 'data'
    // What has happened already is told once more.
    const isOver = (event === 'end' && payload.readableEnded) || (event === 'close' && payload.destroyed)
    if (isOver) queueMicrotask(listener)
    else payload.on(event, listener)
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
    resume: () => raw.resume(),
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
