import { describe, expect, test } from 'vitest'
import { countMessages } from '../../messages/list-messages.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const v1 = '/v1/subscribers/ada'
const v2 = '/v2/subscribers/ada/notifications'
const toBase64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

describe.each(drivers)('inbox (%s)', (driver) => {
  test('lists, filters and counts messages, newest first (v1)', async (context) => {
    const { call, addSubscriber, addMessage, service, environmentId } = await startTestService(driver, context)
    const ada = await addSubscriber('ada', { firstName: 'Ada' })
    const grace = await addSubscriber('grace')
    const feed = { id: '0000000000000000000000fe', environmentId, name: 'news', identifier: 'news', createdAt: 1 }
    await service.store.db.insertInto('feeds').values(feed).execute()
    const first = await addMessage(ada, { payload: '{"order":{"id":7,"x":1}}' })
    const second = await addMessage(ada, { seen: 1, read: 1, feedId: feed.id, content: '{"blocks":1}' })
    const third = await addMessage(ada)
    await addMessage(grace)
    await addMessage(ada, { channel: 'email' })
    const idsOf = async (query: string) =>
      (await call('GET', `${v1}/notifications/feed${query}`)).body.data.map((item: { _id: string }) => item._id)
    expect(await idsOf('')).toEqual([third, second, first])
    expect(await idsOf('?limit=2')).toEqual([third, second])
    expect(await idsOf('?limit=2&page=1')).toEqual([first])
    expect(await idsOf('?read=true')).toEqual([second])
    expect(await idsOf('?seen=false')).toEqual([third, first])
    expect(await idsOf('?feedIdentifier=news')).toEqual([second])
    expect((await call('GET', `${v1}/notifications/feed?feedIdentifier=nothing`)).status).toBe(404)
    expect(await idsOf(`?payload=${toBase64({ order: { id: 7 } })}`)).toEqual([first])
    expect(await idsOf(`?payload=${toBase64({ order: { id: 8 } })}`)).toEqual([])
    const page = await call('GET', `${v1}/notifications/feed?limit=2`)
    expect(page.body).toMatchObject({ page: 0, pageSize: 2, hasMore: true, totalCount: 3 })
    expect(page.body.data[1]).toMatchObject({
      content: '{"blocks":1}',
      subscriber: { subscriberId: 'ada', firstName: 'Ada' },
      archived: false,
    })
    expect((await call('GET', `${v1}/notifications/unseen`)).body).toEqual({ data: { count: 2 } })
    expect((await call('GET', `${v1}/notifications/unseen?limit=1`)).body).toEqual({ data: { count: 1 } })
    expect((await call('GET', `${v1}/notifications/unseen?seen=true`)).body).toEqual({ data: { count: 1 } })
    expect((await call('GET', '/v1/subscribers/nobody/notifications/feed')).status).toBe(400)
    expect((await call('GET', `${v1}/notifications/feed?payload=%%%`)).status).toBeGreaterThanOrEqual(400)
    expect((await call('GET', `${v1}/notifications/feed?payload=bm8`)).status).toBe(422)
  })

  test('marks single messages, all messages and buttons (v1)', async (context) => {
    const { call, addSubscriber, addMessage } = await startTestService(driver, context)
    const ada = await addSubscriber('ada')
    const cta = JSON.stringify({
      data: {},
      action: { status: 'pending', buttons: [{ type: 'primary', content: 'Go' }] },
    })
    const one = await addMessage(ada, { cta })
    const two = await addMessage(ada)
    const foreign = await addMessage(await addSubscriber('grace'))
    const read = await call('POST', `${v1}/messages/mark-as`, { messageId: one, markAs: 'read' })
    expect(read.status).toBe(201)
    expect(read.body.data).toMatchObject([
      { _id: one, read: true, seen: true, lastReadDate: expect.any(String), firstSeenDate: expect.any(String) },
    ])
    const unread = await call('POST', `${v1}/messages/mark-as`, { messageId: [one, two], markAs: 'unread' })
    expect(unread.body.data.map((item: { read: boolean; seen: boolean }) => [item.read, item.seen])).toEqual([
      [false, true],
      [false, true],
    ])
    expect((await call('POST', `${v1}/messages/mark-as`, { messageId: [two, foreign], markAs: 'read' })).status).toBe(
      404,
    )
    expect(
      (await call('POST', `${v1}/messages/markAs`, { messageId: two, mark: { seen: false } })).body.data,
    ).toMatchObject([{ seen: false, read: false }])
    expect((await call('POST', `${v1}/messages/mark-all`, { markAs: 'read' })).body).toEqual({ data: 2 })
    expect((await call('POST', `${v1}/messages/mark-all`, { markAs: 'read' })).body).toEqual({ data: 0 })
    expect((await call('POST', `${v1}/messages/mark-all`, { markAs: 'unseen', feedIdentifier: ['none'] })).status).toBe(
      404,
    )
    const action = await call('POST', `${v1}/messages/${one}/actions/primary`, { status: 'done', payload: { a: 1 } })
    expect(action.status).toBe(201)
    expect(action.body.data.cta.action).toMatchObject({
      status: 'done',
      result: { type: 'primary', payload: { a: 1 } },
    })
    expect((await call('POST', `${v1}/messages/${one}/actions/secondary`, { status: 'done' })).status).toBe(400)
    expect((await call('POST', `${v1}/messages/${one}/actions/other`, { status: 'done' })).status).toBe(422)
    expect((await call('POST', `${v1}/messages/${foreign}/actions/primary`, { status: 'done' })).status).toBe(404)
  })

  test('lists by filters, and counts for several filters at once (v2)', async (context) => {
    const { call, addSubscriber, addMessage } = await startTestService(driver, context)
    const ada = await addSubscriber('ada', { firstName: 'Ada' })
    const plain = await addMessage(ada, { createdAt: 1000 })
    const tagged = await addMessage(ada, {
      tags: '["a","b"]',
      data: '{"k":{"v":1},"z":2}',
      severity: 'high',
      createdAt: 2000,
    })
    const away = await addMessage(ada, { archived: 1, contextKeys: '["account:acme"]', createdAt: 3000 })
    const idsOf = async (query: string) =>
      (await call('GET', v2 + query)).body.data.map((item: { id: string }) => item.id)
    expect(await idsOf('')).toEqual([away, tagged, plain])
    expect(await idsOf('?archived=false')).toEqual([tagged, plain])
    expect(await idsOf('?severity=high&severity=low')).toEqual([tagged])
    expect(await idsOf('?tags=b')).toEqual([tagged])
    expect(await idsOf(`?data=${encodeURIComponent('{"k":{"v":1}}')}`)).toEqual([tagged])
    expect(await idsOf('?contextKeys=account:acme')).toEqual([away])
    expect(await idsOf('?createdGte=2000&createdLte=2500')).toEqual([tagged])
    expect(await idsOf(`?limit=1&after=${away}`)).toEqual([tagged])
    expect(await idsOf('?limit=1&offset=2')).toEqual([plain])
    expect((await call('GET', `${v2}?limit=1`)).body).toMatchObject({
      hasMore: true,
      data: [{ id: away, to: { subscriberId: 'ada' }, isArchived: true, channelType: 'in_app' }],
    })
    const filters = encodeURIComponent(
      JSON.stringify([{ archived: true }, { tags: ['a'] }, {}, { severity: ['none'] }]),
    )
    expect(
      (await call('GET', `${v2}/count?filters=${filters}`)).body.map((item: { count: number }) => item.count),
    ).toEqual([1, 1, 3, 2])
    expect((await call('GET', `${v2}/count?filters=${encodeURIComponent('[{"reed":true}]')}`)).status).toBe(422)
    expect((await call('GET', `${v2}/count?filters=no`)).status).toBe(422)
    expect((await call('GET', `${v2}?severity=worst`)).status).toBe(422)
    expect((await call('GET', '/v2/subscribers/nobody/notifications')).status).toBe(404)
  })

  test('marks, snoozes, completes and deletes messages (v2)', async (context) => {
    const { call, addSubscriber, addMessage, service } = await startTestService(driver, context)
    const ada = await addSubscriber('ada')
    const cta = JSON.stringify({
      data: {},
      action: { status: 'pending', buttons: [{ type: 'secondary', content: 'No', url: '/no' }] },
    })
    const one = await addMessage(ada, { cta })
    const two = await addMessage(ada, { tags: '["x"]' })
    const patch = async (path: string, body?: unknown) => (await call('PATCH', `${v2}/${one}${path}`, body)).body
    expect(await patch('/read')).toMatchObject({ id: one, isRead: true, isSeen: true, readAt: expect.any(String) })
    expect(await patch('/unread')).toMatchObject({ isRead: false, isSeen: true, readAt: null })
    expect(await patch('/archive')).toMatchObject({ isArchived: true, archivedAt: expect.any(String) })
    expect(await patch('/unarchive')).toMatchObject({ isArchived: false, archivedAt: null })
    expect(await patch('/actions/secondary/complete')).toMatchObject({
      secondaryAction: { label: 'No', isCompleted: true, redirect: { url: '/no' } },
    })
    expect(await patch('/actions/secondary/revert')).toMatchObject({ secondaryAction: { isCompleted: false } })
    const snoozeUntil = new Date(Date.now() + 3_600_000).toISOString()
    expect(await patch('/snooze', { snoozeUntil })).toMatchObject({ isSnoozed: true, snoozedUntil: snoozeUntil })
    expect((await call('GET', `${v1}/notifications/feed`)).body.data).toHaveLength(1)
    expect(await patch('/unsnooze')).toMatchObject({ isSnoozed: false, snoozedUntil: null })
    expect((await call('PATCH', `${v2}/${one}/snooze`, { snoozeUntil: '2001-01-01T00:00:00Z' })).status).toBe(422)
    await service.store.db
      .updateTable('messages')
      .set({ snoozedUntil: Date.now() - 1, read: 1, lastReadAt: Date.now() - 2 })
      .where('id', '=', one)
      .execute()
    const [woken] = (await call('GET', `${v2}?read=false&limit=1&offset=1`)).body.data
    expect(woken).toMatchObject({ id: one, isSnoozed: false, isRead: false, readAt: null })
    expect(woken.deliveredAt).toHaveLength(3)
    expect((await call('POST', `${v2}/seen`, { notificationIds: [two] })).status).toBe(204)
    expect((await call('GET', `${v2}?seen=true`)).body.data.map((item: { id: string }) => item.id)).toContain(two)
    expect((await call('POST', `${v2}/read`, { tags: ['x'] })).status).toBe(204)
    expect((await call('GET', `${v2}?read=true`)).body.data).toMatchObject([{ id: two }])
    expect((await call('POST', `${v2}/read-archive`, {})).status).toBe(204)
    expect((await call('GET', `${v2}?archived=true`)).body.data).toMatchObject([{ id: two }])
    expect((await call('DELETE', `${v2}/${two}`)).status).toBe(204)
    expect((await call('DELETE', `${v2}/${two}`)).status).toBe(404)
    expect((await call('POST', `${v2}/delete`, {})).status).toBe(204)
    expect((await call('GET', v2)).body.data).toEqual([])
  })

  test('archives a message without changing when it was read, or as read now', async (context) => {
    const { call, addSubscriber, addMessage, service } = await startTestService(driver, context)
    const ada = await addSubscriber('ada')
    const read = await addMessage(ada, { read: 1, seen: 1, firstSeenAt: 1, lastSeenAt: 2, lastReadAt: 3 })
    const fresh = await addMessage(ada)
    for (const id of [read, fresh]) expect((await call('PATCH', `${v2}/${id}/archive`)).status).toBe(200)
    const rows = await service.store.db
      .selectFrom('messages')
      .select(['firstSeenAt', 'lastSeenAt', 'lastReadAt', 'archivedAt'])
      .orderBy('id')
      .execute()
    const nowMs = rows[1]?.archivedAt
    expect(rows).toEqual([
      { firstSeenAt: 1, lastSeenAt: 2, lastReadAt: 3, archivedAt: expect.any(Number) },
      { firstSeenAt: nowMs, lastSeenAt: nowMs, lastReadAt: nowMs, archivedAt: nowMs },
    ])
  })

  test('keeps the last 100 times at which a message came back', async (context) => {
    const { call, addSubscriber, addMessage, service } = await startTestService(driver, context)
    const times = Array.from({ length: 100 }, (_, index) => index)
    const deliveredAt = JSON.stringify(times)
    const ada = await addSubscriber('ada')
    await addMessage(ada, { snoozedUntil: Date.now() + 3_600_000, deliveredAt })
    const id = await addMessage(ada, { snoozedUntil: Date.now() + 3_600_000, deliveredAt })
    await call('PATCH', `${v2}/${id}/unsnooze`)
    await service.store.db.updateTable('messages').set({ snoozedUntil: 200 }).where('id', '!=', id).execute()
    await call('GET', v2)
    const rows = await service.store.db.selectFrom('messages').select('deliveredAt').orderBy('id').execute()
    expect(rows.map((row) => JSON.parse(row.deliveredAt))).toEqual([
      [...times.slice(1), 200],
      [...times.slice(1), expect.any(Number)],
    ])
  })

  const acts: readonly [act: string, method: string, path: string, body?: object][] = [
    ['read', 'PATCH', `${v2}/ID/read`],
    ['archive', 'PATCH', `${v2}/ID/archive`],
    ['read all', 'POST', `${v2}/read`, {}],
    ['archive all', 'POST', `${v2}/archive`, {}],
    ['mark all', 'POST', `${v1}/messages/mark-all`, { markAs: 'read' }],
  ]
  test.for(acts)('ends an expired snooze before the message is changed: %s', async (given, context) => {
    const [act, method, path, body] = given
    const { call, addSubscriber, addMessage } = await startTestService(driver, context)
    const id = await addMessage(await addSubscriber('ada'), { snoozedUntil: Date.now() - 1 })
    expect((await call(method, path.replace('ID', id), body)).status).toBeLessThan(300)
    for (let list = 0; list < 2; list++)
      expect((await call('GET', `${v2}?archived=${act.startsWith('archive')}`)).body.data).toMatchObject([
        { isRead: true, isSnoozed: false },
      ])
  })

  test('finds messages by the complete names of their contexts', async (context) => {
    const { call, addSubscriber, addMessage } = await startTestService(driver, context)
    const ada = await addSubscriber('ada')
    const names = ['team:a_b', 'team:a-b', 'team:axb', 'team:A_B']
    for (const name of names) await addMessage(ada, { contextKeys: JSON.stringify([name]) })
    const countOf = async (query: string) => (await call('GET', `/v1/messages?${query}`)).body.data.length
    for (const name of names) expect([name, await countOf(`contextKeys=${name}`)]).toEqual([name, 1])
    for (const name of ['%25', 'team:%25', 'team', 'a_b'])
      expect([name, await countOf(`contextKeys=${name}`)]).toEqual([name, 0])
  })

  test('stops counting at the limit, for any filter', async (context) => {
    const { addSubscriber, addMessage, service, environmentId } = await startTestService(driver, context)
    const ada = await addSubscriber('ada')
    for (let count = 0; count < 3; count++) await addMessage(ada, { tags: '["a"]' })
    const filter = { environmentId, subscriberId: ada }
    for (const tags of [undefined, ['a']]) {
      expect(await countMessages(service.store.db, { ...filter, tags }, 2)).toBe(2)
      expect(await countMessages(service.store.db, { ...filter, tags }, 9)).toBe(3)
    }
  })

  test('never changes messages of another subscriber or environment', async (context) => {
    const { call, addSubscriber, addMessage, service } = await startTestService(driver, context)
    await addSubscriber('ada')
    const foreign = await addMessage(await addSubscriber('grace'))
    const production = await service.store.db
      .selectFrom('environments')
      .select('id')
      .where('name', '=', 'Production')
      .executeTakeFirstOrThrow()
    const other = await addMessage(await addSubscriber('eve', { environmentId: production.id }), {
      environmentId: production.id,
    })
    for (const id of [foreign, other]) {
      expect((await call('PATCH', `${v2}/${id}/read`)).status).toBe(404)
      expect((await call('DELETE', `${v2}/${id}`)).status).toBe(404)
      expect((await call('POST', `${v2}/seen`, { notificationIds: [id] })).status).toBe(204)
    }
    expect((await call('GET', '/v2/subscribers/eve/notifications')).status).toBe(404)
    const rows = await service.store.db.selectFrom('messages').select(['seen', 'read']).execute()
    expect(rows).toEqual([
      { seen: 0, read: 0 },
      { seen: 0, read: 0 },
    ])
  })
})
