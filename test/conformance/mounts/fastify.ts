import type { AddressInfo } from 'node:net'
import { serve } from '@trestle/fastify'
import Fastify from 'fastify'
import type { Mount } from './mount.ts'
import { nodeInFront } from './node.ts'

const fastifyInFront = {
  ...nodeInFront,
  PROPFIND: { answers: [404], reason: 'Fastify has no route for a method that it was not told about' },
  'absolute-form URL with a bad port': { answers: [400], reason: 'Fastify refuses a URL that it cannot read' },
} as const

/** Fastify, beside a JSON parser of the app's own. */
export const fastifyMount: Mount = {
  name: 'Fastify',
  body: 'stream',
  inFront: fastifyInFront,
  async mount(options) {
    const app = Fastify({ forceCloseConnections: true })
    await app.register(serve(options), { prefix: '/api/bridge' })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/api/bridge`, close: () => app.close() }
  },
}
