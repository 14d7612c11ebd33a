import { describe, expect, test } from 'vitest'
import { bothDrivers, createStore, drivers } from '../store/stores.fixture.ts'
import { addMessages, owner } from './list-messages.fixture.ts'
import { markMessages, wakeMessages } from './mark-messages.ts'

test.for(drivers)('marks unread messages that are older than 50,000 read ones (%s)', async (driver, context) => {
  const store = await createStore(driver, context)
  await addMessages(store, { prefix: 'a', count: 2 })
  await addMessages(store, { prefix: 'b', count: 50_000 }, { read: 1, seen: 1 })
  const read = () => store.repeatable((tx) => markMessages(tx, owner, { mark: 'read', nowMs: 7 }))
  expect(await read()).toBe(2)
  expect(await read()).toBe(0)
  const unread = await store.db.selectFrom('messages').select('id').where('read', '=', 0).execute()
  expect(unread).toEqual([])
})

describe.each(bothDrivers)('marking messages (%s)', (driver) => {
  test('changes all of them in batches, but only those that match and differ', async (context) => {
    const store = await createStore(driver, context)
    await addMessages(store, { prefix: 'a', count: 1100 }, { tags: '["a"]' })
    await addMessages(store, { prefix: 'b', count: 600 })
    await addMessages(store, { prefix: 'c', count: 3 }, { tags: '["a"]', read: 1, seen: 1 })
    await addMessages(store, { prefix: 'd', count: 3 }, { ...owner, subscriberId: 'other' })
    const mark = (filter: object, name: 'read' | 'archive') =>
      store.repeatable((tx) => markMessages(tx, { ...owner, ...filter }, { mark: name, nowMs: 7 }))
    expect(await mark({ tags: ['a'] }, 'read')).toBe(1100)
    expect(await mark({ read: true }, 'archive')).toBe(1103)
    expect(await mark({}, 'read')).toBe(600)
    const changes = store.db.selectFrom('inboxChanges').select(['position', 'messageIds']).orderBy('position')
    expect(await changes.execute()).toEqual([1, 2, 3].map((position) => ({ position, messageIds: null })))
  })

  test('ends 500 expired snoozes at a time, and all of them before messages are marked', async (context) => {
    const store = await createStore(driver, context)
    await addMessages(store, { prefix: 'a', count: 1 }, { snoozedUntil: 3 })
    await addMessages(store, { prefix: 'b', count: 1200 }, { snoozedUntil: 2 })
    await addMessages(store, { prefix: 'c', count: 1 }, { snoozedUntil: 9 })
    const wake = () => store.repeatable((tx) => wakeMessages(tx, owner, 7))
    expect(await wake()).toBe(500)
    const marked = await store.repeatable((tx) => markMessages(tx, owner, { mark: 'read', nowMs: 7 }))
    expect(marked).toBe(1202)
    expect(await wake()).toBe(0)
    const snoozed = store.db.selectFrom('messages').select(['id', 'read']).where('snoozedUntil', 'is not', null)
    expect(await snoozed.execute()).toEqual([{ id: 'c00000001', read: 1 }])
  })
})
