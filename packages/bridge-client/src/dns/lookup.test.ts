import { pbkdf2 } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createManualTimer, createTestClient, failureOf } from '../../fixtures/client.ts'
import { serveNames } from '../../fixtures/name-server.ts'
import { json, serveHttp } from '../../fixtures/server.ts'
import { createLookup } from './lookup.ts'

const public4 = '93.184.216.34'
const public6 = '2606:4700:0:0:0:0:0:1111'

/** Writes a file that is removed when its test ends. */
function write(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'lookup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'file'), text)
  return join(folder, 'file')
}

const noFile = '/nowhere/at-all'
const bare = { hostsFile: noFile, resolverFile: noFile }

async function codeOf(call: Promise<unknown>): Promise<unknown> {
  return (await failureOf(call))['code']
}

describe('a look-up', () => {
  it('finds the addresses of both families', async () => {
    const { address } = await serveNames((_name, type) => (type === 'A' ? [public4, '8.8.8.8'] : [public6]))
    const addresses = await createLookup({ ...bare, servers: [address] })('bridge.test')
    expect([...addresses].sort()).toEqual([public4, '8.8.8.8', '2606:4700::1111'].sort())
  })

  it.each([
    ['IPv6 is silent', 'silence', [public4]],
    ['IPv6 fails', 'SERVFAIL', [public4]],
    ['IPv6 has none', [], [public4]],
    ['IPv6 is unknown', 'NXDOMAIN', [public4]],
  ] as const)('returns the addresses of one family if %s', async (_what, ipv6, expected) => {
    const { address } = await serveNames((_name, type) => (type === 'A' ? [public4] : ipv6))
    await expect(createLookup({ ...bare, servers: [address] })('bridge.test')).resolves.toEqual(expected)
  })

  it.each([
    ['both are unknown', 'NXDOMAIN', 'NXDOMAIN', 'ENOTFOUND'],
    ['both have none', [], [], 'ENOTFOUND'],
    ['one is unknown, the other fails', 'NXDOMAIN', 'SERVFAIL', 'ESERVFAIL'],
    ['both are refused', 'REFUSED', 'REFUSED', 'EREFUSED'],
  ] as const)('rejects when %s', async (_what, ipv4, ipv6, code) => {
    const { address } = await serveNames((_name, type) => (type === 'A' ? ipv4 : ipv6))
    const lookup = createLookup({ ...bare, servers: [address], serverTimeoutMs: 50 })
    expect(await codeOf(lookup('bridge.test'))).toBe(code)
  })

  it('queries the next name server when one does not respond', async () => {
    const silent = await serveNames(() => 'silence')
    const { address } = await serveNames((_name, type) => (type === 'A' ? [public4] : []))
    const lookup = createLookup({ ...bare, servers: [silent.address, address], serverTimeoutMs: 100 })
    await expect(lookup('bridge.test')).resolves.toEqual([public4])
    expect(silent.asked.length).toBeGreaterThan(0)
  })

  it('reads the hosts file first, ignores case, and reads the file again when it changes', async () => {
    const { address, asked } = await serveNames(() => 'NXDOMAIN')
    const hostsFile = write(
      '# comment\n10.0.0.7 Inside.Test alias.test # more\n::7\tinside.test\r\nnot-an-address bad.test\n',
    )
    const lookup = createLookup({ servers: [address], hostsFile, resolverFile: noFile })
    await expect(lookup('INSIDE.test')).resolves.toEqual(['10.0.0.7', '::7'])
    await expect(lookup('alias.test')).resolves.toEqual(['10.0.0.7'])
    expect(asked).toEqual([])
    expect(await codeOf(lookup('bad.test'))).toBe('ENOTFOUND')
    writeFileSync(hostsFile, '10.0.0.88 inside.test\n')
    await expect(lookup('inside.test')).resolves.toEqual(['10.0.0.88'])
  })

  it('resolves localhost without a hosts file', async () => {
    const { address, asked } = await serveNames(() => 'NXDOMAIN')
    const lookup = createLookup({ ...bare, servers: [address] })
    await expect(lookup('localhost')).resolves.toEqual(['127.0.0.1', '::1'])
    await expect(lookup('a.localhost')).resolves.toEqual(['127.0.0.1', '::1'])
    expect(asked).toEqual([])
  })

  it.each([
    ['search a.test b.test\n', 'app', ['app.a.test', 'app.b.test', 'app']],
    ['search a.test b.test\n', 'app.ns', ['app.ns', 'app.ns.a.test', 'app.ns.b.test']],
    ['search a.test.\noptions timeout:1 ndots:2 rotate\n', 'app.ns', ['app.ns.a.test', 'app.ns']],
    ['domain a.test\nsearch b.test # last one counts\n', 'app', ['app.b.test', 'app']],
    ['options ndots:x\n; search a.test\n', 'app', ['app']],
    [`search ${Array.from({ length: 40 }, (_, index) => `d${index}.test`).join(' ')}`, 'app', 7],
  ])('completes short names as %j says: %s', async (text, host, expected) => {
    const { address, asked } = await serveNames(() => 'NXDOMAIN')
    const lookup = createLookup({ servers: [address], hostsFile: noFile, resolverFile: write(text) })
    expect(await codeOf(lookup(host))).toBe('ENOTFOUND')
    const names = [...new Set(asked.map((question) => question.split(' ')[1]))]
    expect(typeof expected === 'number' ? names.length : names).toEqual(expected)
  })

  it('tries the next name after a temporary failure, and reports it if none is found', async () => {
    const { address } = await serveNames((name) => (name === 'app.a.test' ? 'SERVFAIL' : 'NXDOMAIN'))
    const resolverFile = write('search a.test b.test\n')
    const options = { servers: [address], hostsFile: noFile, resolverFile, serverTimeoutMs: 50 }
    expect(await codeOf(createLookup(options)('app'))).toBe('ESERVFAIL')
  })

  it('rejects with the abort reason, and sends no more queries', async () => {
    const { address, asked } = await serveNames(() => 'silence')
    const lookup = createLookup({ ...bare, servers: [address], serverTimeoutMs: 100 })
    const controller = new AbortController()
    const call = lookup('bridge.test', { signal: controller.signal })
    await expect.poll(() => asked.length).toBeGreaterThan(1)
    controller.abort(new Error('enough'))
    const count = asked.length
    await expect(call).rejects.toThrow('enough')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(asked.length).toBe(count)
    await expect(lookup('bridge.test', { signal: controller.signal })).rejects.toThrow('enough')
    expect(asked.length).toBe(count)
  })
})

