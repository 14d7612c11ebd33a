import { PassThrough, pipeline, type Readable } from 'node:stream'
import { type BridgeOptions, createBridge, type NodeRequest, type NodeResponse, toNodeHandler } from '@trestle/core'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'

/** Bodies as the app's hooks leave them, where they look at them. */
type Payloads = WeakMap<FastifyRequest, Readable>

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
  const payloads: Payloads = new WeakMap()
  return (app, _options, done) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (request, payload, next) => {
      keepPayload(payloads, request, payload)
      next(null)
    })
    app.all('/', async (request, reply) => {
      await handle(toRequest(request, payloads.get(request)), toResponse(reply))
      return reply
    })
    done()
  }
}

/** A hook may put another stream in the place of the body, or read along: what it reads would be lost to the bridge. */
function keepPayload(payloads: Payloads, request: FastifyRequest, payload: Readable): void {
  if (payload === request.raw && payload.listenerCount('data') === 0) return
  const own = new PassThrough()
  own.on('error', () => undefined)
  pipeline(payload, own, () => undefined)
  payloads.set(request, own)
}

function toRequest(request: FastifyRequest, payload: Readable | undefined): NodeRequest {
  const { raw } = request
  const { rawBody } = request as { readonly rawBody?: unknown }
  if (!payload) return rawBody === undefined ? raw : Object.assign(raw, { rawBody })
  return {
    ...{ method: raw.method, url: raw.url, headers: raw.headers, rawBody },
    on: payload.on.bind(payload) as NodeRequest['on'],
    get readableDidRead() {
      return payload.readableDidRead
    },
    get readableEnded() {
      return payload.readableEnded
    },
    get destroyed() {
      return payload.destroyed
    },
    get complete() {
      return raw.complete
    },
    resume: () => raw.resume(),
    destroy: () => raw.destroy(),
  }
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
