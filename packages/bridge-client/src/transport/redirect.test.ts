import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTestClient, failureOf, type TestClientOptions } from '../../fixtures/client.ts'
import { json, type Received, serveHttp, serveRaw } from '../../fixtures/server.ts'

const policyMessage = 'The bridge URL is blocked by the outbound SSRF policy.'
const reply = { outputs: {} }

/** A server that redirects according to its table, and responds to all other requests. */
async function serveRedirects(table: Readonly<Record<string, readonly [number, string]>>) {
  return await serveHttp((request, response, raw) => {
    const row = table[`${request.headers.host}${request.url.split('?')[0]}`]
    if (row === undefined) json(200, reply)(request, response, raw)
    else response.writeHead(row[0], { location: row[1] }).end('moved')
  })
}

async function executeOver(
  table: Readonly<Record<string, readonly [number, string]>>,
  options: TestClientOptions = {},
) {
  const { port, received } = await serveRedirects(table)
  const client = createTestClient({ port, bridgeUrl: 'http://bridge.test/a', ...options })
  const result = await client.execute({ workflowId: 'w', stepId: 's', event: { payload: {} } }).then(
    (value) => ({ value }),
    (error: Record<string, unknown>) => ({ error }),
  )
  return { result, received, client }
}

const isSigned = (request: Received | undefined): boolean =>
  ['service-signature', 'novu-signature'].some((name) => request?.headers[name] !== undefined)

/** Follows one redirect whose `location` is these bytes, and returns the requested URL. */
async function follow(location: Buffer): Promise<string | undefined> {
  const urls: string[] = []
  const { port } = await serveRaw((socket) =>
    socket.once('data', (request) => {
      urls.push(String(request).split(' ')[1] ?? '')
      if (urls.length > 1) socket.end('HTTP/1.1 200 OK\r\ncontent-length: 14\r\n\r\n{"outputs":{}}')
      else {
        socket.write('HTTP/1.1 302 Found\r\nlocation: ')
        socket.write(location)
        socket.end('\r\ncontent-length: 0\r\n\r\n')
      }
    }),
  )
  await createTestClient({ port }).execute({ workflowId: 'w', stepId: 's', event: {} })
  return urls[1]
}

