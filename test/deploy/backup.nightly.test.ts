import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { createEmptyDatabase } from '../../packages/service/src/store/stores.fixture.ts'
import { findFreePort } from '../free-port.ts'
import { type Process, publicHost, startCommand, temporaryFolder } from './service-command.ts'

const isMissing = (program: string): boolean => spawnSync(program, ['--version']).error !== undefined
const isOptional = !process.env['CI']

async function call({ port }: Process, key: string, line: string, body?: object) {
  const [method = '', path = ''] = line.split(' ')
  const headers = { host: publicHost, authorization: `ApiKey ${key}`, 'content-type': 'application/json' }
  const sent = body ? { body: JSON.stringify(body) } : {}
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...sent })
  return { status: response.status, json: await response.json() }
}

/** Creates a run with a message, and returns what a restored database must contain. */
async function fill(service: Process): Promise<string> {
  const [key = ''] = service.keys
  const steps = [{ stepId: 'in', name: 'In', type: 'in_app', controlValues: { body: 'Kept' } }]
  await call(service, key, 'POST /v2/workflows', { name: 'W', workflowId: 'w', active: true, steps })
  await call(service, key, 'POST /v1/events/trigger', { name: 'w', to: 'ada', payload: {} })
  await vi.waitFor(async () => expect(await readInbox(service, key)).toEqual(['Kept']), 30_000)
  return key
}

async function readInbox(service: Process, key: string): Promise<readonly string[]> {
  const { json } = await call(service, key, 'GET /v2/subscribers/ada/notifications')
  return json.data.map(({ body }: { body: string }) => body)
}

/** Makes the service commit every 50 ms until the work ends. */
async function commitDuring(service: Process, key: string, work: () => Promise<unknown>): Promise<void> {
  let isOver = false
  const commit = async (): Promise<void> => {
    for (let count = 0; !isOver; count++) {
      const { status } = await call(service, key, 'POST /v2/subscribers', { subscriberId: `s${count}` })
      expect(status).toBe(201)
      await sleep(50)
    }
  }
  const end = (): void => {
    isOver = true
  }
  await Promise.all([commit(), work().finally(end)])
}

describe('a restored backup', () => {
  test.skipIf(isOptional && isMissing('pg_dump'))(
    'is complete on PostgreSQL',
    { timeout: 180_000 },
    async (context) => {
      const [source, target] = [
        await createEmptyDatabase('postgres', context),
        await createEmptyDatabase('postgres', context),
      ]
      const service = await startCommand(await findFreePort(), { DATABASE_URL: source.address.databaseUrl ?? '' })
      const key = await fill(service)
      const dump = join(temporaryFolder(), 'trestle.dump')
      execFileSync('pg_dump', ['--format=custom', `--file=${dump}`, source.address.databaseUrl ?? ''])
      expect(await service.stop()).toBe(0)

      const databaseUrl = target.address.databaseUrl ?? ''
      execFileSync('pg_restore', ['--no-owner', '--exit-on-error', `--dbname=${databaseUrl}`, dump])
      const otherKey = { SERVICE_ENCRYPTION_KEY: Buffer.alloc(32, 8).toString('base64') }
      await expect(startCommand(await findFreePort(), { DATABASE_URL: databaseUrl, ...otherKey })).rejects.toThrow(
        'this database was used with a different encryption key',
      )
      const restored = await startCommand(await findFreePort(), { DATABASE_URL: databaseUrl })
      expect(restored.keys).toEqual([])
      expect(await readInbox(restored, key)).toEqual(['Kept'])
      await call(restored, key, 'POST /v1/events/trigger', { name: 'w', to: 'ada', payload: {} })
      await vi.waitFor(async () => expect(await readInbox(restored, key)).toEqual(['Kept', 'Kept']), 30_000)
      expect(await restored.stop()).toBe(0)
    },
  )

  test.skipIf(isOptional && isMissing('sqlite3'))(
    'is complete on the embedded database',
    { timeout: 120_000 },
    async () => {
      const [source, target] = [temporaryFolder(), temporaryFolder()]
      const own = { SERVICE_ENCRYPTION_KEY: '' }
      const service = await startCommand(await findFreePort(), { ...own, SERVICE_DATA_FOLDER: source })
      const key = await fill(service)
      const copy = `vacuum into '${join(target, 'service.db')}'`
      await commitDuring(service, key, () => promisify(execFile)('sqlite3', [join(source, 'service.db'), copy]))
      copyFileSync(join(source, 'encryption.key'), join(target, 'encryption.key'))
      expect(await service.stop()).toBe(0)
      const restored = await startCommand(await findFreePort(), { ...own, SERVICE_DATA_FOLDER: target })
      expect(await readInbox(restored, key)).toEqual(['Kept'])
      expect(await restored.stop()).toBe(0)
    },
  )
})
