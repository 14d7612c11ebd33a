import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { findFreePort } from '../../../../test/free-port.ts'
import { startTestService, testKeys } from '../start/service.fixture.ts'

const hasNginx = spawnSync('nginx', ['-v']).error === undefined

/** Starts nginx configured with only a `proxy_pass`, and returns its port. */
async function startNginx(target: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-nginx-'))
  const port = await findFreePort()
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const server = `server { listen 127.0.0.1:${port}; location / { proxy_pass ${target}; } }`
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths.join(' ')} ${server} }`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' })
  onTestFinished(() => {
    child.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  await expect
    .poll(
      () =>
        ask(port, '/health').then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 20_000 },
    )
    .toBe(200)
  return port
}

/** Forwards bytes, as `ssh -R`, socat and `kubectl port-forward` do, and returns its port. */
async function startForwarder(target: string): Promise<number> {
  const { hostname, port } = new URL(target)
  const server = createServer((socket) => {
    const upstream = connect(Number(port), hostname)
    for (const end of [socket, upstream]) end.on('error', () => undefined)
    socket.pipe(upstream).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

function ask(port: number, path: string, headers: Readonly<Record<string, string>> = {}) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, headers: { connection: 'close', ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

const requests: readonly Readonly<Record<string, string>>[] = [
  { host: 'public.example.com' },
  { host: 'public.example.com', 'sec-fetch-site': 'none' },
  { host: 'public.example.com', 'sec-fetch-site': 'same-origin', origin: 'https://public.example.com' },
]
const paths = ['/studio/session', '/metrics', '/mcp', '/v1/environments', '/v1/studio/outbox']

test.skipIf(!hasNginx && process.env['CI'] === undefined).for([
  ['a bare proxy_pass of nginx', startNginx],
  ['a forwarder of raw TCP', startForwarder],
] as const)('%s gives no access without a key or a session', async ([, forward], context: TestContext) => {
  const { service } = await startTestService('sqlite', context, {
    studio: true,
    mounts: { '/mcp': async () => ({ status: 200, headers: {}, body: 'mounted' }) },
  })
  const port = await forward(service.url)
  for (const headers of requests)
    for (const path of paths)
      for (const host of [headers['host'] ?? '', `127.0.0.1:${new URL(service.url).port}`]) {
        const { status, text } = await ask(port, path, { ...headers, host })
        expect([401, 403], `${path} ${JSON.stringify(headers)}`).toContain(status)
        expect(JSON.parse(text)).toMatchObject({ statusCode: status, message: expect.any(String) })
        for (const key of Object.values(testKeys)) expect(text).not.toContain(key)
      }
})
