import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { bridgeWorkflow } from '../bridge.fixture.ts'
import { secretKey, startTestService } from '../service.fixture.ts'

/** Serves a bridge like `@novu/framework` in production: it reads only the legacy header. */
async function serveFormerBridge(key: string): Promise<string> {
  const server = createServer(({ url = '', headers }, response) => {
    const [, time, mac] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['novu-signature'])) ?? []
    const isHealth = url.includes('action=health-check')
    const isSigned = mac === createHmac('sha256', key).update(`${time}.{}`).digest('hex')
    const refusal = { code: 'SignatureNotFoundError', message: 'Signature not found' }
    response.writeHead(isHealth || isSigned ? 200 : 401, { 'content-type': 'application/json' })
    const reply = isHealth ? { status: 'ok' } : { workflows: [bridgeWorkflow], agents: [] }
    response.end(JSON.stringify(isHealth || isSigned ? reply : refusal))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/novu`
}

test('accepts and syncs a bridge that reads only the legacy header', async (context) => {
  const { call } = await startTestService('sqlite', context)
  const bridgeUrl = await serveFormerBridge(secretKey)
  expect((await call('POST', '/v1/bridge/validate', { bridgeUrl })).body.data).toEqual({ isValid: true })
  expect((await call('POST', '/v1/bridge/sync', { bridgeUrl })).status).toBe(201)
})

test('reports a healthy bridge that rejects signed calls as invalid', async (context) => {
  const { call } = await startTestService('sqlite', context)
  const { body } = await call('POST', '/v1/bridge/validate', { bridgeUrl: await serveFormerBridge('another key') })
  expect(body.data).toMatchObject({ isValid: false, error: { code: 'SignatureNotFoundError' } })
})

test('reports a URL that returns JSON without workflows as invalid', async (context) => {
  const { call } = await startTestService('sqlite', context)
  const server = createServer((_request, response) => void response.end('{"status":"ok"}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const bridgeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  expect((await call('POST', '/v1/bridge/validate', { bridgeUrl })).body.data.isValid).toBe(false)
})
