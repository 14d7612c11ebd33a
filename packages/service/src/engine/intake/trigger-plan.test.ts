import { expect, type TestContext, test, vi } from 'vitest'
import { blankSubscriber } from '../../store/blank-rows.ts'
import type { Session } from '../../store/store.ts'
import { createLedEngine } from '../next/led-runs.fixture.ts'

/** Plays a broadcast of two pages. Returns the actor and the context of the runs of the last page. */
async function playBroadcast(context: TestContext, change: (tx: Session) => Promise<void>) {
  const testEngine = await createLedEngine('sqlite', context)
  const { store, queue, engine, target } = testEngine
  const { environmentId } = target
  for (let index = 0; index < 120; index++) {
    const [id, subscriberId] = [`s${String(index).padStart(6, '0')}`, `x${index}`]
    const row = { ...blankSubscriber, id, environmentId, subscriberId, createdAt: 0, updatedAt: 0 }
    await store.db.insertInto('subscribers').values(row).execute()
  }
  const { add } = queue
  vi.spyOn(queue, 'add').mockImplementation(async (tx, items, options) => {
    if (items.some(({ kind, priority }) => kind === 'trigger' && priority === 'bulk')) await change(tx)
    return add(tx, items, options)
  })
  const name = await testEngine.add(({ step }) => step('mail', 'email'))
  const request = {
    ...{ name, payload: {}, actor: { subscriberId: 'x0', firstName: 'Ann' } },
    context: { org: { id: 'o', data: { plan: 'free' } } },
  }
  await engine.accept({ environmentId, kind: 'broadcast', requests: [request] })
  await testEngine.drain()
  const run = await store.db
    .selectFrom('runs')
    .select(['actor', 'context', 'status'])
    .where('externalSubscriberId', '=', 'x119')
    .executeTakeFirstOrThrow()
  return {
    db: store.db,
    status: run.status,
    actor: JSON.parse(run.actor ?? ''),
    context: JSON.parse(run.context ?? ''),
  }
}

test('a page of a trigger does not revert a change of the actor or a context since the first page', async (context) => {
  const run = await playBroadcast(context, async (tx) => {
    await tx.updateTable('subscribers').set({ firstName: 'Bea' }).where('subscriberId', '=', 'x0').execute()
    await tx.updateTable('contexts').set({ data: '{"plan":"paid"}' }).execute()
  })
  const columns = run.db.selectFrom('subscribers').select('firstName').where('subscriberId', '=', 'x0')
  expect(await columns.executeTakeFirst()).toEqual({ firstName: 'Bea' })
  expect(await run.db.selectFrom('contexts').select('data').execute()).toEqual([{ data: '{"plan":"paid"}' }])
  expect([run.actor.firstName, run.context]).toEqual(['Bea', { org: { id: 'o', data: { plan: 'paid' } } }])
})

test('a page of a trigger does not restore an actor or a context that was deleted since the first page', async (context) => {
  const run = await playBroadcast(context, async (tx) => {
    await tx.deleteFrom('subscribers').where('subscriberId', '=', 'x0').execute()
    await tx.deleteFrom('contexts').execute()
  })
  const columns = run.db.selectFrom('subscribers').select('firstName').where('subscriberId', '=', 'x0')
  expect(await columns.execute()).toEqual([])
  expect(await run.db.selectFrom('contexts').select('data').execute()).toEqual([])
  expect(run.actor).toMatchObject({ subscriberId: 'x0', firstName: null })
  expect([run.status, run.context]).toEqual(['completed', { org: { id: 'o', data: { plan: 'free' } } }])
})
