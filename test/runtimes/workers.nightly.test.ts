import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sign } from '@trestle/protocol'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { hasRuntimes, installRuntimes, programOf } from './install-runtimes.ts'

const folder = mkdtempSync(join(tmpdir(), 'trestle-workers-'))
const secretKey = 'key-that-is-bound'
const replies: { authorization: string | undefined; path: string | undefined; text: string }[] = []
let api: Server
let apiUrl: string
let origin: string
let stop = (): void => undefined

afterAll(async () => {
  stop()
  api?.closeAllConnections()
  api?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.runIf(hasRuntimes)('an agent on workerd', () => {
  beforeAll(async () => {
    installRuntimes()
    api = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += String(chunk)
      replies.push({
        authorization: request.headers.authorization,
        path: request.url,
        text: JSON.parse(text).reply.text,
      })
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"data":{"messageId":"m1"}}')
    }).listen(0, '127.0.0.1')
    await once(api, 'listening')
    apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}/api`
    await build({
      entryPoints: [fileURLToPath(new URL('agents-on-workers.mjs', import.meta.url))],
      outfile: join(folder, 'worker.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      logLevel: 'error',
    })
    origin = await start()
  }, 300_000)

  test.each(['/', '/hono'])(
    '%s: the key comes from its bindings, and the turn continues after the acknowledgement',
    async (path) => {
      const { status, body } = await send(path, secretKey)
      expect([status, body]).toEqual([200, { status: 'ack' }])
      await expect
        .poll(() => replies.filter(({ text }) => text === `You said: ${path}`), { timeout: 5000 })
        .toEqual([{ authorization: `ApiKey ${secretKey}`, path: '/api/v1/reply', text: `You said: ${path}` }])
    },
  )

  test.each(['/', '/hono'])('%s: a different key is rejected, as is a call without a key', async (path) => {
    expect((await send(path, 'another-key')).status).toBe(401)
    expect((await send(path, undefined)).status).toBe(401)
  })

  test('without waitUntil the worker is stopped before it replies', async () => {
    expect((await send('/frozen', secretKey)).status).toBe(200)
    await sleep(1500)
    expect(replies.filter(({ text }) => text === 'You said: /frozen')).toEqual([])
  })
})

let deliveries = 0

/** Sends an event, signed with a key if there is one. */
async function send(path: string, key: string | undefined): Promise<{ status: number; body: unknown }> {
  const body = JSON.stringify({
    deliveryId: `d${++deliveries}`,
    replyUrl: `${apiUrl}/v1/reply`,
    conversationId: `c${deliveries}`,
    integrationIdentifier: 'web',
    message: { text: path },
  })
  const response = await fetch(`${origin}${path}?action=agent-event&agentId=support&event=onMessage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key && { 'service-signature': await sign(key, body) }) },
    body,
  })
  return { status: response.status, body: await response.json() }
}

/** Starts workerd with the key and the URL as bindings, and waits until it responds. */
async function start(): Promise<string> {
  const port = await findFreePort()
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
      compatibilityDate = "2026-11-01",
      bindings = [(name = "SERVICE_SECRET_KEY", text = "${secretKey}"), (name = "SERVICE_API_URL", text = "${apiUrl}")],
      globalOutbound = "loopback")),
    (name = "loopback", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", service = "main")],
);
`
  writeFileSync(join(folder, 'workerd.capnp'), config)
  const child = spawn(programOf('workerd'), ['serve', join(folder, 'workerd.capnp')], { stdio: 'pipe' })
  stop = () => void child.kill('SIGKILL')
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)))
  for (let tries = 0; tries < 100 && child.exitCode === null; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    if (answer?.status === 200) return `http://127.0.0.1:${port}`
    await sleep(100)
  }
  throw new Error(`workerd did not answer: ${said.join('')}`)
}
