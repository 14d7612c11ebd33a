import { describe, expect, test } from 'vitest'
import { insertPrepared } from '../../store/prepared.ts'
import type { Session } from '../../store/store.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const insert = (db: Session, environmentId: string, ids: readonly string[]) =>
  insertPrepared(
    db,
    'outbox',
    ids.map((id) => ({
      ...{ id, environmentId, messageId: id, runId: 'r', channel: 'email', recipient: 'ada@example.com' },
      ...{ content: '{}', readAt: null, createdAt: 1 },
    })),
  )

const many = Array.from({ length: 720 }, (_, at) => `m${1000 + at}`)

describe.each(drivers)('a large outbox (%s)', (driver) => {
  test('is emptied in batches, and the number of its items is returned', async (context) => {
    const { call, service, environmentId } = await startTestService(driver, context)
    const { db } = service.store
    await insert(db, environmentId, many)
    expect((await call('DELETE', '/v1/studio/outbox')).body).toEqual({ removed: 720 })
    // This process does not work on the queue.
    expect(await db.selectFrom('outbox').select('id').execute()).toHaveLength(220)
    expect((await call('DELETE', '/v1/studio/outbox')).body).toEqual({ removed: 220 })
    expect((await call('DELETE', '/v1/studio/outbox')).body).toEqual({ removed: 0 })
  })

  test('is emptied in the background, except later items', async (context) => {
    const { call, service, environmentId } = await startTestService(driver, context, { work: true })
    const { db } = service.store
    await insert(db, environmentId, many)
    expect((await call('DELETE', '/v1/studio/outbox')).body).toEqual({ removed: 720 })
    await insert(db, environmentId, ['n1'])
    const left = db.selectFrom('outbox').select('id')
    await expect.poll(() => left.execute()).toEqual([{ id: 'n1' }])
  })
})
