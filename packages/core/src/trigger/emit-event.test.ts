import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { emitEvent } from './emit-event.ts'

const received: { url: string | undefined; key: unknown; authorization: unknown; body: unknown }[] = []
let server: Server
let options: { apiUrl: string; secretKey: string }

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { url, headers } = request
    const { authorization } = headers
    received.push({ url, key: headers['idempotency-key'], authorization, body: JSON.parse(text) })
    const answer = { data: { acknowledged: true, eventId: 'e1' } }
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  options = { apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, secretKey: 'sk' }
})
afterAll(() => server.close())
beforeEach(() => {
  received.length = 0
})

test('names missing settings', async () => {
  await expect(emitEvent({ name: 'e' }, { apiUrl: options.apiUrl })).rejects.toMatchObject({
    code: 'MissingSecretKeyError',
  })
})

test('sends the event with the secret and the key', async () => {
  const event = { name: 'e', payload: { id: 7 }, to: 'ada', match: { id: 7 } }
  expect(await emitEvent(event, { ...options, idempotencyKey: 'k' })).toEqual({ acknowledged: true, eventId: 'e1' })
  expect(received).toEqual([{ url: '/v1/events/emit', key: 'k', authorization: 'ApiKey sk', body: event }])
})

test('uses the environment variables', async () => {
  vi.stubEnv('SERVICE_SECRET_KEY', 'from-env')
  vi.stubEnv('SERVICE_API_URL', options.apiUrl)
  try {
    await emitEvent({ name: 'e' })
  } finally {
    vi.unstubAllEnvs()
  }
  expect(received).toMatchObject([{ authorization: 'ApiKey from-env', body: { name: 'e', payload: {} } }])
})
