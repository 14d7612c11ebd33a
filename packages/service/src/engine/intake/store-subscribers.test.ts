import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createLedEngine } from '../next/led-runs.fixture.ts'

test('a recipient who is deleted while its trigger starts changes nothing for the others', async (context) => {
  const testEngine = await createLedEngine('sqlite', context)
  const { store } = testEngine
  // Simulates another process that deletes the new row at once.
  await sql`create trigger "deleted" after insert on "subscribers" when new."subscriberId" = 'b'
    begin delete from "subscribers" where "id" = new."id"; end`.execute(store.db)
  const to = ['a', 'b', 'c'].map((subscriberId) => ({ subscriberId, data: { of: subscriberId } }))
  await testEngine.trigger({ name: await testEngine.add(({ step }) => step('mail', 'email')), to, payload: {} })
  await testEngine.drain()
  const runs = await store.db.selectFrom('runs').select(['externalSubscriberId', 'recipient', 'status']).execute()
  const fieldsOf = runs.map(({ externalSubscriberId: id, recipient, status }) => [id, JSON.parse(recipient), status])
  expect(fieldsOf.toSorted()).toEqual(
    ['a', 'b', 'c'].map((id) => [id, expect.objectContaining({ subscriberId: id, data: { of: id } }), 'completed']),
  )
})
