import { createHmac } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { createTestClient, failingSocket, failureOf, secretKey } from '../../fixtures/client.ts'
import { html, json, type Received, serveHttp } from '../../fixtures/server.ts'
import { createBridgeClient } from '../index.ts'

const stepReply = { outputs: { body: 'hi' }, providers: {}, options: { skip: false }, metadata: { status: 'success' } }

function isSignedOver(request: Received | undefined, text: string): boolean {
  const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request?.headers['service-signature'])) ?? []
  return mac === createHmac('sha256', secretKey).update(`${time}.${text}`).digest('hex')
}

describe('a call', () => {
  it.each(['execute', 'preview'] as const)('of %s is a POST signed over the exact text it sends', async (action) => {
    const { port, received } = await serveHttp(json(200, stepReply))
    const client = createTestClient({ port, nowMs: () => 1_700_000_000_000 })
    const event = { payload: { name: 'Zoë "x" \u2028 \ud800' }, controls: { a: -0, b: 1e21 } }
    await expect(client[action]({ workflowId: 'a b&c', stepId: 's/1', event })).resolves.toEqual(stepReply)
    const [request] = received
    expect(request).toMatchObject({ method: 'POST', body: JSON.stringify(event) })
    const query = new URL(`http://x${request?.url}`).searchParams
    expect(Object.fromEntries(query)).toEqual({ action, workflowId: 'a b&c', stepId: 's/1' })
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', host: 'bridge.test' })
    expect(request?.headers['service-signature']).toMatch(/^t=1700000000000,v1=[0-9a-f]{64}$/)
    expect(isSignedOver(request, request?.body ?? '')).toBe(true)
  })

  it('of next is an execute without a step, for any query in the bridge URL', async () => {
    const { port, received } = await serveHttp(json(200, { done: true }))
    const client = createTestClient({ port, bridgeUrl: 'http://bridge.test/b?stepId=mail' })
    const event = { runId: 'r', taken: [{ stepId: 'wait' }], stepControls: {}, wait: 1000, describe: ['wait'] }
    await expect(client.next({ workflowId: 'w', event })).resolves.toEqual({ done: true })
    expect(received).toMatchObject([{ method: 'POST', body: JSON.stringify({ ...event, next: true }) }])
    expect(received[0]?.url).toBe('/b?workflowId=w&action=execute')
    expect(isSignedOver(received[0], received[0]?.body ?? '')).toBe(true)
  })

  it('of next is retried like a step', async () => {
    const { port } = await serveHttp(html(502))
    const client = createTestClient({ port })
    const failure = await failureOf(client.next({ workflowId: 'w', event: {} }))
    expect([failure.code, client.waits]).toEqual(['BridgeEndpointNotFound', [1000, 2000, 4000]])
  })

  it('of discover is a GET without a body, signed over {}', async () => {
    const reply = { workflows: [], agents: [] }
    const { port, received } = await serveHttp(json(200, reply))
    await expect(createTestClient({ port }).discover()).resolves.toEqual(reply)
    expect(received).toMatchObject([{ method: 'GET', url: '/api/bridge?action=discover', body: '' }])
    expect(isSignedOver(received[0], '{}')).toBe(true)
  })

  it('of health-check is the only one without a signature', async () => {
    const { port, received } = await serveHttp(json(200, { status: 'ok' }))
    await expect(createTestClient({ port }).healthCheck()).resolves.toEqual({ status: 'ok' })
    expect(received).toMatchObject([{ method: 'GET', url: '/api/bridge?action=health-check' }])
    expect(received[0]?.headers).not.toHaveProperty('service-signature')
  })

  it('of agent-event names the agent and the event', async () => {
    const { port, received } = await serveHttp(json(200, { status: 'ack' }))
    const body = { text: 'hello' }
    await createTestClient({ port }).agentEvent({ agentId: 'helper', event: 'message', body })
    expect(received).toMatchObject([{ method: 'POST', body: JSON.stringify(body) }])
    expect(received[0]?.url).toBe('/api/bridge?agentId=helper&event=message&action=agent-event')
    expect(isSignedOver(received[0], JSON.stringify(body))).toBe(true)
  })

  it('keeps the query of the bridge URL, but never its action', async () => {
    const { port, received } = await serveHttp(json(200, { workflows: [] }))
    await createTestClient({ port, bridgeUrl: 'http://bridge.test/b?tenant=7&action=x#f' }).discover()
    expect(received[0]?.url).toBe('/b?tenant=7&action=discover')
  })

  it('carries its signature in both headers, or in the one that the option or the variable names', async () => {
    const { port, received } = await serveHttp(json(200, { workflows: [] }))
    await createTestClient({ port }).discover()
    await createTestClient({ port, signatureHeader: 'x-sig' }).discover()
    vi.stubEnv('SERVICE_BRIDGE_SIGNATURE_HEADER', 'X-Env')
    await createTestClient({ port }).discover()
    vi.stubEnv('SERVICE_BRIDGE_SIGNATURE_HEADER', 'host')
    expect(() => createTestClient({ port })).toThrow('SERVICE_BRIDGE_SIGNATURE_HEADER must be a header name')
    vi.unstubAllEnvs()
    const names = ['service-signature', 'novu-signature', 'x-sig', 'x-env']
    const carried = received.map(({ headers }) =>
      names.filter((name) => /^t=\d+,v1=[0-9a-f]{64}$/.test(String(headers[name]))),
    )
    expect(carried).toEqual([['service-signature', 'novu-signature'], ['x-sig'], ['x-env']])
    expect(received[0]?.headers['novu-signature']).toBe(received[0]?.headers['service-signature'])
  })

  it('has a new signature for each attempt, over the same text', async () => {
    const { port, received } = await serveHttp((request, response, raw) =>
      (received.length < 3 ? html(502) : json(200, stepReply))(request, response, raw),
    )
    const event = { payload: { n: 1 } }
    let now = 1000
    const sleep = async () => {
      event.payload.n++
    }
    const client = createTestClient({ port, sleep, nowMs: () => now++ })
    await client.execute({ workflowId: 'w', stepId: 's', event })
    expect(received.map(({ headers }) => String(headers['service-signature']).slice(0, 6))).toEqual([
      't=1000',
      't=1001',
      't=1002',
    ])
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    for (const request of received) expect(isSignedOver(request, request.body)).toBe(true)
  })

  it('rejects with the abort reason, even during a delay', async () => {
    const controller = new AbortController()
    const { port } = await serveHttp(() => controller.abort(new Error('enough')))
    const client = createTestClient({ port })
    await expect(client.discover({ signal: controller.signal })).rejects.toThrow('enough')
    expect(client.logged).toEqual([])
    await expect(client.discover({ signal: controller.signal })).rejects.toThrow('enough')
    expect(client.connections).toHaveLength(1)
    const waiting = new AbortController()
    const logger = { warn: () => setImmediate(() => waiting.abort(new Error('while waiting'))) }
    const bridgeUrl = 'http://bridge.test/'
    const lookup = async () => ['8.8.8.8']
    const connect = () => failingSocket('ECONNREFUSED')
    const real = createBridgeClient({ secretKey, bridgeUrl, environmentName: 'Production', logger, lookup, connect })
    await expect(real.discover({ signal: waiting.signal })).rejects.toThrow('while waiting')
  })
})

