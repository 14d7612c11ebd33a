import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer, json } from 'node:stream/consumers'
import { serve } from '@trestle/fastify'
import { sign, signatureHeader } from '@trestle/protocol'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secret } from './call.ts'
import { echoQuery, event, workflows } from './fixture.ts'
import { fastifyMounts } from './mounts/fastify.ts'
import { conformance } from './suite.ts'

for (const [index, mount] of fastifyMounts.entries()) conformance(mount, index === 0 ? 'adapter' : 'variant')

describe('Fastify with a hook that reads the whole body before the bridge runs', () => {
  const app = Fastify({ forceCloseConnections: true })
  const seen: number[] = []
  const connection = new Agent({ keepAlive: true, maxSockets: 1 })
  beforeAll(async () => {
    const bodies = new WeakMap<object, Promise<Buffer>>()
    app.addHook('preParsing', async (incoming, _reply, payload) => {
      const along = incoming.headers['x-along']
      if (along === 'reads text') (payload as Readable).setEncoding('latin1')
      if (along) bodies.set(incoming, buffer(along === 'listens' ? collect(payload) : payload))
    })
    app.addHook('preValidation', async (incoming) => {
      const body = await bodies.get(incoming)
      if (body) seen.push(body.length)
    })
    app.addHook('preHandler', async (incoming, reply) => {
      if (incoming.headers['x-refuse']) await reply.code(403).send({ code: 'OfTheApp' })
    })
    await app.register(serve({ workflows, secretKey: secret }), { prefix: '/api/bridge' })
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    connection.destroy()
    await app.close()
  })

  /** Reads the body while it is passed on, like a hook that computes a digest. */
  async function* collect(payload: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
    const chunks: Buffer[] = []
    payload.on('data', (chunk: Buffer) => chunks.push(chunk))
    await once(payload, 'end')
    yield* chunks
  }

  async function post(headers: Record<string, string>): Promise<{ status: number | undefined; answer: unknown }> {
    const body = JSON.stringify({ ...event, payload: { text: 'x'.repeat(300_000) } })
    const outgoing = request({
      ...{ host: '127.0.0.1', port: (app.server.address() as AddressInfo).port, method: 'POST', agent: connection },
      path: `/api/bridge?${new URLSearchParams(echoQuery)}`,
      headers: { ...headers, 'content-type': 'application/json', [signatureHeader]: await sign(secret, body) },
    })
    outgoing.end(body)
    const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
    if (!incoming) throw new Error('There was no answer.')
    return { status: incoming.statusCode, answer: await json(incoming) }
  }

  test.each(['listens', 'iterates', 'reads text'])(
    '%s: a large body gets a response, as do later calls on the connection',
    async (along) => {
      const refused = { status: 403, answer: { code: 'OfTheApp' } }
      seen.length = 0
      expect(await post({ 'x-along': along })).toMatchObject({ status: 200 })
      expect(await post({ 'x-along': along, 'x-refuse': '1' })).toEqual(refused)
      expect(await post({})).toMatchObject({ status: 200 })
      expect(await post({ 'x-refuse': '1' })).toEqual(refused)
      expect(await post({ 'x-along': along })).toMatchObject({ status: 200 })
      expect(seen).toHaveLength(3)
      expect(Math.min(...seen)).toBeGreaterThan(300_000)
    },
  )
})

describe('Fastify with a hook that reads up to the limit of the route', () => {
  /** Rejects a body that is too large, like fastify-raw-body. */
  function readAlong(payload: NodeJS.ReadableStream, limit: number): void {
    let size = 0
    payload.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) payload.pause()
    })
  }

  test.each([
    [2 ** 21, undefined, 200],
    [2 ** 21, 2 ** 20 + 0.5, 413],
    [11 * 2 ** 20, undefined, 413],
  ])('accepts or rejects a body of %i bytes with the limit %s: status %i', async (size, maxBodyBytes, status) => {
    const app = Fastify({ forceCloseConnections: true })
    app.addHook('preParsing', ({ routeOptions }, _reply, payload, done) => {
      readAlong(payload, routeOptions.bodyLimit)
      done(null, payload)
    })
    await app.register(serve({ workflows, secretKey: secret, maxBodyBytes }), { prefix: '/api/bridge' })
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    const body = JSON.stringify({ ...event, payload: { text: 'x'.repeat(size) } })
    const response = await fetch(`${origin}/api/bridge?${new URLSearchParams(echoQuery)}`, {
      ...{ method: 'POST', duplex: 'half', body: new Blob([body]).stream() },
      headers: { 'content-type': 'application/json', [signatureHeader]: await sign(secret, body) },
    })
    await app.close()
    expect(response.status).toBe(status)
  })
})
