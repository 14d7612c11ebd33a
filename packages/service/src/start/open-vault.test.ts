import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SettingsError } from '../config/settings.ts'
import { prepareEnvironments } from '../operations/environments/prepare-environments.ts'
import { createVault } from '../secrets/vault.ts'
import { createDatabase, createStore, drivers } from '../store/stores.fixture.ts'
import { startService } from './start-service.ts'

describe.each(drivers)('encryption key (%s)', (driver) => {
  test('must be the one used before with the database', async (context) => {
    const { address } = await createDatabase(driver, context)
    const start = (byte: number) => {
      const encryptionKey = Buffer.alloc(32, byte).toString('base64')
      return startService({ ...address, port: 0, encryptionKey, logLevel: 'silent', work: false })
    }
    await (await start(1)).stop()
    const failure = await start(2).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SettingsError)
    expect(String(failure)).toContain('a different encryption key')
    await (await start(1)).stop()
  })
  test('must be the same for two processes that start on an empty database at the same time', async (context) => {
    const store = await createStore(driver, context)
    const prepare = (byte: number) =>
      prepareEnvironments(store, { vault: createVault(Buffer.alloc(32, byte)), secretKeys: {}, nowMs: 0 })
    // Both have found the database empty when they read their keys.
    await prepare(1)
    await expect(prepare(2)).rejects.toThrow('a different encryption key')
    expect((await prepare(1)).freshKeys).toEqual([])
  })

  test('is not created for a database that already uses one', async (context) => {
    const database = await createDatabase(driver, context)
    const { address } = database
    const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-key-'))
    context.onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }))
    const lines: string[] = []
    const start = () =>
      startService({
        ...address,
        port: 0,
        dataFolder,
        logLevel: 'warn',
        log: { write: (line) => void lines.push(line) },
        work: false,
      })
    await (await start()).stop()
    const file = join(dataFolder, 'encryption.key')
    renameSync(file, `${file}.away`)
    const failure = await start().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SettingsError)
    expect(String(failure)).toContain(`${file} is missing`)
    expect(existsSync(file)).toBe(false)
    const store = database.open()
    await store.db
      .deleteFrom('migrations' as never)
      .where('name' as never, '=', '0004-old-collections' as never)
      .execute()
    expect(await start().catch((error: unknown) => String(error))).toContain('is missing')
    expect(
      await store.db
        .selectFrom('migrations' as never)
        .select('name' as never)
        .execute(),
    ).not.toContainEqual({ name: '0004-old-collections' })
    await store.db
      .insertInto('migrations' as never)
      .values({ name: '0004-old-collections', ranAt: 1 } as never)
      .execute()
    renameSync(`${file}.away`, file)
    expect(lines).toEqual([])
    chmodSync(file, 0o644)
    await (await start()).stop()
    expect(lines.join()).toContain(file)
  })
})

test('creates the encryption key file with owner-only permissions', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-key-'))
  context.onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const dataFolder = join(folder, 'data')
  await (await startService({ port: 0, dataFolder, logLevel: 'silent', work: false })).stop()
  for (const path of [dataFolder, join(dataFolder, 'service.db'), join(dataFolder, 'encryption.key')])
    expect(statSync(path).mode & 0o077).toBe(0)
})
