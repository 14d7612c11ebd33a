import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createTestClient, failureOf, publicAddress, type TestClientOptions } from '../../fixtures/client.ts'
import { json, serveHttp } from '../../fixtures/server.ts'

interface Row {
  readonly url: string
  readonly code: string | null
  readonly why: string
}

const rows: readonly Row[] = JSON.parse(readFileSync(new URL('../../fixtures/addresses.json', import.meta.url), 'utf8'))
const policyMessage = 'The bridge URL is blocked by the outbound SSRF policy.'

describe('the outbound policy', () => {
  it('is tested with at least 200 addresses and URLs', () => {
    expect(rows.length).toBeGreaterThanOrEqual(200)
  })

  it.each(rows)('gives $code for $url ($why)', async ({ url, code }) => {
    const client = createTestClient({ bridgeUrl: url, fails: 'ECONNREFUSED' })
    const failure = await failureOf(client.discover())
    expect(failure.code).toBe(code ?? 'ECONNREFUSED')
    if (code === null) expect(client.connections).toHaveLength(2)
    else {
      expect(failure).toMatchObject({ status: 400, message: policyMessage, data: null })
      expect(client.connections).toEqual([])
      expect(client.waits).toEqual([])
    }
  })

  const resolved = rows.filter(
    ({ url, code }) => code !== 'INVALID_URL' && /^https?:\/\/(?:\[[0-9a-f:.]+\]|[0-9.]+)\/$/.test(url),
  )
  it.each(resolved)('gives the same result for $url if a name resolves to that address', async ({ url, code }) => {
    const address = new URL(url).hostname.replace(/^\[|\]$/g, '')
    const client = createTestClient({ lookup: async () => [address], fails: 'ECONNREFUSED' })
    expect((await failureOf(client.discover())).code).toBe(code ?? 'ECONNREFUSED')
    expect(client.connections).toHaveLength(code === null ? 2 : 0)
  })

  it.each([
    ['the last of several', [publicAddress, '8.8.8.8', '10.0.0.1']],
    ['the first of several', ['::1', publicAddress]],
    ['a zone id', ['fe80::1%eth0']],
  ])('rejects a name with one blocked address: %s', async (_why, addresses) => {
    const client = createTestClient({ lookup: async () => addresses })
    expect((await failureOf(client.discover())).code).toBe('PRIVATE_IP')
    expect(client.connections).toEqual([])
  })

  it('keeps the resolved address in the cause and the log, not in the message', async () => {
    const client = createTestClient({ lookup: async () => ['10.1.2.3'] })
    const failure = await failureOf(client.discover())
    expect(failure.message).toBe(policyMessage)
    expect(failure.cause).toMatchObject({
      address: '10.1.2.3',
      fix: expect.stringContaining('SERVICE_SAFE_OUTBOUND_ALLOW'),
    })
    expect(client.logged).toMatchObject([{ code: 'PRIVATE_IP', address: '10.1.2.3', attempt: 1 }])
  })

  it.each([['not-an-address'], ['bridge.internal'], ['127.0.0.1:80'], ['']])(
    'gives SSRF_BLOCKED when the resolver returns "%s"',
    async (answer) => {
      const client = createTestClient({ lookup: async () => [answer] })
      const failure = await failureOf(client.discover())
      expect(failure).toMatchObject({ code: 'SSRF_BLOCKED', status: 400, message: policyMessage })
      expect(client.connections).toEqual([])
    },
  )

  it.each([['ENOTFOUND'], ['ENODATA'], ['none']])('gives DNS_LOOKUP_FAILED for the final result %s', async (code) => {
    const lookup = async () => (code === 'none' ? [] : Promise.reject(Object.assign(new Error(code), { code })))
    const client = createTestClient({ lookup })
    const failure = await failureOf(client.execute({ workflowId: 'w', stepId: 's', event: {} }))
    expect(failure).toMatchObject({ code: 'DNS_LOOKUP_FAILED', status: 400, message: policyMessage })
    expect(client.waits).toEqual([])
  })
})

describe('the address that was checked', () => {
  it('is connected to directly, without another lookup of the name', async () => {
    const { port } = await serveHttp(json(200, { workflows: [], agents: [] }))
    const client = createTestClient({ port })
    await client.discover()
    expect(client.connections).toEqual([`${publicAddress}:80`])
    expect(client.lookups).toEqual(['bridge.test'])
  })

  it('is checked again for each attempt, so that DNS rebinding has no effect', async () => {
    const answers = [[publicAddress], ['127.0.0.1'], [publicAddress]]
    const client = createTestClient({ lookup: async () => answers.shift() ?? [], fails: 'ECONNREFUSED' })
    const failure = await failureOf(client.execute({ workflowId: 'w', stepId: 's', event: {} }))
    expect(failure.code).toBe('PRIVATE_IP')
    expect(client.connections).toEqual([`${publicAddress}:80`])
    expect(client.waits).toEqual([1000])
  })

  it('is checked again for each redirect', async () => {
    const { port } = await serveHttp((_request, response) => response.writeHead(302, { location: '/next' }).end())
    const answers = [[publicAddress], ['169.254.169.254']]
    const client = createTestClient({ port, lookup: async () => answers.shift() ?? [] })
    expect((await failureOf(client.discover())).code).toBe('PRIVATE_IP')
    expect(client.connections).toEqual([`${publicAddress}:80`])
  })

  it('is tried in turn with the others of its name, alternating between families', async () => {
    const lookup = async () => ['2606:4700::1', '2606:4700::2', '2606:4700::3', '8.8.4.4', '8.8.8.8']
    const client = createTestClient({ lookup, fails: 'ENETUNREACH' })
    expect((await failureOf(client.discover())).code).toBe('ENETUNREACH')
    const order = ['8.8.4.4:80', '2606:4700::1:80', '8.8.8.8:80', '2606:4700::2:80', '2606:4700::3:80']
    expect(client.connections).toEqual([...order, ...order])
  })
})

