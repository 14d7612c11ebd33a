import { describe, expect, test } from 'vitest'
import { SettingsError } from '../config/settings.ts'
import { createDatabase, drivers } from '../store/stores.fixture.ts'
import { startService } from './start-service.ts'

describe.each(drivers)('the encryption key on %s', (driver) => {
  test('must be the one the database was used with', { timeout: 30_000 }, async (context) => {
    const { address } = await createDatabase(driver, context)
    const start = (byte: number) => {
      const encryptionKey = Buffer.alloc(32, byte).toString('base64')
      return startService({ ...address, port: 0, encryptionKey, logLevel: 'silent', work: false })
    }
    await (await start(1)).stop()
    const failure = await start(2).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SettingsError)
    expect(String(failure)).toContain('another encryption key')
    await (await start(1)).stop()
  })
})
