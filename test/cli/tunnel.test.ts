import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { workflow } from '@trestle/core'
import { type Service, startService } from '@trestle/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bridgeHandler, key, type Listening, listen } from './listen.ts'
import { startTrestle, trestle } from './trestle.ts'

const one = workflow('one', async ({ step }) => {
  await step.sms('text', () => ({ body: 'a' }))
})
const folder = mkdtempSync(join(tmpdir(), 'trestle-tunnel-'))
let bridge: Listening
let service: Service

/** A tunnel program that forwards requests and, like real ones, prints its URL among others. */
const program = `
import http from 'node:http'
const [origin, how] = process.argv.slice(2)
const target = new URL(origin)
const server = http.createServer((incoming, response) => {
  const outgoing = http.request({ host: target.hostname, port: target.port, path: incoming.url, method: incoming.method, headers: incoming.headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => response.writeHead(502).end())
  incoming.pipe(outgoing)
})
if (how === 'fail') { console.error('no account'); process.exit(4) }
if (how === 'silent') setInterval(() => {}, 1000)
else server.listen(0, '127.0.0.1', () => {
  console.log('PID', process.pid)
  console.log('Thank you. The terms: https://tunnel.example.com/terms and https://docs.example.com/start')
  const port = how === 'wrong' ? 9 : server.address().port
  if (how === 'ngrok') console.log('t=2026 lvl=info msg="started tunnel" addr=' + origin + ' url=http://127.0.0.1:' + port)
  else console.error('|  http://127.0.0.1:' + port + '  |')
})
`

beforeAll(async () => {
  writeFileSync(join(folder, 'tunnel.mjs'), program)
  bridge = await listen(bridgeHandler({ workflows: [one] }))
  service = await startService({
    port: 0,
    databaseFile: ':memory:',
    encryptionKey: 'ab'.repeat(32),
    secretKeys: { Development: key },
    logLevel: 'silent',
  })
})
afterAll(async () => {
  await service.stop()
  await bridge.stop()
  rmSync(folder, { recursive: true, force: true })
})

const argv = (how = '') => [
  'tunnel',
  '--bridge',
  `${bridge.origin}/api/bridge`,
  '--api',
  service.url,
  '--key',
  key,
  '--command',
  `node tunnel.mjs {url} ${how}`,
]
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('trestle tunnel', () => {
  test('prints the public URL of the bridge, syncs it, and stops the tunnel program on exit', async () => {
    const running = startTrestle(argv(), { cwd: folder })
    const [, pid] = await running.until(/PID (\d+)/)
    await running.until(/synced 1 workflows/)
    const listed = await fetch(`${service.url}/v1/environments/me`, { headers: { authorization: `ApiKey ${key}` } })
    const state = await listed.text()
    const { status, stdout } = await running.kill('SIGINT')
    const [, address = ''] = /^(http:\/\/127\.0\.0\.1:\d+\/api\/bridge)$/m.exec(stdout) ?? []
    expect(address).not.toBe('')
    expect(address).not.toContain(String(bridge.port))
    expect(state).toContain(address)
    expect(status).toBe(0)
    await sleep(50)
    expect(isAlive(Number(pid))).toBe(false)
  })

  test('prints the URL as JSON, and syncs nothing with --no-sync', async () => {
    const running = startTrestle([...argv().slice(0, 3), ...argv().slice(7), '--no-sync', '--json'], { cwd: folder })
    await running.until(/"workflows": null/)
    const { stdout, status } = await running.kill('SIGINT')
    expect(JSON.parse(stdout)).toMatchObject({ bridgeUrl: expect.stringMatching(/\/api\/bridge$/), apiUrl: null })
    expect(status).toBe(0)
  })

  test.each([
    ['fail', 'The tunnel program exited with status 4'],
    ['silent', 'printed no address within 2 seconds'],
    ['wrong', 'TunnelNotFound'],
  ])('reports the problem of a tunnel program: %s', async (how, said) => {
    const { status, stderr } = await trestle([...argv(how), '--wait', '2'], { cwd: folder })
    expect(stderr).toContain(said)
    expect(status).toBe(1)
  })

  test('prints no error if it is interrupted before the tunnel is open', async () => {
    const running = startTrestle(argv('silent & echo waiting; wait'), { cwd: folder })
    await running.until(/waiting/)
    const { stderr, status } = await running.kill('SIGINT')
    expect(stderr).not.toMatch(/abort|interrupt/i)
    expect(status).toBe(1)
  })

  test('exits with 1 when the tunnel program ends', async () => {
    const running = startTrestle(argv(), { cwd: folder })
    const [, pid] = await running.until(/PID (\d+)/)
    await running.until(/synced/)
    process.kill(Number(pid), 'SIGKILL')
    const { status, stderr } = await running.ended
    expect(stderr).toMatch(/The tunnel program (was stopped|exited)/)
    expect(status).toBe(1)
  })

  test('starts an installed tunnel program and parses its output, or suggests one to install', async () => {
    const path = join(folder, 'path')
    const none = await trestle([...argv().slice(0, 7)], { cwd: folder, env: { PATH: path } })
    expect(none.stderr).toContain('cloudflared and ngrok are not installed')
    expect(none.status).toBe(1)
    const { mkdirSync } = await import('node:fs')
    mkdirSync(path)
    writeFileSync(
      join(path, 'ngrok'),
      `#!/bin/sh\n[ "$1" = http ] && exec ${process.execPath} ${join(folder, 'tunnel.mjs')} "$2" ngrok\n`,
    )
    chmodSync(join(path, 'ngrok'), 0o755)
    // The real tunnel only responds over https, which its pattern requires.
    const running = startTrestle([...argv().slice(0, 7), '--wait', '3'], {
      cwd: folder,
      env: { PATH: `${path}:${process.env['PATH']}` },
    })
    const { stderr, status } = await running.ended
    expect(stderr).toContain('msg="started tunnel"')
    expect(stderr).toContain('printed no address')
    expect(status).toBe(1)
  })
})
