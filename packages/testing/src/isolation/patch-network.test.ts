import dgram from 'node:dgram'
import dns, { lookup } from 'node:dns'
import { once } from 'node:events'
import http, { createServer } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, connect } from 'node:net'
import tls from 'node:tls'
import { workflow } from '@trestle/core'
import { expect, test, vi } from 'vitest'
import { testBridge } from '../simulator/test-bridge.ts'

const quiet = { warn: () => undefined, error: () => undefined }

/** Runs code as the handler of a step, and returns the message of its failure. */
async function inHandler(code: () => unknown, network?: 'allow' | readonly string[]): Promise<string | undefined> {
  const reaches = workflow('reaches', async ({ step }) => {
    await step.custom('out', async () => {
      await code()
      return {}
    })
  })
  const run = await testBridge({ workflows: [reaches], logger: quiet }).run(reaches, network ? { network } : {})
  return run.errors[0]?.message
}

const failed = async (emitter: { on(event: 'error', listener: (error: Error) => void): unknown }): Promise<never> => {
  const error = await new Promise<Error>((resolve) => emitter.on('error', resolve))
  throw error
}
const ways: readonly (readonly [string, string, () => unknown])[] = [
  ['fetch', 'https://api.example.com/prices?of=7', () => fetch('https://api.example.com/prices?of=7')],
  ['fetch of a request', 'http://api.example.com/', () => fetch(new Request('http://api.example.com/'))],
  ['http', 'http://api.example.com/x?y=1', () => failed(http.get('http://api.example.com/x?y=1'))],
  ['https', 'https://api.example.com/x', () => failed(https.request('https://api.example.com/x').end())],
  [
    'https with options',
    'https://api.example.com:443',
    () => failed(https.get({ host: 'api.example.com', path: '/x' })),
  ],
  ['net.connect', 'tcp://db.example.com:5432', () => failed(net.connect(5432, 'db.example.com'))],
  ['connect, imported by name', 'tcp://10.0.0.1:5432', () => failed(connect({ port: 5432, host: '10.0.0.1' }))],
  ['IPv6', 'tcp://[2001:db8::1]:80', () => failed(connect({ port: 80, host: '2001:db8::1' }))],
  ['tls.connect', 'tcp://db.example.com:443', () => failed(tls.connect(443, 'db.example.com'))],
  [
    'lookup, imported by name',
    'dns://db.example.com',
    () => new Promise((_, reject) => lookup('db.example.com', reject)),
  ],
  ['dns.promises', 'dns://db.example.com', () => dns.promises.lookup('db.example.com')],
  ['dns.resolve4', 'dns://db.example.com', () => dns.promises.resolve4('db.example.com')],
  ['UDP', 'udp://10.0.0.1:8125', () => sendDatagram()],
]

function sendDatagram(): Promise<void> {
  const socket = dgram.createSocket('udp4')
  return new Promise((resolve, reject) =>
    socket.send('gauge', 8125, '10.0.0.1', (error) => {
      socket.close()
      if (error) reject(error)
      else resolve()
    }),
  )
}

test.each(ways)('%s is blocked, and the message names the URL', async (_way, url, code) => {
  expect(await inHandler(code)).toContain(
    `${url} was blocked: a workflow under test has no network access. Give the step a double, or allow the host`,
  )
})

test('the report lists blocked requests, even if the code caught the error', async () => {
  const careful = workflow('careful', async ({ step }) => {
    await step.custom('out', async () => ({ ok: await fetch('https://api.example.com').catch(() => 'no') }))
  })
  const warn = vi.fn()
  const own = testBridge({ workflows: [careful], logger: { ...quiet, warn } })
  const run = await own.run(careful)
  expect([run.status, run.refused]).toEqual(['completed', ['https://api.example.com']])
  expect(warn.mock.calls).toEqual([
    [
      {},
      expect.stringContaining(
        'Workflow "careful" requested https://api.example.com in a test, was blocked, and continued.',
      ),
    ],
  ])
  await own.run(careful, { doubles: { out: {} } })
  expect(warn).toHaveBeenCalledOnce()
})

test('a blocked request that makes a step fail is reported once, by the step', async () => {
  const warn = vi.fn()
  const reaches = workflow('reaches', async ({ step }) => {
    await step.custom('out', async () => ({ ok: (await fetch('https://api.example.com')).ok }))
  })
  const run = await testBridge({ workflows: [reaches], logger: { ...quiet, warn } }).run(reaches)
  expect([run.errors.length, warn.mock.calls]).toEqual([1, []])
})

test('loopback is allowed, by address and by name', async () => {
  const server = createServer((_request, response) => response.end('{"total":3}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ask = async (host: string): Promise<void> => {
    expect(await (await fetch(`http://${host}:${port}`)).json()).toEqual({ total: 3 })
    await new Promise((resolve) => http.get(`http://${host}:${port}`, (response) => resolve(response.resume())))
  }
  expect(await inHandler(() => ask('127.0.0.1'))).toBeUndefined()
  expect(await inHandler(() => ask('localhost'))).toBeUndefined()
  server.close()
})

test('the lookup of an IP address needs no network, and is allowed', async () => {
  const seen: unknown[] = []
  expect(await inHandler(async () => seen.push((await dns.promises.lookup('10.0.0.1')).address))).toBeUndefined()
  expect(seen).toEqual(['10.0.0.1'])
})

test('hosts can be allowed by name', async () => {
  const server = createServer((_request, response) => response.end('there')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // A name that only this lookup resolves.
  const lookup: net.LookupFunction = (_name, _options, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  const reach = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const request = http.get({ host: 'shop.test', port, lookup, agent: false }, (response) =>
        resolve(response.resume()),
      )
      request.on('error', reject)
    })
  expect(await inHandler(reach, ['shop.test'])).toBeUndefined()
  expect(await inHandler(reach, ['SHOP.test'])).toBeUndefined()
  expect(await inHandler(reach, 'allow')).toBeUndefined()
  expect(await inHandler(reach, ['other.test'])).toContain(`tcp://shop.test:${port} was blocked`)
  expect(await inHandler(reach, [])).toContain('was blocked')
  server.close()
})

test('a fetch replacement installed by the test is called', async () => {
  const own = vi.fn(async () => new Response('{}'))
  vi.stubGlobal('fetch', own)
  expect(await inHandler(() => fetch('https://api.example.com'))).toBeUndefined()
  expect(own).toHaveBeenCalledOnce()
  expect(globalThis.fetch).toBe(own)
  vi.unstubAllGlobals()
})

test('everything is restored after a run, even if it throws', async () => {
  const before = [globalThis.fetch, globalThis.Date, Math.random, net.Socket.prototype.connect, dns.lookup, lookup]
  const during: unknown[] = []
  await inHandler(() => during.push(globalThis.fetch, globalThis.Date, lookup))
  await expect(testBridge({ workflows: [] }).run('none')).rejects.toThrow()
  expect([globalThis.fetch, globalThis.Date, Math.random, net.Socket.prototype.connect, dns.lookup, lookup]).toEqual(
    before,
  )
  expect(during.some((value) => before.includes(value as never))).toBe(false)
})

test('code outside a run is not affected during a run', async () => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const running = inHandler(() => held)
  await new Promise((resolve) => setImmediate(resolve))
  const lookup: net.LookupFunction = (_name, _options, callback) => callback(new Error('looked up'), [])
  const error = await failed(connect({ port: 1, host: 'shop.test', lookup })).catch((thrown: Error) => thrown)
  expect(error.message).toBe('looked up')
  release()
  expect(await running).toBeUndefined()
})