describe('a client', () => {
  it.each([[undefined], [null], ['']])('without a bridge URL (%s) gives InvalidBridgeUrl', async (bridgeUrl) => {
    const client = createTestClient({ bridgeUrl })
    const failure = await failureOf(client.execute({ workflowId: 'w', stepId: 's', event: {} }))
    expect(failure).toMatchObject({ code: 'InvalidBridgeUrl', status: 400, message: 'Invalid bridge URL: (none)' })
    expect(client.waits).toEqual([])
  })

  it.each([
    ['connect returns something else', { connect: () => ({}) as never }],
    ['the resolver answers something else', { lookup: async () => [{ split: 1, toString: () => '8.8.8.8' }] as never }],
  ])('whose own dependency fails (%s) gives UnknownBridgeNonRequestError', async (_what, options) => {
    const failure = await failureOf(createTestClient(options).discover())
    expect(failure).toMatchObject({
      code: 'UnknownBridgeNonRequestError',
      status: 500,
      cause: { error: expect.any(Error) },
    })
  })

  it.each([
    ['the objects of dns.lookup', [{ address: '8.8.8.8', family: 4 }]],
    ['a text', '8.8.8.8'],
    ['nothing', undefined],
    ['a list in a list', [['8.8.8.8']]],
    ['a list with holes', [undefined, '8.8.8.8']],
    ['a set', new Set(['8.8.8.8'])],
  ])('reports a lookup that returns %s, and does not retry', async (_what, lookupResult) => {
    const client = createTestClient({ lookup: async () => lookupResult as never })
    const failure = await failureOf(client.discover())
    expect(failure).toMatchObject({ code: 'UnknownBridgeNonRequestError' })
    expect(failure.cause).toMatchObject({ error: { message: expect.stringContaining('option lookup') } })
    expect(client.waits).toEqual([])
    expect(client.connections).toEqual([])
  })

  it('reports an unreadable error from lookup or connect with the code of the phase', async () => {
    const wrong = new Proxy(new Error('trap'), {
      get() {
        throw new Error('read')
      },
    })
    const lookup = await failureOf(createTestClient({ lookup: () => Promise.reject(wrong) }).discover())
    expect(lookup.code).toBe('EAI_AGAIN')
    const connect = (): never => {
      throw wrong
    }
    expect((await failureOf(createTestClient({ connect }).discover())).cause).toMatchObject({
      reason: expect.stringContaining('"connect"'),
    })
  })

  it('tries an address once, even if the lookup returns it twice', async () => {
    const many = Array.from({ length: 40 }, (_none, index) => (index < 30 ? '8.8.8.8' : '8.8.4.4'))
    const client = createTestClient({ lookup: async () => many, fails: 'ECONNREFUSED', sleep: async () => {} })
    expect((await failureOf(client.healthCheck())).code).toBe('ECONNREFUSED')
    expect(client.connections).toEqual(['8.8.8.8:80', '8.8.4.4:80', '8.8.8.8:80', '8.8.4.4:80'])
  })

  it('requires a secret', () => {
    expect(() => createTestClient({ secretKey: '' })).toThrow(TypeError)
  })

  it('reveals no secret, query or user info in errors and logs', async () => {
    const bridgeUrl = 'http://bridge.test/b?token=hidden-token'
    const client = createTestClient({ bridgeUrl, fails: 'ECONNREFUSED' })
    const failure = await failureOf(client.discover())
    expect(failure.message).toBe('The bridge endpoint at http://bridge.test/b is unavailable.')
    const output = JSON.stringify([client.logged, failure, failure.cause])
    expect(output).toContain('http://bridge.test/b')
    expect(output).not.toMatch(/hidden-token|test-secret-key|v1=/)
  })
})
