import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '@trestle/fastify'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Mount } from './mount.ts'
import { nodeInFront } from './node.ts'

const fastifyInFront = {
  ...nodeInFront,
  PROPFIND: { answers: [404], reason: 'Fastify has no route for a method that it was not told about' },
  'absolute-form URL with a bad port': { answers: [400], reason: 'Fastify refuses a URL that it cannot read' },
} as const

type Hooks = (app: FastifyInstance) => unknown

function mountFastify(addHooks: Hooks): Mount['mount'] {
  return async (options) => {
    const app = Fastify({ forceCloseConnections: true })
    await addHooks(app)
    await app.register(serve(options), { prefix: '/api/bridge' })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/api/bridge`, close: () => app.close() }
  }
}

/**
 * Fastify alone, with a hook that replaces the body stream, and with a hook that reads the body while it is passed on.
 */
export const fastifyMounts: readonly Mount[] = (
  [
    ['Fastify', () => undefined],
    [
      'Fastify with another stream',
      (app) =>
        app.addHook('preParsing', async (_request, _reply, payload) =>
          Object.assign(payload.pipe(new PassThrough()), { receivedEncodedLength: 0 }),
        ),
    ],
    [
      'Fastify with a reader beside it',
      (app) =>
        app
          .addHook('preParsing', (_request, _reply, payload, done) => {
            payload.on('data', () => undefined)
            done(null, payload)
          })
          .addHook('preHandler', () => sleep(2)),
    ],
  ] satisfies readonly (readonly [string, Hooks])[]
).map(([name, addHooks]) => ({ name, body: 'stream', inFront: fastifyInFront, mount: mountFastify(addHooks) }))
