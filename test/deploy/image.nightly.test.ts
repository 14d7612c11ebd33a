import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createEmptyDatabase } from '../../packages/service/src/store/stores.fixture.ts'
import { findFreePort } from '../free-port.ts'
import { canContain, fillImage, type Image, type Running, runBuildStage, runInImage, statusOf } from './container.ts'
import { findInstruction, readStages, type Stage } from './dockerfile.ts'

const folder = mkdtempSync(join(tmpdir(), 'trestle-image-'))
const waitMs = 30_000
let image: Image
const last = readStages().at(-1) as Stage
const start = findInstruction(last, 'ENTRYPOINT').list
const healthCheck = findInstruction(last, 'HEALTHCHECK').list

beforeAll(() => {
  if (!canContain) return
  const [build, imageFolder] = ['build', 'image'].map((name) => mkdtempSync(join(folder, name))) as [string, string]
  runBuildStage(build)
  // A test's folder is private; the root of an image is not.
  chmodSync(imageFolder, 0o755)
  image = fillImage(imageFolder, build)
}, 900_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }), 300_000)

const filesOf = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Starts the service, and waits until it listens. */
async function startService(port: number, env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const running = runInImage(image, start, { env: { PORT: String(port), ...env } })
  onTestFinished(() => void running.child.kill('SIGKILL'))
  await vi.waitFor(() => {
    if (running.child.exitCode !== null) throw new Error(running.output())
    expect(running.output()).toContain('listens at')
  }, waitMs)
  return running
}

/** The socket of the test's PostgreSQL is in a private folder. */
async function offerAtPort(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl)
  const path = join(url.searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const server = createServer((socket) => {
    const inner = connect(path)
    socket.on('error', () => inner.destroy()).pipe(inner)
    inner.on('error', () => socket.destroy()).pipe(socket)
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `postgres://${url.username}@127.0.0.1:${(server.address() as AddressInfo).port}${url.pathname}`
}

const check = (port: number): Promise<number | null> =>
  statusOf(runInImage(image, healthCheck, { env: { PORT: String(port) } }))

async function stop(running: Running): Promise<number | null> {
  process.kill(running.pid(), 'SIGTERM')
  return statusOf(running)
}

describe.skipIf(!canContain && !process.env['CI'])('the image', () => {
  test('contains only what is needed to run', () => {
    const files = filesOf(join(image.folder, 'app'))
    expect(
      files.filter((path) => /\.d\.[cm]?ts$|\.map$|\.test\.|\/typescript\/|\/vite\/|\/react\//.test(path)),
    ).toEqual([])
    const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0)
    expect(bytes).toBeLessThan(45_000_000)
    expect(files.filter((path) => path.endsWith('index.node'))).toHaveLength(1)
  })

  test('runs without root on a read-only file system, keeps its data, and stops cleanly', {
    timeout: 120_000,
  }, async () => {
    const port = await findFreePort()
    expect(await check(port)).toBe(1)
    const running = await startService(port)
    expect(readFileSync(`/proc/${running.pid()}/status`, 'utf8')).toMatch(/^Uid:\t65532\t65532\t65532\t65532$/m)
    const [, key = ''] = /^Development: secret key (sk_\w+)/m.exec(running.output()) ?? []
    const headers = { authorization: `ApiKey ${key}` }
    expect((await fetch(`http://127.0.0.1:${port}/v1/environments`, { headers })).status).toBe(200)
    expect(await check(port)).toBe(0)
    expect(await stop(running)).toBe(0)
    expect(readdirSync(join(image.folder, 'data')).sort()).toEqual(
      expect.arrayContaining(['encryption.key', 'service.db']),
    )

    const again = await startService(port)
    expect(again.output()).not.toContain('secret key')
    expect((await fetch(`http://127.0.0.1:${port}/v1/environments`, { headers })).status).toBe(200)
    expect(await stop(again)).toBe(0)
  })

  test('runs node by name, as the manifest for Kubernetes does', async () => {
    expect(await statusOf(runInImage(image, ['node', '--version']))).toBe(0)
  })

  test('writes no files if it uses PostgreSQL and a key from the environment', async (context) => {
    rmSync(join(image.folder, 'data/service.db'), { force: true })
    for (const name of readdirSync(join(image.folder, 'data')))
      rmSync(join(image.folder, 'data', name), { recursive: true })
    const { address } = await createEmptyDatabase('postgres', context)
    const databaseUrl = await offerAtPort(address.databaseUrl ?? '')
    const port = await findFreePort()
    const env = {
      DATABASE_URL: databaseUrl,
      SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      SERVICE_PREVIOUS_ENCRYPTION_KEYS: '',
      SERVICE_SAFE_OUTBOUND_ALLOW: '',
    }
    const running = await startService(port, env)
    expect(await (await fetch(`http://127.0.0.1:${port}/health`)).json()).toMatchObject({
      status: 'ok',
      database: 'postgres',
    })
    expect(await stop(running)).toBe(0)
    expect(readdirSync(join(image.folder, 'data'))).toEqual([])
  })
})
