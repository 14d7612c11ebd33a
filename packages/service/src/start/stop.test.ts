import { Agent, createServer, get } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, type TestContext, test, vi } from 'vitest'
import { bothDrivers, createDatabase } from '../store/stores.fixture.ts'
import { startTestService, testKeys } from './service.fixture.ts'

const encryptionKey = Buffer.alloc(32, 5).toString('base64')

function open(context: TestContext, port: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => resolve(socket))
    socket.on('error', () => undefined)
    context.onTestFinished(() => void socket.destroy())
  })
}

describe('stop', () => {
  const graceMs = 8000
  const measure = async (work: Promise<unknown>) => {
    const startedMs = performance.now()
    await work
    return performance.now() - startedMs
  }

  test('does not wait for idle connections', async (context) => {
    const { service } = await startTestService('sqlite', context, { stopGraceMs: graceMs })
    const { port } = new URL(service.url)
    await open(context, port)
    const used = await open(context, port)
    const answered = new Promise((resolve) => used.once('data', resolve))
    used.write(`GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
    await answered
    expect(await measure(service.stop())).toBeLessThan(graceMs / 2)
  })

  test('closes the connection that calls to a bridge shared', async (context) => {
    const sockets = new Set<Socket>()
    let calls = 0
    const bridge = createServer((request, response) => {
      sockets.add(request.socket)
      calls++
      request.resume()
      response.setHeader('content-type', 'application/json').end('{"workflows":[],"agents":[]}')
    })
    await new Promise<void>((resolve) => bridge.listen(0, '127.0.0.1', resolve))
    context.onTestFinished(() => void bridge.close())
    const { service, call } = await startTestService('sqlite', context, { bridge: { allow: ['127.0.0.0/8'] } })
    const bridgeUrl = `http://127.0.0.1:${(bridge.address() as AddressInfo).port}`
    for (let sync = 0; sync < 3; sync++) await call('POST /v1/bridge/sync', { bridgeUrl })
    expect(calls).toBeGreaterThanOrEqual(3)
    expect(sockets.size).toBe(1)
    await service.stop()
    await vi.waitFor(() => expect([...sockets].map(({ destroyed }) => destroyed)).toEqual([true]), { timeout: 2000 })
  })

  test('waits for responses in progress, and accepts no further requests', async (context) => {
    let go = (): void => undefined
    let arrived = (): void => undefined
    const inside = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const slow = async () => {
      arrived()
      await held
      return { status: 200, headers: {}, body: 'done' }
    }
    const { service } = await startTestService('sqlite', context, { stopGraceMs: graceMs, mounts: { '/slow': slow } })
    const agent = new Agent({ keepAlive: true })
    context.onTestFinished(() => agent.destroy())
    const headers = { authorization: `ApiKey ${testKeys.Development}` }
    const reading = new Promise<string>((resolve, reject) => {
      const sent = get(`${service.url}/slow`, { agent, headers }, (response) => {
        response.setEncoding('utf8').on('data', resolve).on('error', reject)
      })
      sent.on('error', reject)
    })
    await inside
    const stopping = measure(service.stop())
    setTimeout(go, 200)
    expect(await reading).toBe('done')
    expect(await stopping).toBeLessThan(graceMs / 2)
  })

  test('starts no further call to a slow provider, and the next start sends the message once', async (context) => {
    const asked = new Map<unknown, number>()
    let isSlow = true
    const provider = createServer((request, response) => {
      const key = request.headers['idempotency-key']
      asked.set(key, (asked.get(key) ?? 0) + 1)
      request.resume()
      setTimeout(() => response.end('{}'), isSlow ? 1500 : 0)
    })
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
    context.onTestFinished(() => void provider.close())
    const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    const { address } = await createDatabase('sqlite', context)
    const begin = () => startTestService('sqlite', context, { ...address, encryptionKey, stopGraceMs: graceMs })
    const { service, call } = await begin()
    const integration = { providerId: 'generic-sms', channel: 'sms', active: true, check: false }
    await call('POST /v1/integrations', { ...integration, name: 'Slow', credentials: { baseUrl, from: 'me' } })
    const steps = [{ stepId: 's', name: 'S', type: 'sms', controlValues: { body: 'b' } }]
    await call('POST /v2/workflows', { name: 'W', workflowId: 'w', active: true, steps })
    const events = Array.from({ length: 60 }, (_, index) => {
      return { name: 'w', to: { subscriberId: `s${index}`, phone: '+491' }, payload: {} }
    })
    await call('POST /v1/events/trigger/bulk', { events })
    await vi.waitFor(() => expect(asked.size).toBe(32), 30_000)
    await service.stop()
    expect(asked.size).toBe(32)
    isSlow = false
    await begin()
    await vi.waitFor(() => expect(asked.size).toBe(60), 30_000)
    expect([...asked.values()].filter((times) => times > 1)).toEqual([])
  })

  test.for(bothDrivers)(
    '(%s) does not resend a message whose provider responded while another message of its step was in progress',
    async (driver, context) => {
      const asked: string[] = []
      let isSilent = true
      const provider = createServer(({ url = '' }, response) => {
        asked.push(url)
        if (url !== '/b' || !isSilent) response.end('ok')
      })
      await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
      context.onTestFinished(() => {
        provider.closeAllConnections()
        provider.close()
      })
      const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
      const { address } = await createDatabase(driver, context)
      const begin = () => startTestService(driver, context, { ...address, encryptionKey, stopGraceMs: 200 })
      const { service, call } = await begin()
      for (const name of ['a', 'b', 'c']) {
        const integration = { providerId: 'chat-webhook', channel: 'chat', identifier: name, name, active: true }
        await call('POST /v1/integrations', { ...integration, credentials: { webhookUrl: `${baseUrl}/${name}` } })
      }
      const steps = [{ stepId: 's', name: 'S', type: 'chat', controlValues: { body: 'b' } }]
      await call('POST /v2/workflows', { name: 'W', workflowId: 'w', active: true, steps })
      await call('POST /v1/events/trigger', { name: 'w', to: 'ada', payload: {} })
      await vi.waitFor(() => expect(asked).toContain('/b'), 30_000)
      await service.stop()
      isSilent = false
      const next = await begin()
      await vi.waitFor(() => expect(asked.filter((url) => url !== '/a')).toEqual(['/b', '/b', '/c']), 30_000)
      expect(asked).toEqual(['/a', '/b', '/b', '/c'])
      const list = async () => (await next.call('GET /v1/notifications')).json
      await vi.waitFor(async () => expect(await list()).toMatchObject({ data: [{ status: 'completed' }] }), 30_000)
      const sentEntries = JSON.stringify(await list()).match(/"Message sent"/g)
      expect(sentEntries).toHaveLength(3)
    },
  )
})
