import { describe, expect, test } from 'vitest'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

describe.each(bothDrivers)('document filters of in-app messages (%s)', (driver) => {
  test('run in the database if possible, and find all matches', async (context) => {
    const { call, addSubscriber, addMessage } = await startTestService(driver, context)
    const ada = await addSubscriber('ada')
    const payload = { order: { id: 7, 'the "name"': 'ö\n' }, lines: [{ b: 1, a: 2 }], none: null }
    const fields = {
      payload: JSON.stringify(payload),
      tags: '["a\\"b","news"]',
      contextKeys: '["tenant:acme","user:1"]',
    }
    await addMessage(ada, { ...fields, data: '{"x":{"y":true}}' })
    // Invalid JSON, so parsing it throws: non-matching messages must be excluded without being parsed, as there may be
    // thousands.
    const unreadable = { payload: '{"order', data: '{"x', tags: '["other', contextKeys: '["tenant' }
    await addMessage(ada, unreadable)
    const count = async (filters: object[]) => {
      const query = encodeURIComponent(JSON.stringify(filters))
      const { body } = await call('GET', `/v2/subscribers/ada/notifications/count?filters=${query}`)
      return body.map((item: { count: number }) => item.count)
    }
    const none = [{ tags: ['b'] }, { data: { x: { y: false } } }, { contextKeys: ['tenant:acme', 'user:2'] }]
    expect(await count(none)).toEqual([0, 0, 0])
    const all = [{ tags: ['more', 'a"b'] }, { data: '{"x":{"y":true}}' }, { contextKeys: ['user:1', 'tenant:acme'] }]
    expect(await count(all)).toEqual([1, 1, 1])
    const wanted = Buffer.from(JSON.stringify({ ...payload, lines: [{ a: 2, b: 1 }] })).toString('base64')
    const feed = await call('GET', `/v1/subscribers/ada/notifications/feed?payload=${encodeURIComponent(wanted)}`)
    expect([feed.body.totalCount, feed.body.data.length, feed.body.hasMore]).toEqual([1, 1, false])
  })
})
