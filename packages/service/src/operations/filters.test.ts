import { expect, test } from 'vitest'
import { startTestService } from './service.fixture.ts'

const flow = (workflowId: string, active: boolean) => ({
  ...{ name: 'W', workflowId, active },
  steps: [{ stepId: 's', name: 'S', type: 'sms', controlValues: { body: 'b' } }],
})

const cursorLists = [
  ...['/v2/subscribers', '/v2/topics', '/v2/topics/news/subscriptions', '/v2/subscribers/ada/subscriptions'],
  ...['/v2/contexts', '/v1/channel-connections', '/v1/channel-endpoints', '/v1/studio/runs', '/v1/studio/outbox'],
]

test('rejects, by name, a filter that no item could match', async (context) => {
  const { call, addSubscriber } = await startTestService('sqlite', context)
  await addSubscriber('ada')
  const refused: readonly (readonly [path: string, filter: string, value: string])[] = [
    ...['', 'zzz', 'active'].map((value) => ['/v2/workflows', 'status', value] as const),
    ...['', 'e-mail', 'IN_APP'].map((value) => ['/v1/notifications', 'channels', value] as const),
    ['/v1/notifications', 'severity', 'worst'],
    ...['1', '-1', '2026', '2026-02-30', '2026-02-30T00:00:00Z', 'yesterday', ''].flatMap((value) =>
      ['after', 'before'].map((name) => ['/v1/notifications', name, value] as const),
    ),
    ['/v1/messages', 'channel', 'mail'],
    ['/v1/channel-connections', 'channel', 'CHAT'],
    ['/v1/channel-endpoints', 'channel', 'zzz'],
    ['/v1/studio/outbox', 'channel', 'zzz'],
    ['/v2/subscribers/ada/notifications', 'severity', 'worst'],
  ]
  for (const [path, filter, value] of refused) {
    const { status, body } = await call('GET', `${path}?${filter}=${value}`)
    expect([`${path} ${filter}=${value}`, status, Object.keys(body.errors ?? {})[0]?.split('.')[0]]).toEqual([
      `${path} ${filter}=${value}`,
      422,
      filter,
    ])
  }
})

test('lists workflows by status', async (context) => {
  const { call } = await startTestService('sqlite', context)
  await call('POST', '/v2/workflows', flow('on', true))
  await call('POST', '/v2/workflows', flow('off', false))
  const ids = async (query: string) =>
    (await call('GET', `/v2/workflows?${query}`)).body.workflows.map((item: { workflowId: string }) => item.workflowId)
  expect(await ids('status=ACTIVE')).toEqual(['on'])
  expect(await ids('status=INACTIVE')).toEqual(['off'])
  expect(await ids('status=ERROR')).toEqual([])
  expect(await ids('status=ACTIVE&status=INACTIVE&status=ERROR')).toEqual(['off', 'on'])
})

test('finds runs by day, by time, and by case-insensitive address', async (context) => {
  const { call } = await startTestService('sqlite', context, { work: true })
  await call('POST', '/v2/subscribers', { subscriberId: 'ada', email: 'Ada@Example.org' })
  await call('POST', '/v2/workflows', flow('w', true))
  await call('POST', '/v1/events/trigger', { name: 'w', to: 'ada' })
  const count = async (query: string) => (await call('GET', `/v1/notifications?${query}`)).body.data.length
  await expect.poll(() => count('')).toBe(1)
  const now = Date.now()
  const at = (ms: number) => encodeURIComponent(new Date(now + ms).toISOString())
  const hour = 60 * 60 * 1000
  expect(await count(`after=${at(-hour)}&before=${at(hour)}`)).toBe(1)
  expect(await count(`after=${at(hour)}`)).toBe(0)
  // A time without a zone is in UTC, wherever the service runs.
  expect(await count(`after=${at(-hour).slice(0, 10)}&before=${at(hour).replace('Z', '')}`)).toBe(1)
  expect(await count('emails=aDA@example.ORG')).toBe(1)
})

test('ignores an empty cursor and rejects two cursors', async (context) => {
  const { call, addSubscriber } = await startTestService('sqlite', context)
  await addSubscriber('ada')
  await call('POST', '/v2/topics/news/subscriptions', { subscriptions: ['ada'] })
  for (const path of cursorLists) {
    const all = await call('GET', path)
    expect([path, (await call('GET', `${path}?after=`)).body]).toEqual([path, all.body])
    expect([path, (await call('GET', `${path}?before=`)).body]).toEqual([path, all.body])
    const both = await call('GET', `${path}?after=a&before=b`)
    expect([path, both.status, both.body.errors]).toEqual([path, 422, { before: { messages: [expect.any(String)] } }])
  }
  expect((await call('GET', '/v2/subscribers?after=&limit=1')).body.data).toHaveLength(1)
})
