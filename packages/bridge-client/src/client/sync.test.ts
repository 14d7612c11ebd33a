import { describe, expect, it } from 'vitest'
import { createManualTimer, createTestClient, failureOf, publicAddress } from '../../fixtures/client.ts'
import { html, json, serveHttp } from '../../fixtures/server.ts'
import { BridgeSyncError, createConnectionPool } from '../index.ts'

const policyMessage = 'The bridge URL is blocked by the outbound SSRF policy.'

describe('a sync', () => {
  it('returns the workflows of the bridge', async () => {
    const reply = { workflows: [{ workflowId: 'w' }], agents: [] }
    const { port, received } = await serveHttp(json(200, reply))
    await expect(createTestClient({ port }).sync('http://new.test/bridge')).resolves.toEqual(reply)
    expect(received).toMatchObject([{ method: 'GET', url: '/bridge?action=discover' }])
  })

  it.each([
    ['not a url', 'bridgeUrl: invalid URL format'],
    ['', 'bridgeUrl: invalid URL format'],
    ['ftp://bridge.test/', 'bridgeUrl: scheme not allowed (only http and https permitted)'],
    ['http://user:pass@bridge.test/', 'bridgeUrl: embedded credentials not allowed'],
    ['http://localhost:3000/', 'bridgeUrl: host not allowed'],
    ['http://metadata.google.internal/', 'bridgeUrl: host not allowed'],
    ['http://10.1.2.3/', 'bridgeUrl: private or reserved IP address not allowed (10.1.2.3)'],
    ['http://[::1]/', 'bridgeUrl: private or reserved IP address not allowed (::1)'],
    ['http://inside.test/', 'bridgeUrl: private or reserved IP address not allowed (192.168.7.7)'],
  ])('of "%s" fails before connecting: %s', async (bridgeUrl, message) => {
    const lookup = async (host: string) => [host === 'inside.test' ? '192.168.7.7' : publicAddress]
    const client = createTestClient({ lookup })
    const failure = await failureOf(client.sync(bridgeUrl))
    expect(failure).toBeInstanceOf(BridgeSyncError)
    expect(failure).toMatchObject({ status: 400, message, body: { message } })
    expect(Object.keys(failure['body'] as object)).toEqual(['message'])
    expect(failure).not.toHaveProperty('code')
    expect(failure).not.toHaveProperty('data')
    expect(client.connections).toEqual([])
    expect(client.waits).toEqual([])
  })

  it('uses the saved URL by default', async () => {
    const client = createTestClient({ bridgeUrl: 'http://10.0.0.1/' })
    expect((await failureOf(client.sync())).message).toContain('(10.0.0.1)')
  })

  it('of a URL rejected while connecting reports the policy’s reason, never the code', async () => {
    const answers = [[publicAddress], ['127.0.0.1']]
    const client = createTestClient({ lookup: async () => answers.shift() ?? [], fails: 'ECONNREFUSED' })
    const failure = await failureOf(client.sync())
    expect(failure).toMatchObject({ status: 400, body: { message: policyMessage } })
    expect(failure.message).not.toContain('PRIVATE_IP')
    expect(client.connections).toEqual([`${publicAddress}:80`])
  })

  it('of an unknown name or a rejected redirect reports the policy’s reason', async () => {
    const unknown = Object.assign(new Error('no'), { code: 'ENOTFOUND' })
    const nameless = createTestClient({ lookup: async () => Promise.reject(unknown) })
    expect((await failureOf(nameless.sync())).message).toBe(policyMessage)
    const { port } = await serveHttp((_request, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    )
    expect((await failureOf(createTestClient({ port }).sync())).message).toBe(policyMessage)
    const mixed = await serveHttp((request, response, raw) =>
      request.url.startsWith('/bridge')
        ? json(200, { workflows: [] })(request, response, raw)
        : response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    )
    const connections = createConnectionPool()
    const keeping = createTestClient({ port: mixed.port, connections })
    await keeping.execute({ workflowId: 'w', stepId: 's', event: {} }).catch(() => undefined)
    await keeping.sync('http://bridge.test/bridge')
    expect((await failureOf(keeping.sync('http://bridge.test/other'))).message).toBe(policyMessage)
    connections.close()
  })

  it("that fails keeps the bridge's message and drops code, data and status", async () => {
    const { port } = await serveHttp(
      json(409, { code: 'WorkflowAlreadyExistsError', message: 'twice', data: { workflowId: 'w' } }),
    )
    const failure = await failureOf(createTestClient({ port }).sync())
    expect(failure).toMatchObject({ status: 400, body: { message: 'twice' } })
    expect(Object.keys(failure['body'] as object)).toEqual(['message'])
    expect(failure).not.toHaveProperty('data')
  })

  it.each([
    [undefined, 'http://10.0.0.1/', 'bridgeUrl: private or reserved IP address not allowed (10.0.0.1)'],
    [['http://bridge.test/'], '', 'bridgeUrl: invalid URL format'],
    [new URL('http://bridge.test/'), '', 'bridgeUrl: invalid URL format'],
    [null, '', 'bridgeUrl: invalid URL format'],
    [7, '', 'bridgeUrl: invalid URL format'],
    [{ toString: () => 'http://bridge.test/' }, '', 'bridgeUrl: invalid URL format'],
  ])('of %j accepts only a string', async (bridgeUrl, own, message) => {
    const client = createTestClient({ bridgeUrl: own })
    expect((await failureOf(client.sync(bridgeUrl as never))).message).toBe(message)
    expect(client.lookups).toEqual([])
  })

  it('resolves a name once for each attempt', async () => {
    const { port } = await serveHttp(json(200, { workflows: [] }))
    const client = createTestClient({ port })
    await client.sync('http://new.test/bridge')
    expect(client.lookups).toEqual(['new.test'])
  })

  it('ends when its signal aborts during the lookup, and has one timeout for lookup and call', async () => {
    const timer = createManualTimer()
    const controller = new AbortController()
    const lookup = () => {
      setImmediate(() => controller.abort(new Error('enough')))
      return new Promise<never>(() => {})
    }
    const client = createTestClient({ lookup, startTimer: timer.startTimer })
    await expect(client.sync('http://new.test/', { signal: controller.signal })).rejects.toThrow('enough')
    await expect(client.sync('http://new.test/', { signal: controller.signal })).rejects.toThrow('enough')
    expect(timer.asked).toEqual([5000])
    expect(client.lookups).toEqual(['new.test'])
    expect(client.logged).toEqual([])
  })

  it('retries once, after a second', async () => {
    const { port, received } = await serveHttp(html(404))
    const client = createTestClient({ port })
    const failure = await failureOf(client.sync())
    expect(failure).toMatchObject({
      status: 400,
      message: 'The bridge endpoint at http://bridge.test/api/bridge is unavailable.',
    })
    expect(client.waits).toEqual([1000])
    expect(received).toHaveLength(2)
  })
})
