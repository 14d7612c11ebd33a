import { describe, expect, type TestContext, test } from 'vitest'
import { secretKey, startTestService, type TestService } from '../operations/service.fixture.ts'
import { sealFormerly } from '../secrets/former-seal.fixture.ts'
import { sealedColumns } from '../secrets/renew-secrets.ts'
import { sealedPlaces } from '../secrets/sealed-places.ts'
import { createVault } from '../secrets/vault.ts'
import type { Store } from '../store/store.ts'
import { createDatabase, drivers } from '../store/stores.fixture.ts'

const key = Buffer.alloc(32, 5)
const vault = createVault(key)

async function startOn(driver: (typeof drivers)[number], context: TestContext) {
  const { address, open } = await createDatabase(driver, context)
  return { start: () => startTestService(driver, context, address), store: open() }
}

async function fill({ call, environmentId }: TestService): Promise<void> {
  const values = [{ _environmentId: environmentId, value: 'plain value' }]
  await call('POST', '/v1/environment-variables', { key: 'TOKEN', values })
  await call('POST', '/v1/integrations', {
    providerId: 'slack',
    identifier: 'slack',
    credentials: { host: 'h', token: 't' },
  })
  await call('POST', '/v2/subscribers', { subscriberId: 'ada' })
  await call('POST', '/v1/channel-connections', {
    ...{ identifier: 'c1', integrationIdentifier: 'slack', subscriberId: 'ada' },
    ...{ workspace: { id: 'W' }, auth: { accessToken: 'a' } },
  })
  await call('POST', '/v1/channel-endpoints', {
    ...{ identifier: 'e1', integrationIdentifier: 'slack', subscriberId: 'ada', type: 'webhook' },
    endpoint: { url: 'https://shop.test/1' },
  })
}

/** Returns all encrypted texts, with their plain texts. */
async function readAll({ db }: Store) {
  const all: { at: string; sealed: string; plain: string | undefined }[] = []
  for (const { table, column, keys } of sealedColumns)
    for (const row of await db
      .selectFrom(table as 'apiKeys')
      .selectAll()
      .execute()) {
      const record = row as unknown as Readonly<Record<string, string | null>>
      const sealed = record[column]
      if (typeof sealed !== 'string') continue
      const place = { table, column, key: keys.map((name) => String(record[name])) }
      all.push({ at: `${table}.${column}`, sealed, plain: vault.open(sealed, place) })
    }
  return all
}

describe.each(drivers)('secrets in the database (%s)', (driver) => {
  test('of an earlier version are bound on the next start, and keep their values', async (context) => {
    const { start, store } = await startOn(driver, context)
    const first = await start()
    await fill(first)
    await first.service.stop()
    const before = await readAll(store)
    expect(before.length).toBeGreaterThan(5)
    for (const { table, column } of sealedColumns)
      for (const { sealed, plain } of before.filter(({ at }) => at === `${table}.${column}`))
        await store.db
          .updateTable(table as 'apiKeys')
          .set({ [column]: sealFormerly(plain ?? '', key) } as never)
          .where(column as 'sealed', '=', sealed)
          .execute()
    await store.db.deleteFrom('settings').where('key', '=', 'secrets are bound to their rows').execute()
    await expect(readAll(store)).rejects.toThrow()
    const second = await start()
    const after = await readAll(store)
    expect(after.map(({ at, plain }) => [at, plain])).toEqual(before.map(({ at, plain }) => [at, plain]))
    expect(after.every(({ sealed }) => sealed.startsWith('v2.'))).toBe(true)
    expect((await second.call('GET', '/v1/environment-variables/TOKEN')).body.values[0].value).toBe('plain value')
    expect((await second.call('GET', '/v1/channel-endpoints/e1')).status).toBe(200)
    await second.service.stop()
    // Values are bound only once: unbound values that are added later cannot be decrypted.
    const [{ variableId } = { variableId: '' }] = await store.db.selectFrom('variableValues').selectAll().execute()
    const moved = sealFormerly('canary', key)
    await store.db.updateTable('variableValues').set({ value: moved }).where('variableId', '=', variableId).execute()
    const third = await start()
    expect((await third.call('GET', '/v1/environment-variables/TOKEN')).text).not.toContain('canary')
  })

  test('cannot be decrypted after moving them to another row or column', async (context) => {
    const { start, store } = await startOn(driver, context)
    const tested = await start()
    await fill(tested)
    const { db } = store
    const keys = await db.selectFrom('apiKeys').selectAll().execute()
    const integrations = await db.selectFrom('integrations').selectAll().execute()
    for (const { sealed } of [...keys, ...integrations.map(({ credentials }) => ({ sealed: credentials }))]) {
      await db.updateTable('variableValues').set({ value: sealed }).execute()
      const { status, text } = await tested.call('GET', '/v1/environment-variables/TOKEN')
      expect(status).toBe(500)
      for (const secret of [secretKey, 'sk_prod', '"token"']) expect(text).not.toContain(secret)
    }
    const [own] = keys
    expect(() => vault.open(own?.sealed ?? '', sealedPlaces.apiKey('another'))).toThrow()
  })
})
