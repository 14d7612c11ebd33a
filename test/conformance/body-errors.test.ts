import { bodyErrorHandler, serve } from '@trestle/express'
import express5 from 'express'
// @ts-expect-error The second copy of Express has no types of its own; those of 5 fit what is used of it.
import express4 from 'express4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { secret, send } from './call.ts'
import { echoQuery, event, workflows } from './fixture.ts'
import type { Mounted } from './mounts/mount.ts'
import { mountListener } from './mounts/node.ts'

describe.each([
  ['Express 5', express5],
  ['Express 4', express4 as typeof express5],
])('%s: the error handler for body parsers', (_name, express) => {
  let mounted: Mounted
  const seen: unknown[] = []
  beforeAll(async () => {
    const app = express()
    app.use(express.json({ limit: 200 }))
    app.all('/api/bridge', (request, response, next) => {
      if (request.headers['x-fail']) throw new Error('of the app')
      return serve({ workflows, secretKey: secret })(request, response, next)
    })
    app.use(bodyErrorHandler)
    // biome-ignore lint/suspicious/noExplicitAny: Express knows an error handler by its four parameters.
    app.use((error: any, _request: unknown, response: any, _next: unknown) => {
      seen.push(error)
      response.status(500).send('of the app')
    })
    mounted = await mountListener(app)
  })
  afterAll(() => mounted.close())

  test('turns 400 into RequestBodyInvalidError', async () => {
    const { status, json, headers } = await send(mounted.url, { query: echoQuery, body: '{"a":' })
    expect([status, json.code]).toEqual([400, 'RequestBodyInvalidError'])
    expect(json.data).toEqual([{ path: '', message: expect.any(String) }])
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  test('turns 413 into PayloadTooLarge with the parser’s limit', async () => {
    const body = { ...event, payload: { a: 'x'.repeat(500) } }
    const { status, json } = await send(mounted.url, { query: echoQuery, body })
    expect([status, json.code, json.data]).toEqual([413, 'PayloadTooLarge', { limit: 200, source: 'body parser' }])
  })

  test('gives the reason of a 413 without a limit in bytes', async () => {
    const app = express()
    app.use(express.urlencoded({ extended: false, parameterLimit: 1 }))
    app.use(bodyErrorHandler)
    const own = await mountListener(app)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await fetch(own.url, { method: 'POST', body: 'a=1&b=2', headers })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({
      code: 'PayloadTooLarge',
      message: expect.stringContaining('too many'),
    })
    await own.close()
  })

  test('passes on every other error', async () => {
    seen.length = 0
    const failed = await send(mounted.url, { query: echoQuery, body: {}, headers: { 'x-fail': '1' } })
    expect([failed.status, failed.text, seen.length]).toEqual([500, 'of the app', 1])
    const compressed = await send(mounted.url, {
      query: echoQuery,
      body: {},
      headers: { 'content-encoding': 'nonsense' },
    })
    expect([compressed.status, seen.length]).toEqual([500, 2])
  })

  test('does not prevent requests that the parser accepts from reaching the bridge', async () => {
    expect((await send(mounted.url, { query: echoQuery, body: event })).status).toBe(200)
  })
})
