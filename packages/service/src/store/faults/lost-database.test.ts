import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from '../../start/start-service.ts'
import { migrate } from '../migrate.ts'
import { openSqliteStore } from '../sqlite-store.ts'
import { guardDatabase, LostDatabaseError } from './lost-database.ts'

const secretKey = 'sk_0123456789abcdef0123456789abcdef'

test.each<[string, (file: string, copy: string) => void]>([
  ['deleted', (file) => rmSync(file)],
  ['moved away', (file, copy) => renameSync(file, copy)],
])('stores nothing in a database that was %s, and reports it', async (how, lose) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-lost-'))
  const [file, copy] = ['service.db', 'copy.db'].map((name) => join(dataFolder, name)) as [string, string]
  const lines: string[] = []
  const service = await startService({
    port: 0,
    dataFolder,
    secretKeys: { Development: secretKey },
    logLevel: 'error',
    log: { write: (line) => void lines.push(line) },
  })
  try {
    const call = async (path: string, body?: object) => {
      const response = await fetch(service.url + path, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, wait: response.headers.get('retry-after'), text: await response.text() }
    }
    expect((await call('/v2/subscribers', { subscriberId: 'before' })).status).toBe(201)
    // A key that was accepted for the metrics before the loss is still accepted while it cannot be looked up.
    expect((await call('/metrics')).status).toBe(200)
    lose(file, copy)
    await pause(300)
    const refused = await call('/v2/subscribers', { subscriberId: 'after' })
    expect([refused.status, refused.wait]).toEqual([503, '1'])
    expect(refused.text).toContain('deleted or replaced')
    expect((await call('/health')).status).toBe(503)
    const numbers = await call('/metrics')
    expect(numbers.status).toBe(200)
    expect(numbers.text).toContain('trestle_http_requests_total')
    await expect.poll(() => lines.some((line) => line.includes(file)), { timeout: 30_000 }).toBe(true)
    // Failures that repeat several times a second are logged only once per ten occurrences.
    await pause(2500)
    expect(lines.length).toBeLessThan(6)
    if (how !== 'moved away') return
    renameSync(copy, file)
    await expect.poll(async () => (await call('/health')).status).toBe(200)
    expect((await call('/v2/subscribers', { subscriberId: 'after' })).status).toBe(201)
  } finally {
    await service.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
})

test('does not lose a database when the process changes its working directory', () => {
  const [folder, before] = [mkdtempSync(join(tmpdir(), 'trestle-lost-')), process.cwd()]
  onTestFinished(() => {
    process.chdir(before)
    rmSync(folder, { recursive: true, force: true })
  })
  writeFileSync(join(folder, 'service.db'), '')
  process.chdir(folder)
  const guard = guardDatabase('service.db', () => undefined)
  process.chdir(before)
  expect(guard).not.toThrow()
})

test.each([['-wal'], ['-shm'], ['-wal', '-shm']])('keeps the content of a deleted log: %s', async (...ends) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-lost-'))
  const file = join(dataFolder, 'service.db')
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }))
  const store = openSqliteStore(file)
  await migrate(store)
  const put = (key: string) => store.db.insertInto('settings').values({ key, value: '1' }).execute()
  await put('before')
  for (const end of ends) rmSync(file + end)
  await pause(300)
  await expect(put('after')).rejects.toThrow(`${file}${ends[0]}`)
  await pause(300)
  await expect(put('later')).rejects.toThrow(LostDatabaseError)
  // Simulates a crash: this process keeps no open files.
  const copy = join(dataFolder, 'copy.db')
  copyFileSync(file, copy)
  const copiedStore = openSqliteStore(copy)
  onTestFinished(() => copiedStore.close())
  expect(
    await copiedStore.db
      .selectFrom('settings')
      .select('key')
      .where('key', 'in', ['before', 'after', 'later'])
      .execute(),
  ).toEqual([{ key: 'before' }])
  await store.close()
})

test('leaves a complete file after closing, without its log', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-lost-'))
  const [file, copy] = ['service.db', 'copy.db'].map((name) => join(dataFolder, name)) as [string, string]
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }))
  const store = openSqliteStore(file)
  await migrate(store)
  await store.db.insertInto('settings').values({ key: 'before', value: '1' }).execute()
  await store.close()
  copyFileSync(file, copy)
  const copiedStore = openSqliteStore(copy)
  onTestFinished(() => copiedStore.close())
  expect(await copiedStore.db.selectFrom('settings').select('key').where('key', '=', 'before').execute()).toHaveLength(
    1,
  )
})
