import { expect, test } from 'vitest'
import { startTestService } from '../service.fixture.ts'

// Clients often send these values; none of them changes the meaning.

const steps = [{ name: 'Tell', type: 'sms', controlValues: { body: 'hi' } }]

test('treats null as an absent trigger field', async (context) => {
  const { call } = await startTestService('sqlite', context, { work: true })
  await call('POST', '/v2/workflows', { name: 'Order', workflowId: 'order', active: true, steps })
  const none = { overrides: null, transactionId: null, actor: null, tenant: null, bridgeUrl: null, context: null }
  const to = { subscriberId: 'ada', email: null, phone: '+49', channels: null, data: null }
  const event = { name: 'order', to, payload: null, controls: null, agentId: null, ...none }
  for (const [path, body] of [
    ['/v1/events/trigger', event],
    ['/v1/events/trigger/bulk', { events: [event] }],
  ] as const) {
    const { status, body: answer } = await call('POST', path, body)
    expect(status, JSON.stringify(answer)).toBe(201)
    const [result] = [answer.data].flat()
    expect(result).toMatchObject({ status: 'processed', transactionId: expect.stringMatching(/^[\da-f-]{36}$/) })
    const runsPath = `/v1/notifications?transactionId=${result.transactionId}&channels%5B0%5D=sms&search=`
    await expect
      .poll(async () => (await call('GET', runsPath)).body.data)
      .toMatchObject([{ to: { subscriberId: 'ada', phone: '+49' }, payload: {} }])
  }
})

test('treats an empty email address as absent, whoever sends it', async (context) => {
  const { call } = await startTestService('sqlite', context, { work: true })
  await call('POST', '/v2/workflows', { name: 'Order', workflowId: 'order', active: true, steps })
  await call('POST', '/v1/events/trigger', { name: 'order', to: { subscriberId: 'ada', email: '' } })
  await call('POST', '/v1/subscribers', { subscriberId: 'bob', email: '' })
  for (const id of ['ada', 'bob']) {
    await expect.poll(async () => (await call('GET', `/v2/subscribers/${id}`)).status).toBe(200)
    expect((await call('GET', `/v2/subscribers/${id}`)).body).not.toHaveProperty('email')
  }
})

test('ignores filters without a value', async (context) => {
  const { call, addSubscriber, addMessage } = await startTestService('sqlite', context)
  await addMessage(await addSubscriber('ada'))
  for (const path of [
    '/v1/messages?subscriberId=&transactionId=&transactionId[]=&contextKeys=',
    '/v1/subscribers/ada/notifications/feed?feedIdentifier=&payload=',
    '/v2/subscribers?email=&name=&phone=&after=&before=',
  ])
    expect((await call('GET', path)).body.data, path).toHaveLength(1)
  expect((await call('GET', '/v1/subscribers/ada/notifications/feed?seen=False&limit=5')).body.data).toHaveLength(1)
  expect((await call('GET', '/v1/subscribers/ada/notifications/feed?seen=True')).body.data).toHaveLength(0)
  // A filter with a fixed set of values or a format rejects an empty value.
  for (const filter of ['channel', 'page', 'limit'])
    expect((await call('GET', `/v1/messages?${filter}=`)).body.errors).toHaveProperty(filter)
})

test('accepts null for absent credentials', async (context) => {
  const { call, addSubscriber } = await startTestService('sqlite', context)
  await addSubscriber('ada')
  await call('POST', '/v1/integrations', { providerId: 'fcm', channel: 'push', active: true })
  const credentials = { deviceTokens: ['a'], webhookUrl: null, channel: null }
  const { status, body } = await call('PUT', '/v1/subscribers/ada/credentials', {
    providerId: 'fcm',
    integrationIdentifier: null,
    credentials,
  })
  expect(status).toBe(200)
  expect(body.data.channels).toMatchObject([{ providerId: 'fcm', credentials: { deviceTokens: ['a'] } }])
  expect(body.data.channels[0].credentials).not.toHaveProperty('webhookUrl')
})
