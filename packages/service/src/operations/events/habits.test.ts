import { expect, test } from 'vitest'
import { startTestService } from '../service.fixture.ts'

// What programs send by habit, in their spelling: nothing of it changes what is meant.

const steps = [{ name: 'Tell', type: 'sms', controlValues: { body: 'hi' } }]

test('null stands for what a trigger does not have', async (context) => {
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
    const found = `/v1/notifications?transactionId=${result.transactionId}&channels%5B0%5D=sms&search=`
    await expect
      .poll(async () => (await call('GET', found)).body.data)
      .toMatchObject([{ to: { subscriberId: 'ada', phone: '+49' }, payload: {} }])
  }
})

test('an empty mail address is none, whoever says it', async (context) => {
  const { call } = await startTestService('sqlite', context, { work: true })
  await call('POST', '/v2/workflows', { name: 'Order', workflowId: 'order', active: true, steps })
  await call('POST', '/v1/events/trigger', { name: 'order', to: { subscriberId: 'ada', email: '' } })
  await call('POST', '/v1/subscribers', { subscriberId: 'bob', email: '' })
  for (const id of ['ada', 'bob']) {
    await expect.poll(async () => (await call('GET', `/v2/subscribers/${id}`)).status).toBe(200)
    expect((await call('GET', `/v2/subscribers/${id}`)).body).not.toHaveProperty('email')
  }
})

test('filters without a value filter nothing', async (context) => {
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
  // What has a few values only, or a form, is told when it has none of them.
  for (const filter of ['channel', 'page', 'limit'])
    expect((await call('GET', `/v1/messages?${filter}=`)).body.errors).toHaveProperty(filter)
})

test('credentials name what they do not have as null', async (context) => {
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
