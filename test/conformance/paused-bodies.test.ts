import type { RequestListener } from 'node:http'
import { createGunzip, gzipSync } from 'node:zlib'
import { createBridge, toNodeHandler } from '@trestle/core'
import { serve as serveExpress } from '@trestle/express'
import { serve as serveFastify } from '@trestle/fastify'
import { serve as serveKoa } from '@trestle/koa'
import { sign, signatureHeader } from '@trestle/protocol'
import express from 'express'
import Fastify from 'fastify'
import Koa from 'koa'
import { expect, test } from 'vitest'
import { secret } from './call.ts'
import { echoQuery, event, workflows } from './fixture.ts'
import { closeServer, listen } from './mounts/node.ts'

const options = { workflows, secretKey: secret }
const body = JSON.stringify({ ...event, payload: { text: 'x'.repeat(300_000) } })

async function post(
  address: string,
  headers: Readonly<Record<string, string>>,
  sent: string | Uint8Array<ArrayBuffer>,
) {
  const signed = { 'content-type': 'application/json', [signatureHeader]: await sign(secret, body) }
  const url = `${address}/?${new URLSearchParams(echoQuery)}`
  const answer = await fetch(url, { method: 'POST', headers: { ...signed, ...headers }, body: sent })
  return { status: answer.status, answer: await answer.json() }
}

/** Code in front of the bridge waits, for example for a session, and pauses the body. */
const listeners: readonly (readonly [string, () => RequestListener])[] = [
  [
    'node:http',
    () => {
      const handle = toNodeHandler(createBridge(options))
      return (request, response) => handle(request.pause(), response)
    },
  ],
  [
    'Express',
    () =>
      express().use((request, _response, next) => {
        request.pause()
        setImmediate(next)
      }, serveExpress(options)),
  ],
  [
    'Koa',
    () =>
      new Koa()
        .use(async ({ req }, next) => {
          req.pause()
          await next()
        })
        .use(serveKoa(options))
        .callback(),
  ],
]

test.each(listeners)('reads a body that earlier middleware has paused: %s', async (_name, toListener) => {
  const { server, origin } = await listen(toListener())
  try {
    expect(await post(origin, {}, body)).toMatchObject({ status: 200 })
  } finally {
    await closeServer(server)
  }
})

// Like @fastify/compress: the decompression stream replaces the body, and is paused until it is read.
test('reads a body that a hook decompresses and passes on paused: Fastify', async () => {
  const app = Fastify({ forceCloseConnections: true })
  app.addHook('preParsing', async ({ headers }, _reply, payload) =>
    headers['content-encoding'] === 'gzip' ? payload.pipe(createGunzip().pause()) : payload,
  )
  app.addHook('onRequest', async ({ raw }) => void raw.pause())
  await app.register(serveFastify(options), { prefix: '/' })
  try {
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const packed = { 'content-encoding': 'gzip' }
    expect(await post(address, packed, new Uint8Array(gzipSync(body)))).toMatchObject({ status: 200 })
    expect(await post(address, {}, body)).toMatchObject({ status: 200 })
  } finally {
    await app.close()
  }
})