describe('a location', () => {
  it.each([
    ['/brücke', '/br%C3%BCcke'],
    ['/橋?q=é&r=€#x', '/%E6%A9%8B?q=%C3%A9&r=%E2%82%AC'],
    ['/a/😀/../b', '/a/b'],
    ['/br%C3%BCcke', '/br%C3%BCcke'],
    ['?ü', '/api/bridge?%C3%BC'],
    ['http://bridge.test/é', '/%C3%A9'],
  ])('in UTF-8 is encoded once: %s', async (location, path) => {
    expect(await follow(Buffer.from(location))).toBe(path)
  })

  it('that is not UTF-8 keeps its bytes', async () => {
    expect(await follow(Buffer.from('/br\xfccke', 'latin1'))).toBe('/br%FCcke')
  })

  it('keeps every text that a URL can contain', async () => {
    const path = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((text) => text.replaceAll(/[\s\p{C}%?#\\/.]/gu, ''))
    await fc.assert(
      fc.asyncProperty(path, async (text) => {
        const requestedPath = await follow(Buffer.from(`/x${text}`))
        expect(requestedPath).toBe(new URL(`/x${text}`, 'http://bridge.test').pathname)
      }),
      { numRuns: 60 },
    )
  })

  it('with a host in UTF-8 leads to that host', async () => {
    const client = createTestClient({
      bridgeUrl: 'http://bridge.test/',
      port: (
        await serveRaw((socket) =>
          socket.once('data', () => socket.end(Buffer.from('HTTP/1.1 302 F\r\nlocation: http://bücher.test/\r\n\r\n'))),
        )
      ).port,
    })
    await failureOf(client.discover())
    expect(client.lookups).toContain('xn--bcher-kva.test')
  })

  it.each(['http://169.254.169.254/', 'http://①②⑦.0.0.1/', 'http://localhost/'])(
    '%s in UTF-8 is checked like any other',
    async (location) => {
      const { port } = await serveRaw((socket) =>
        socket.once('data', () => socket.end(Buffer.from(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\n\r\n`))),
      )
      const client = createTestClient({ port })
      expect((await failureOf(client.discover())).code).toMatch(/PRIVATE_IP|BLOCKED_HOSTNAME/)
      expect(client.connections).toHaveLength(1)
    },
  )
})

describe('a redirect', () => {
  it.each([301, 302, 303])(
    '%i on the same host becomes a GET without a body, with a new signature over {}',
    async (status) => {
      const { result, received } = await executeOver({ 'bridge.test/a': [status, '/b?x=1'] })
      expect(result).toEqual({ value: reply })
      expect(received).toMatchObject([{ method: 'POST' }, { method: 'GET', url: '/b?x=1', body: '' }])
      expect(isSigned(received[1])).toBe(true)
      expect(received[1]?.headers['service-signature']).not.toBe(received[0]?.headers['service-signature'])
      expect(received[1]?.headers).not.toHaveProperty('content-type')
    },
  )

  it.each([
    ['another host', 'http://other.test/b'],
    ['another port', 'http://bridge.test:8080/b'],
    ['a subdomain', 'http://a.bridge.test/b'],
  ])('to %s is followed without a signature', async (_what, location) => {
    const { result, received } = await executeOver({ 'bridge.test/a': [302, location] })
    expect(result).toEqual({ value: reply })
    expect(received[1]).toMatchObject({ method: 'GET', url: '/b' })
    expect(isSigned(received[1])).toBe(false)
  })

  it('back to the original host remains unsigned', async () => {
    const { received } = await executeOver({
      'bridge.test/a': [302, 'http://other.test/b'],
      'other.test/b': [302, 'http://bridge.test/c'],
    })
    expect(received.map(isSigned)).toEqual([true, false, false])
    const within = await executeOver({ 'bridge.test/a': [302, 'http://other.test/b'], 'other.test/b': [302, '/c'] })
    expect(within.received.map(isSigned)).toEqual([true, false, false])
  })

  it.each([307, 308])('%i on the same host keeps method, body and signature', async (status) => {
    const { result, received } = await executeOver({ 'bridge.test/a': [status, '/b'] })
    expect(result).toEqual({ value: reply })
    expect(received).toMatchObject([{ method: 'POST' }, { method: 'POST', url: '/b', body: '{"payload":{}}' }])
    expect(isSigned(received[1])).toBe(true)
  })

  it.each([
    [307, 'http://other.test/b'],
    [308, 'http://other.test/b'],
    [307, 'http://bridge.test:8080/b'],
    [308, 'https://other.test/a'],
    [307, 'http://10.0.0.1/b'],
  ])('%i to %s is rejected', async (status, location) => {
    const { result, received, client } = await executeOver({ 'bridge.test/a': [status, location] })
    const code = 'CROSS_ORIGIN_METHOD_PRESERVING_REDIRECT'
    expect(result).toMatchObject({ error: { code, status: 400, message: policyMessage } })
    expect(received).toHaveLength(1)
    expect(client.connections).toHaveLength(1)
    expect(client.waits).toEqual([])
  })

  it('of a GET by 307 to another host is rejected too', async () => {
    const { port } = await serveRedirects({ 'bridge.test/a': [307, 'http://other.test/'] })
    const client = createTestClient({ port, bridgeUrl: 'http://bridge.test/a' })
    expect((await failureOf(client.discover())).code).toBe('CROSS_ORIGIN_METHOD_PRESERVING_REDIRECT')
  })

  it.each([
    ['ftp://bridge.test/', 'UNSUPPORTED_SCHEME'],
    ['http://user@bridge.test/', 'CREDENTIALS_IN_URL'],
    ['http://localhost/', 'BLOCKED_HOSTNAME'],
    ['http://metadata.google.internal./', 'BLOCKED_HOSTNAME'],
    ['http://169.254.169.254/', 'PRIVATE_IP'],
    ['http://[::ffff:127.0.0.1]/', 'PRIVATE_IP'],
    ['//127.1/', 'PRIVATE_IP'],
    ['http://[::1', 'INVALID_URL'],
    ['http://bridge.test:0/', 'INVALID_URL'],
    ['http://unknown.test/', 'DNS_LOOKUP_FAILED'],
  ])('to %s is checked by the policy: %s', async (location, code) => {
    const unknown = Object.assign(new Error('no'), { code: 'ENOTFOUND' })
    const lookup = async (host: string) => (host === 'unknown.test' ? Promise.reject(unknown) : ['8.8.8.8'])
    const { result, client } = await executeOver({ 'bridge.test/a': [302, location] }, { lookup })
    expect(result).toMatchObject({ error: { code, status: 400, message: policyMessage } })
    expect(client.connections).toEqual(['8.8.8.8:80'])
    expect(client.waits).toEqual([])
  })

  it('is followed three times, and the fourth gives MaximumRedirectsExceeded', async () => {
    const chain = { 'bridge.test/a': [302, '/b'], 'bridge.test/b': [302, '/c'], 'bridge.test/c': [302, '/d'] } as const
    expect((await executeOver(chain)).result).toEqual({ value: reply })
    const { result, received, client } = await executeOver({ ...chain, 'bridge.test/d': [302, '/e'] })
    expect(result).toMatchObject({
      error: {
        code: 'MaximumRedirectsExceeded',
        status: 400,
        message: 'The bridge at http://bridge.test/a redirected too many times.',
      },
    })
    expect(received).toHaveLength(4)
    expect(client.waits).toEqual([])
  })

  it('loop ends with MaximumRedirectsExceeded', async () => {
    const { result } = await executeOver({ 'bridge.test/a': [307, '/a'] })
    expect(result).toMatchObject({ error: { code: 'MaximumRedirectsExceeded' } })
  })

  it('without a location is treated as a normal response', async () => {
    const { port } = await serveHttp((_request, response) => response.writeHead(302).end())
    const client = createTestClient({ port })
    expect((await failureOf(client.discover())).code).toBe('UnknownBridgeRequestError')
  })
})

describe('between http and https', () => {
  // Certificates are covered by other tests; the Development environment does not verify them.
  it('treats http to https as the same host, and https to http as a different one', async () => {
    const { createCertificate } = await import('../../fixtures/certificate.ts')
    const own = createCertificate('bridge.test')
    const { connect } = await import('node:net')
    const seen: string[] = []
    const plain = await serveHttp((request, response, raw) => {
      seen.push(`http ${request.url} ${isSigned(request)}`)
      if (request.url.startsWith('/up')) response.writeHead(308, { location: 'https://bridge.test/top' }).end()
      else json(200, reply)(request, response, raw)
    })
    const secure = await serveHttp(
      (request, response, raw) => {
        seen.push(`https ${request.url} ${isSigned(request)}`)
        if (request.url.startsWith('/down')) response.writeHead(302, { location: 'http://bridge.test/bottom' }).end()
        else if (request.url.startsWith('/keep')) response.writeHead(308, { location: 'http://bridge.test/x' }).end()
        else json(200, reply)(request, response, raw)
      },
      { cert: own.cert, key: own.key },
    )
    const call = (bridgeUrl: string) =>
      createTestClient({
        bridgeUrl,
        environmentName: 'Development',
        connect: ({ port }) => connect(port === 443 ? secure.port : plain.port, '127.0.0.1'),
      }).execute({ workflowId: 'w', stepId: 's', event: {} })
    await call('http://bridge.test/up')
    await call('https://bridge.test/down')
    expect((await failureOf(call('https://bridge.test/keep'))).code).toBe('CROSS_ORIGIN_METHOD_PRESERVING_REDIRECT')
    expect(seen.map((line) => line.replace(/\?\S*/, ''))).toEqual([
      'http /up true',
      'https /top true',
      'https /down true',
      'http /bottom false',
      'https /keep true',
    ])
  })
})