describe('a name server that never answers', () => {
  it('gives EAI_AGAIN, and no query is sent after the call has ended', async () => {
    const { address, asked } = await serveNames(() => 'silence')
    const timer = createManualTimer()
    const lookup = createLookup({ ...bare, servers: [address], serverTimeoutMs: 100 })
    const client = createTestClient({ lookup, startTimer: timer.startTimer })
    const call = failureOf(client.discover())
    for (const attempt of [1, 2]) {
      await expect.poll(() => timer.asked.length).toBe(attempt)
      await expect.poll(() => asked.length).toBeGreaterThanOrEqual(2 * attempt)
      timer.fire()
    }
    expect((await call).code).toBe('EAI_AGAIN')
    const count = asked.length
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(asked.length).toBe(count)
  })

  it('configured for one customer does not delay another', async () => {
    const silent = await serveNames(() => 'silence')
    const honest = await serveNames((_name, type) => (type === 'A' ? [public4] : []))
    const { port } = await serveHttp(json(200, { workflows: [] }))
    const controller = new AbortController()
    const slow = Array.from({ length: 200 }, (_, index) => {
      const bridgeUrl = `http://slow${index}.test/`
      const client = createTestClient({ bridgeUrl, lookup: createLookup({ ...bare, servers: [silent.address] }) })
      return failureOf(client.discover({ signal: controller.signal }))
    })
    await expect.poll(() => silent.asked.length).toBeGreaterThan(200)
    const other = createTestClient({ port, lookup: createLookup({ ...bare, servers: [honest.address] }) })
    for (let turn = 0; turn < 20; turn++) await expect(other.discover()).resolves.toEqual({ workflows: [] })
    expect(other.waits).toEqual([])
    controller.abort(new Error('enough'))
    for (const failure of await Promise.all(slow)) expect(failure.message).toBe('enough')
  })
})

it("does not use Node's thread pool", async () => {
  const honest = await serveNames((_name, type) => (type === 'A' ? [public4] : []))
  const hostsFile = write('10.0.0.7 inside.test\n')
  const lookup = createLookup({ servers: [honest.address], hostsFile, resolverFile: noFile })
  let done = 0
  // More work than there are threads, so that a lookup that used a thread would have to wait for some of it.
  const work = Array.from({ length: 32 }, () => {
    return new Promise<void>((resolve) => {
      pbkdf2('secret', 'salt', 50_000, 64, 'sha512', () => {
        done++
        resolve()
      })
    })
  })
  await expect(lookup('bridge.test')).resolves.toEqual([public4])
  await expect(lookup('inside.test')).resolves.toEqual(['10.0.0.7'])
  expect(done).toBeLessThan(24)
  await Promise.all(work)
})
