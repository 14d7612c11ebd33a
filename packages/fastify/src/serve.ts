import { type BridgeOptions, createBridge, type NodeResponse, toNodeHandler } from '@trestle/core'
import type { FastifyPluginCallback, FastifyReply } from 'fastify'

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
  const handle = toNodeHandler(createBridge(options))
  return (app, _options, done) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, next) => next(null))
    app.all('/', async (request, reply) => {
      await handle(request.raw, toResponse(reply))
      return reply
    })
    done()
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
