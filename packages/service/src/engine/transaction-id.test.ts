import { describe, expect, type TestContext, test } from 'vitest'
import type { StoreDriver } from '../store/store.ts'
import { bothDrivers } from '../store/stores.fixture.ts'
import { holdRows, untilBlocked } from './held-rows.fixture.ts'
import { playEngine } from './played-engine.fixture.ts'

const pageSize = 100

const play = async (driver: StoreDriver, context: TestContext) => {
  const testEngine = await playEngine(driver, context, { steps: [{ stepId: 'text', type: 'sms' }] })
  const { environmentId } = testEngine.target
  const { db } = testEngine.store
  const send = async (to: unknown, kind: 'single' | 'broadcast' = 'single') => {
    await testEngine.engine.accept({ environmentId, kind, requests: [{ name: 'w', to, transactionId: 'once' }] })
  }
  const ends = async () => {
    const rows = await db.selectFrom('triggers').select('status').orderBy('id').execute()
    return rows.map(({ status }) => status)
  }
  const people = async () => {
    const rows = await db.selectFrom('runs').select('externalSubscriberId').orderBy('id').execute()
    return rows.map((row) => row.externalSubscriberId)
  }
  return { ...testEngine, db, send, ends, people }
}

describe.each(bothDrivers)('a transaction id counts once on %s', (driver) => {
  test.for(['canceled', 'failed'] as const)(
    'if its trigger had created runs and was then %s',
    async (status, context) => {
      const testEngine = await play(driver, context)
      await testEngine.send('anna')
      await testEngine.drain()
      await testEngine.db.updateTable('triggers').set({ status }).execute()
      await testEngine.send('anna')
      await testEngine.drain()
      expect(await testEngine.ends()).toEqual([status, 'duplicate'])
      expect(await testEngine.people()).toEqual(['anna'])
    },
  )

  test('if it is canceled between two pages of its runs', async (context) => {
    const testEngine = await play(driver, context)
    await testEngine.send(Array.from({ length: pageSize + 50 }, (_, index) => `s${index}`))
    await testEngine.drain()
    await testEngine.db.deleteFrom('runs').execute()
    await testEngine.db.deleteFrom('triggers').execute()
    await testEngine.send(undefined, 'broadcast')
    while ((await testEngine.people()).length === 0) await new Promise((resolve) => setTimeout(resolve))
    await testEngine.cancel('once')
    await testEngine.drain()
    const people = await testEngine.people()
    await testEngine.send(undefined, 'broadcast')
    await testEngine.drain()
    expect((await testEngine.ends()).at(-1)).toBe('duplicate')
    expect(await testEngine.people()).toEqual(people)
  })

  test('but not if it was rejected', async (context) => {
    const testEngine = await play(driver, context)
    await testEngine.send({ type: 'Topic', topicKey: 'unknown' })
    await testEngine.drain()
    await testEngine.send('anna')
    await testEngine.drain()
    expect(await testEngine.ends()).toEqual(['failed', 'done'])
    expect(await testEngine.people()).toEqual(['anna'])
  })
})

test('a transaction id counts once for two concurrent triggers, one of which is canceled, on postgres', async (context) => {
  const testEngine = await play('postgres', context)
  await testEngine.send('ben')
  await testEngine.drain()
  await testEngine.db.deleteFrom('runs').execute()
  await testEngine.db.deleteFrom('triggers').execute()
  const held = await holdRows(testEngine, (tx) =>
    tx.updateTable('subscribers').set({ updatedAt: 0 }).where('subscriberId', '=', 'ben').execute(),
  )
  await testEngine.send({ subscriberId: 'ben', firstName: 'Ben' })
  await untilBlocked(testEngine, 1)
  await testEngine.send('anna')
  while ((await testEngine.people()).length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
  await testEngine.db.updateTable('triggers').set({ status: 'canceled' }).where('status', '=', 'done').execute()
  await held.release()
  await testEngine.drain()
  expect(await testEngine.ends()).toEqual(['duplicate', 'canceled'])
  expect(await testEngine.people()).toEqual(['anna'])
})
