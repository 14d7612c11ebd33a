import { describe, expect, type TestContext, test } from 'vitest'
import type { StoreDriver } from '../store/store.ts'
import { bothDrivers } from '../store/stores.fixture.ts'
import { holdRows, untilBlocked } from './held-rows.fixture.ts'
import { playEngine } from './played-engine.fixture.ts'

const pageSize = 100

const play = async (driver: StoreDriver, context: TestContext) => {
  const made = await playEngine(driver, context, { steps: [{ stepId: 'text', type: 'sms' }] })
  const { environmentId } = made.target
  const { db } = made.store
  const send = async (to: unknown, kind: 'single' | 'broadcast' = 'single') => {
    await made.engine.accept({ environmentId, kind, requests: [{ name: 'w', to, transactionId: 'once' }] })
  }
  const ends = async () => {
    const rows = await db.selectFrom('triggers').select('status').orderBy('id').execute()
    return rows.map(({ status }) => status)
  }
  const people = async () => {
    const rows = await db.selectFrom('runs').select('externalSubscriberId').orderBy('id').execute()
    return rows.map((row) => row.externalSubscriberId)
  }
  return { ...made, db, send, ends, people }
}

describe.each(bothDrivers)('a transaction id counts once on %s', (driver) => {
  test.for(['canceled', 'failed'] as const)(
    'if its trigger had created runs and was then %s',
    async (status, context) => {
      const made = await play(driver, context)
      await made.send('anna')
      await made.drain()
      await made.db.updateTable('triggers').set({ status }).execute()
      await made.send('anna')
      await made.drain()
      expect(await made.ends()).toEqual([status, 'duplicate'])
      expect(await made.people()).toEqual(['anna'])
    },
  )

  test('if it is canceled between two pages of its runs', async (context) => {
    const made = await play(driver, context)
    await made.send(Array.from({ length: pageSize + 50 }, (_, index) => `s${index}`))
    await made.drain()
    await made.db.deleteFrom('runs').execute()
    await made.db.deleteFrom('triggers').execute()
    await made.send(undefined, 'broadcast')
    while ((await made.people()).length === 0) await new Promise((resolve) => setTimeout(resolve))
    await made.cancel('once')
    await made.drain()
    const people = await made.people()
    await made.send(undefined, 'broadcast')
    await made.drain()
    expect((await made.ends()).at(-1)).toBe('duplicate')
    expect(await made.people()).toEqual(people)
  })

  test('but not if it was rejected', async (context) => {
    const made = await play(driver, context)
    await made.send({ type: 'Topic', topicKey: 'nobody' })
    await made.drain()
    await made.send('anna')
    await made.drain()
    expect(await made.ends()).toEqual(['failed', 'done'])
    expect(await made.people()).toEqual(['anna'])
  })
})

test('a transaction id counts once for two concurrent triggers, one of which is canceled, on postgres', async (context) => {
  const made = await play('postgres', context)
  await made.send('ben')
  await made.drain()
  await made.db.deleteFrom('runs').execute()
  await made.db.deleteFrom('triggers').execute()
  const held = await holdRows(made, (tx) =>
    tx.updateTable('subscribers').set({ updatedAt: 0 }).where('subscriberId', '=', 'ben').execute(),
  )
  await made.send({ subscriberId: 'ben', firstName: 'Ben' })
  await untilBlocked(made, 1)
  await made.send('anna')
  while ((await made.people()).length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
  await made.db.updateTable('triggers').set({ status: 'canceled' }).where('status', '=', 'done').execute()
  await held.release()
  await made.drain()
  expect(await made.ends()).toEqual(['duplicate', 'canceled'])
  expect(await made.people()).toEqual(['anna'])
})
