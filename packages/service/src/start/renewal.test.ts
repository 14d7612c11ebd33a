import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, type TestContext, test, vi } from 'vitest'
import type { ServiceOptions } from '../config/generated/service-options.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { secretKey, startTestService, type TestService } from '../operations/service.fixture.ts'
import { sealedColumns } from '../secrets/renew-secrets.ts'
import { type SealedPlace, sealedPlaces } from '../secrets/sealed-places.ts'
import { createVault, UnsealableError, type Vault } from '../secrets/vault.ts'
import { createId } from '../store/create-id.ts'
import type { Store } from '../store/store.ts'
import { createDatabase, createStore, drivers } from '../store/stores.fixture.ts'
import { startRenewal } from './renewal.ts'
import { startService } from './start-service.ts'

const textOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64')
const vaultOf = (byte: number): Vault => createVault(Buffer.alloc(32, byte))
const done = 'all secrets are encrypted with the current key'

/** Returns all encrypted columns of the database with their plain texts. */
async function findSealed(store: Store, vault: Vault): Promise<ReadonlyMap<string, readonly string[]>> {
  const plainTexts = new Map<string, string[]>()
  for (const { schema, name } of await store.db.introspection.getTables()) {
    const table = schema === undefined ? sql.id(name) : sql.id(schema, name)
    const { rows } = await sql<Readonly<Record<string, unknown>>>`select * from ${table}`.execute(store.db)
    for (const row of rows)
      for (const [column, sealed] of Object.entries(row)) {
        const { keys = [] } = sealedColumns.find((one) => one.table === name && one.column === column) ?? {}
        const place = { table: name, column, key: keys.map((key) => String(row[key])) }
        const plain = typeof sealed === 'string' ? openWith(vault, sealed, place) : undefined
        const at = `${name}.${column}`
        if (plain !== undefined) plainTexts.set(at, [...(plainTexts.get(at) ?? []), plain].sort())
      }
  }
  return plainTexts
}

function openWith(vault: Vault, sealed: string, place: SealedPlace): string | undefined {
  try {
    return vault.open(sealed, place)
  } catch (error) {
    if (error instanceof UnsealableError) return undefined
    throw error
  }
}

function sealMessage(vault: Vault, plain: string) {
  const id = createId(Date.now())
  return { id, dedupeKey: id, delivery: vault.seal(plain, sealedPlaces.delivery(id)) }
}

/** Stores many secrets of every kind. */
async function storeSecrets({ call, environmentId, service, ...one }: TestService, count: number): Promise<void> {
  await call('POST', '/v1/integrations', { providerId: 'slack', identifier: 'slack', credentials: { secretKey: 'k' } })
  const webhook = await call('POST', '/v1/webhook-endpoints', { url: 'https://1.1.1.1/events' })
  expect(webhook.status).toBe(201)
  for (let index = 0; index < count; index++) {
    const values = [{ _environmentId: environmentId, value: `value ${index}` }]
    const about = { integrationIdentifier: 'slack', subscriberId: `s${index}` }
    const row = await one.addSubscriber(about.subscriberId)
    const connection = { ...about, identifier: `c${index}`, workspace: { id: `W${index}` } }
    const endpoint = { type: 'webhook', endpoint: { url: `https://shop.test/${index}` } }
    const stored = [
      await call('POST', '/v1/environment-variables', { key: `TOKEN_${index}`, isSecret: true, values }),
      await call('POST', '/v1/channel-connections', { ...connection, auth: { accessToken: `access ${index}` } }),
      await call('POST', '/v1/channel-endpoints', { ...about, identifier: `e${index}`, ...endpoint }),
    ]
    expect(stored.map(({ status }) => status)).toEqual([200, 201, 201])
    await one.addMessage(row, sealMessage(vaultOf(1), `delivery ${index}`))
    const headers = { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' }
    await fetch(`${service.url}/v1/layouts`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': `k${index}` },
      body: JSON.stringify({ name: `L${index}`, identifier: `l${index}`, content: '{{{body}}}' }),
    })
  }
}