describe('an allow list', () => {
  const reach = async (options: TestClientOptions): Promise<unknown> =>
    (await failureOf(createTestClient({ fails: 'ECONNREFUSED', ...options }).discover())).code

  it.each([
    ['http://10.1.2.3/', '10.0.0.0/8'],
    ['http://127.0.0.1:4000/', '127.0.0.0/8'],
    ['http://[::ffff:10.1.2.3]/', '10.0.0.0/8'],
    ['http://[fd00::1]/', 'fd00::/8'],
    ['http://192.168.1.7/', '192.168.1.7'],
    ['http://[::1]/', '::1'],
  ])('allows %s by %s', async (bridgeUrl, range) => {
    expect(await reach({ bridgeUrl, allow: [range] })).toBe('ECONNREFUSED')
  })

  it.each([
    ['http://10.1.2.3/', '10.1.2.0/25,172.16.0.0/12', 'ECONNREFUSED'],
    ['http://10.1.2.128/', '10.1.2.0/25', 'PRIVATE_IP'],
    ['http://10.1.2.3/', '::/0', 'PRIVATE_IP'],
    ['http://[fd00::1]/', '0.0.0.0/0', 'PRIVATE_IP'],
    ['http://169.254.169.254/', '0.0.0.0/0 ::/0', 'PRIVATE_IP'],
    ['http://169.254.0.0/', '169.254.0.0/16', 'PRIVATE_IP'],
    ['http://[::ffff:169.254.169.254]/', '0.0.0.0/0,::/0', 'PRIVATE_IP'],
    ['http://[::169.254.169.254]/', '::/0', 'PRIVATE_IP'],
    ['http://[64:ff9b::169.254.169.254]/', '::/0', 'PRIVATE_IP'],
    ['http://[64:ff9b:1:a9fe:a9:fe00::]/', '::/0', 'PRIVATE_IP'],
    ['http://[2002:a9fe:a9fe::1]/', '::/0', 'PRIVATE_IP'],
    ['http://[::ffff:0:169.254.169.254]/', '::/0', 'PRIVATE_IP'],
    ['http://[fe80::1]/', 'fe80::/10', 'PRIVATE_IP'],
    ['http://localhost/', '127.0.0.0/8 ::1', 'BLOCKED_HOSTNAME'],
    ['http://metadata.google.internal/', '0.0.0.0/0', 'BLOCKED_HOSTNAME'],
  ])('evaluates %s with %s as %s', async (bridgeUrl, list, code) => {
    expect(await reach({ bridgeUrl, allow: list.split(/[ ,]/) })).toBe(code)
  })

  it('is read from SERVICE_SAFE_OUTBOUND_ALLOW, including several ranges', async () => {
    process.env['SERVICE_SAFE_OUTBOUND_ALLOW'] = '10.0.0.0/8, fd00::/8\t192.168.0.0/16'
    try {
      for (const host of ['10.0.0.1', '[fd00::1]', '192.168.0.1']) {
        const options: TestClientOptions = { bridgeUrl: `http://${host}/`, fails: 'ECONNREFUSED' }
        expect(await reach({ ...options, allow: undefined as never })).toBe('ECONNREFUSED')
      }
      expect(await reach({ bridgeUrl: 'http://172.16.0.1/', allow: undefined as never })).toBe('PRIVATE_IP')
    } finally {
      delete process.env['SERVICE_SAFE_OUTBOUND_ALLOW']
    }
  })

  it.each([
    ['10.0.0.0/33'],
    ['10.0.0.0/'],
    ['10.0.0.0/8/8'],
    ['bridge.test'],
    ['fe80::1%eth0/10'],
    ['10.0.0/8'],
    ['::/129'],
    ['1.2.3.4/-1'],
  ])('rejects an invalid range at creation: %s', (range) => {
    expect(() => createTestClient({ allow: [range] })).toThrow(/not an address range/)
  })
})

describe('a client with the policy off', () => {
  it('reaches a blocked address', async () => {
    const { port } = await serveHttp(json(200, { workflows: [], agents: [] }))
    const client = createTestClient({ policy: 'off', bridgeUrl: `http://127.0.0.1:${port}/`, port })
    await expect(client.discover()).resolves.toEqual({ workflows: [], agents: [] })
  })

  it('gives UnsupportedProtocol for a different scheme', async () => {
    const client = createTestClient({ policy: 'off', bridgeUrl: 'ftp://user:pass@bridge.test/x?key=1' })
    const failure = await failureOf(client.discover())
    expect(failure).toMatchObject({ code: 'UnsupportedProtocol', status: 400 })
    expect(failure.message).toBe('The bridge URL ftp://bridge.test/x does not start with http:// or https://.')
  })

  it('gives ENOTFOUND for an unknown name', async () => {
    const lookup = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    const client = createTestClient({ policy: 'off', lookup })
    expect((await failureOf(client.discover())).code).toBe('ENOTFOUND')
    expect(client.waits).toEqual([1000])
  })
})
