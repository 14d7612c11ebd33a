import { readFileSync } from 'node:fs'
import { connect, Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createCertificate } from '../fixtures/certificate.ts'
import { createManualTimer, failureOf, publicAddress } from '../fixtures/client.ts'
import { findClosedPort, json, serveHttp, serveRaw } from '../fixtures/server.ts'
import { createOutbound, type OutboundOptions } from './outbound.ts'

interface Row {
  readonly url: string
  readonly code: string | null
}

const rows: readonly Row[] = JSON.parse(readFileSync(new URL('../fixtures/addresses.json', import.meta.url), 'utf8'))
const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' }

/** Creates a sender whose names are all public and whose connections all lead to one loopback port. */
function createTestOutbound(options: OutboundOptions & { readonly port?: number } = {}) {
  const { port = 0, ...rest } = options
  const connections: string[] = []
  const outbound = createOutbound({
    allow: [],
    lookup: async () => [publicAddress],
    connect(target) {
      connections.push(`${target.address}:${target.port}`)
      return connect(port, '127.0.0.1')
    },
    ...rest,
  })
  return { ...outbound, connections }
}

describe('an outbound request', () => {
  it('carries method, path, headers and body, and returns any status with its text', async () => {
    const { port, received } = await serveHttp(json(418, { why: 'teapot' }))
    const outbound = createTestOutbound({ port })
    const reply = await outbound.send({ ...post, url: 'http://hooks.test/in/box?x=1' })
    expect(reply).toEqual({ status: 418, text: '{"why":"teapot"}' })
    expect(received).toMatchObject([{ method: 'POST', url: '/in/box?x=1', body: '{"a":1}' }])
    expect(received[0]?.headers).toMatchObject({ host: 'hooks.test', 'content-length': '7' })
    expect(outbound.connections).toEqual([`${publicAddress}:80`])
  })

  it.each(rows.filter(({ code }) => code !== null))('is refused with $code to $url', async ({ url, code }) => {
    const outbound = createTestOutbound()
    expect(await failureOf(outbound.send({ ...post, url }))).toMatchObject({
      name: 'OutboundError',
      code,
      isRefused: true,
    })
    expect(outbound.connections).toEqual([])
  })

  it('is refused when one address of the name is blocked, and its message does not hold the address', async () => {
    const outbound = createTestOutbound({ lookup: async () => [publicAddress, '10.1.2.3'] })
    const failure = await failureOf(outbound.send({ ...post, url: 'http://hooks.test/' }))
    expect(failure).toMatchObject({ code: 'PRIVATE_IP', isRefused: true })
    expect(failure.message).not.toContain('10.1.2.3')
    expect(outbound.connections).toEqual([])
  })

  it('reaches loopback only where an allow list opens it, and never by its name', async () => {
    const { port } = await serveHttp(json(200, {}))
    const open = createOutbound({ allow: ['127.0.0.0/8'] })
    expect(await open.send({ ...post, url: `http://127.0.0.1:${port}/` })).toMatchObject({ status: 200 })
    const named = await failureOf(open.send({ ...post, url: `http://localhost:${port}/` }))
    expect(named['code']).toBe('BLOCKED_HOSTNAME')
    const closed = await failureOf(createOutbound({ allow: [] }).send({ ...post, url: `http://127.0.0.1:${port}/` }))
    expect(closed['code']).toBe('PRIVATE_IP')
  })

  it('does not follow a redirect', async () => {
    const { port, received } = await serveHttp(json(307, {}, { location: 'http://other.test/' }))
    const reply = await createTestOutbound({ port }).send({ ...post, url: 'http://hooks.test/' })
    expect(reply).toEqual({ status: 307, text: '' })
    expect(received).toHaveLength(1)
  })

  it('checks certificates', async () => {
    const { cert, key } = createCertificate('hooks.test')
    const { port, received } = await serveHttp(json(200, {}), { cert, key })
    const failure = await failureOf(createTestOutbound({ port }).send({ ...post, url: 'https://hooks.test/' }))
    expect(failure).toMatchObject({ code: 'SelfSignedCertificate', isRefused: false })
    expect(received).toEqual([])
  })

  it('ends when its time is up', async () => {
    const timer = createManualTimer()
    const { port } = await serveRaw((socket) => socket.on('data', () => timer.fire()))
    const outbound = createTestOutbound({ port, timeoutMs: 1234, startTimer: timer.startTimer })
    const failure = await failureOf(outbound.send({ ...post, url: 'http://hooks.test/' }))
    expect(failure['code']).toBe('BridgeRequestTimeout')
    expect(timer.asked).toEqual([1234])
  })

  it('ends when its signal aborts, with the reason', async () => {
    const controller = new AbortController()
    const { port } = await serveRaw(() => controller.abort(new Error('stop')))
    const call = createTestOutbound({ port }).send({ ...post, url: 'http://hooks.test/' }, controller.signal)
    await expect(call).rejects.toThrow('stop')
  })

  it('does not read more than the limit', async () => {
    const { port } = await serveHttp((_request, response) => response.end('x'.repeat(2000)))
    const outbound = createTestOutbound({ port, maxAnswerBytes: 1000 })
    expect((await failureOf(outbound.send({ ...post, url: 'http://hooks.test/' })))['code']).toBe('ResponseReadError')
  })

  it('to a closed port fails with its code', async () => {
    const port = await findClosedPort()
    const failure = await failureOf(createTestOutbound({ port }).send({ ...post, url: 'http://hooks.test/' }))
    expect(failure).toMatchObject({ code: 'ECONNREFUSED', isRefused: false })
  })

  it('with a header that cannot be written fails with a code, and nothing is sent', async () => {
    const { port, received } = await serveHttp(json(200, {}))
    const outbound = createTestOutbound({ port })
    const call = outbound.send({ ...post, url: 'http://hooks.test/', headers: { 'x-a': 'b\r\nx-c: d' } })
    expect(await failureOf(call)).toMatchObject({ name: 'OutboundError', code: 'RequestCacheError' })
    expect(received).toEqual([])
  })
})

describe('the addresses of a host', () => {
  it.each([
    ['mail.test', [publicAddress]],
    ['8.8.8.8', ['8.8.8.8']],
    ['2606:4700::1', ['2606:4700::1']],
  ])('of %s are those that were checked', async (host, addresses) => {
    expect(await createTestOutbound({ connect: () => new Socket() }).resolveHost(host)).toEqual(addresses)
  })

  it.each([
    ['localhost', 'BLOCKED_HOSTNAME'],
    ['127.0.0.1', 'PRIVATE_IP'],
    ['::1', 'PRIVATE_IP'],
    ['0x7f.1', 'PRIVATE_IP'],
    ['mail.test/x', 'INVALID_URL'],
    ['user@mail.test', 'INVALID_URL'],
    ['mail.test:25', 'INVALID_URL'],
    ['', 'INVALID_URL'],
  ])('of "%s" are refused with %s', async (host, code) => {
    expect((await failureOf(createTestOutbound().resolveHost(host)))['code']).toBe(code)
  })

  it('of a name nobody knows are refused', async () => {
    const lookup = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    expect((await failureOf(createTestOutbound({ lookup }).resolveHost('mail.test')))['code']).toBe('DNS_LOOKUP_FAILED')
  })
})