describe.each(drivers)('a different encryption key (%s)', (driver) => {
  /** Starts a service repeatedly on one database. */
  async function createStart(context: TestContext) {
    const { address, open } = await createDatabase(driver, context)
    const start = (options: ServiceOptions) => startTestService(driver, context, { ...address, ...options })
    return { start, store: open() }
  }

  test('is activated: data encrypted with the previous key is decrypted and re-encrypted', async (context) => {
    const { start, store } = await createStart(context)
    const first = await start({ encryptionKey: textOf(1) })
    // More than one batch.
    await storeSecrets(first, 101)
    await first.service.stop()
    const before = await findSealed(store, vaultOf(1))
    expect([...before.keys()].sort()).toEqual(sealedColumns.map(({ table, column }) => `${table}.${column}`).sort())

    const second = await start({ encryptionKey: textOf(2), previousEncryptionKeys: [textOf(9), textOf(1)] })
    const { body } = await second.call('GET', '/v1/channel-connections/c100')
    expect(body).toMatchObject({ auth: { accessToken: '******' } })
    await vi.waitFor(() => expect(second.log.join('')).toContain(done), 10_000)
    await second.service.stop()
    expect(await findSealed(store, vaultOf(1))).toEqual(new Map())
    expect(await findSealed(store, vaultOf(2))).toEqual(before)

    const third = await start({ encryptionKey: textOf(2) })
    expect((await third.call('GET', '/v1/channel-endpoints/e100')).status).toBe(200)
    await third.service.stop()
    expect(third.log.join('')).not.toContain(done)
  })

  test('reports data that no configured key can decrypt, and keeps it', async (context) => {
    const { start, store } = await createStart(context)
    const first = await start({ encryptionKey: textOf(1) })
    await first.addMessage(await first.addSubscriber('ada'), sealMessage(vaultOf(3), 'lost'))
    await first.service.stop()
    const second = await start({ encryptionKey: textOf(2), previousEncryptionKeys: [textOf(1)] })
    await vi.waitFor(() => expect(second.log.join('')).toContain('"unopened":{"messages":1}'), 10_000)
    await second.service.stop()
    expect(second.log.join('')).not.toContain(done)
    expect(await findSealed(store, vaultOf(3))).toEqual(new Map([['messages.delivery', ['lost']]]))
  })
})

test('replaces the key in the data folder if the previous one is configured', async (context) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-key-'))
  context.onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }))
  const file = join(dataFolder, 'encryption.key')
  const lines: string[] = []
  const log = { write: (line: string) => void lines.push(line) }
  const start = (options: ServiceOptions = {}) => startService({ port: 0, dataFolder, log, work: false, ...options })
  await (await start()).stop()
  const previous = readFileSync(file, 'utf8').trim()
  rmSync(file)
  await expect(start()).rejects.toThrow('list the old one in SERVICE_PREVIOUS_ENCRYPTION_KEYS')
  vi.stubEnv('SERVICE_PREVIOUS_ENCRYPTION_KEYS', `${previous} , `)
  context.onTestFinished(() => void vi.unstubAllEnvs())
  await expect(start()).rejects.toThrow('SERVICE_PREVIOUS_ENCRYPTION_KEYS: must not have empty items')
  vi.stubEnv('SERVICE_PREVIOUS_ENCRYPTION_KEYS', `${previous}, short`)
  await expect(start()).rejects.toThrow('SERVICE_PREVIOUS_ENCRYPTION_KEYS: the encryption key must be 32 bytes')
  vi.stubEnv('SERVICE_PREVIOUS_ENCRYPTION_KEYS', textOf(9))
  await expect(start()).rejects.toThrow('is missing')
  expect(existsSync(file)).toBe(false)
  vi.stubEnv('SERVICE_PREVIOUS_ENCRYPTION_KEYS', ` ${previous}`)
  const service = await start()
  await vi.waitFor(() => expect(lines.join('')).toContain(done), 10_000)
  await service.stop()
  expect(readFileSync(file, 'utf8').trim()).not.toBe(previous)
  vi.unstubAllEnvs()
  await (await start()).stop()
})

test('retries a renewal after a database error', async (context) => {
  const store = await createStore('sqlite', context)
  let failures = 1
  const busy: Store = {
    ...store,
    transaction: (work) => (failures-- > 0 ? Promise.reject(new Error('is gone')) : store.transaction(work)),
  }
  const logger = { error: vi.fn(), info: vi.fn() }
  const vault = createVault(Buffer.alloc(32, 2), [Buffer.alloc(32, 1)])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  context.onTestFinished(() => void vi.useRealTimers())
  const parts = { store: busy, vault, logger, settings: { previousEncryptionKeys: [textOf(1)] } }
  const renewal = startRenewal(parts as unknown as ServiceContext)
  for (let tick = 0; tick < 200 && logger.info.mock.calls.length === 0; tick++) {
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(1000)
  }
  await renewal.stop()
  expect(logger.error).toHaveBeenCalledTimes(1)
  expect(logger.info).toHaveBeenCalledWith({ renewed: 0 }, done)
})
