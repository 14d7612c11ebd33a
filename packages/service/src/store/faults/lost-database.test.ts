import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from '../../start/start-service.ts'
import { guardDatabase } from './lost-database.ts'

const secretKey = 'sk_0123456789abcdef0123456789abcdef'

test.each<[string, (file: string, copy: string) => void]>([
  ['deleted', (file) => rmSync(file)],
  ['moved away', (file, copy) => renameSync(file, copy)],
])('nothing is taken into a database that was %s, and that is told', async (how, lose) => {
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
    lose(file, copy)
    await pause(300)
    const refused = await call('/v2/subscribers', { subscriberId: 'after' })
    expect([refused.status, refused.wait]).toEqual([503, '1'])
    expect(refused.text).toContain('deleted or replaced')
    expect((await call('/health')).status).toBe(503)
    await expect.poll(() => lines.some((line) => line.includes(file)), { timeout: 5000 }).toBe(true)
    if (how !== 'moved away') return
    renameSync(copy, file)
    await expect.poll(async () => (await call('/health')).status).toBe(200)
    expect((await call('/v2/subscribers', { subscriberId: 'after' })).status).toBe(201)
  } finally {
    await service.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
})

test('a database is not lost where the process goes to another folder', () => {
  const [folder, before] = [mkdtempSync(join(tmpdir(), 'trestle-lost-')), process.cwd()]
  onTestFinished(() => {
    process.chdir(before)
    rmSync(folder, { recursive: true, force: true })
  })
  writeFileSync(join(folder, 'service.db'), '')
  process.chdir(folder)
  const guard = guardDatabase('service.db')
  process.chdir(before)
  expect(guard).not.toThrow()
})
