import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const chat =
  'slack discord msteams mattermost ryver zulip grafana-on-call getstream rocket-chat whatsapp-business'.split(' ')
const push = 'fcm apns expo one-signal pushpad push-webhook pusher-beams'.split(' ')
const allowed = [...chat, ...push]
const others = [
  'webex-messaging',
  'line',
  'chat-webhook',
  'telegram',
  'sendblue',
  'appio',
  'novu',
  'Slack',
  '',
  'slack ',
]

describe.each(drivers)('credentials (%s)', (driver) => {
  test('exist only for the providers in the specification', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    await addSubscriber('ada')
    for (const method of ['PUT', 'PATCH'])
      for (const providerId of [...allowed, ...others]) {
        const channel = push.includes(providerId) ? 'push' : 'chat'
        if (method === 'PUT')
          await call('POST', '/v1/integrations', { providerId, identifier: providerId, channel, active: true })
        const { status, body } = await call(method, '/v1/subscribers/ada/credentials', { providerId, credentials: {} })
        expect([providerId, status]).toEqual([providerId, allowed.includes(providerId) ? 200 : 422])
        if (status === 422) expect(body.errors.providerId.messages).toHaveLength(1)
      }
    for (const providerId of others) {
      const channels = [{ providerId, credentials: {} }]
      for (const path of ['/v1/subscribers', '/v1/subscribers/bulk']) {
        const subscriber = { subscriberId: 'bob', channels }
        const sent = path.endsWith('bulk') ? { subscribers: [subscriber] } : subscriber
        expect((await call('POST', path, sent)).status).toBe(422)
      }
    }
  })

  test('contain the 100 device tokens that were sent last', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    await addSubscriber('ada')
    await call('POST', '/v1/integrations', { providerId: 'expo', channel: 'push', active: true })
    const send = async (method: string, deviceTokens: readonly string[]) => {
      const sent = { providerId: 'expo', credentials: { deviceTokens } }
      const { status, body } = await call(method, '/v1/subscribers/ada/credentials', sent)
      return status === 200 ? body.data.channels[0].credentials.deviceTokens : status
    }
    const tokens = Array.from({ length: 100 }, (_, at) => `token-${at}`)
    expect(await send('PUT', tokens)).toEqual(tokens)
    expect(await send('PATCH', ['token-0', 'token-0'])).toEqual([...tokens.slice(1), 'token-0'])
    const next = [...tokens.slice(2), 'token-0', 'new']
    expect(await send('PATCH', ['new'])).toEqual(next)
    expect(await send('PUT', next)).toEqual(next)
    const others = tokens.map((token) => `other-${token}`)
    expect(await send('PATCH', others)).toEqual(others)
    expect(await send('PATCH', [...others, 'one-too-many'])).toBe(422)
  })

  test('replace those of the same integration that were set in a different way', async (context) => {
    const { call } = await startTestService(driver, context, { work: true })
    for (const identifier of ['first', 'second'])
      await call('POST', '/v1/integrations', { providerId: 'slack', identifier, channel: 'chat', active: true })
    const sms = { stepId: 's', name: 'S', type: 'sms', controlValues: { body: 'b' } }
    await call('POST', '/v2/workflows', { name: 'W', workflowId: 'w', active: true, steps: [sms] })
    await call('POST', '/v2/subscribers', { subscriberId: 'ada' })
    const slack = (webhookUrl: string, more: object = {}) => ({
      providerId: 'slack',
      credentials: { webhookUrl },
      ...more,
    })
    const put = (url: string, more: object = {}) => call('PUT', '/v1/subscribers/ada/credentials', slack(url, more))
    const stored = async () => {
      const { channels } = (await call('GET', '/v2/subscribers/ada')).body
      return channels.map((channel: { integrationIdentifier?: string; credentials: { webhookUrl: string } }) => [
        channel.integrationIdentifier,
        channel.credentials.webhookUrl,
      ])
    }
    await put('https://old.example.org', { integrationIdentifier: 'second' })
    const ways: readonly ((channels: readonly object[]) => Promise<unknown>)[] = [
      (channels) => call('POST', '/v1/subscribers', { subscriberId: 'ada', channels }),
      (channels) => call('PUT', '/v1/subscribers/ada', { channels }),
      (channels) => call('POST', '/v1/subscribers/bulk', { subscribers: [{ subscriberId: 'ada', channels }] }),
      (channels) => call('POST', '/v1/events/trigger', { name: 'w', to: { subscriberId: 'ada', channels } }),
    ]
    for (const [index, way] of ways.entries()) {
      await put('https://old.example.org')
      const [first, last] = [`https://${index}.example.org`, `https://${index}b.example.org`]
      await way([slack(first), slack(last)])
      // The other integration has its own credentials.
      await expect.poll(stored).toEqual([
        ['second', 'https://old.example.org'],
        ['first', last],
      ])
      await way([slack(first, { integrationIdentifier: 'first' })])
      await expect.poll(stored).toEqual([
        ['second', 'https://old.example.org'],
        ['first', first],
      ])
    }
  })

  test('replace stored ones of the same integration, even if those were set several times or by identifier', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    await call('POST', '/v1/integrations', { providerId: 'fcm', identifier: 'fcm', channel: 'push', active: true })
    const [{ _id }] = (await call('GET', '/v1/integrations')).body.data
    const fcm = (token: string, more: object = {}) => ({
      providerId: 'fcm',
      credentials: { deviceTokens: [token] },
      ...more,
    })
    const channels = JSON.stringify([
      fcm('first', { _integrationId: _id }),
      fcm('gone', { _integrationId: '000000000000000000000000', integrationIdentifier: 'fcm' }),
      fcm('last', { _integrationId: _id }),
      fcm('other', { _integrationId: '', integrationIdentifier: 'other' }),
    ])
    const tokensAfter = async (method: string) => {
      const subscriberId = `ada-${method}`
      await addSubscriber(subscriberId, { channels })
      const { data } = (await call(method, `/v1/subscribers/${subscriberId}/credentials`, fcm('new'))).body
      return data.channels.map((channel: { credentials: object }) => channel.credentials)
    }
    const other = { deviceTokens: ['other'] }
    expect(await tokensAfter('PUT')).toEqual([other, { deviceTokens: ['new'] }])
    expect(await tokensAfter('PATCH')).toEqual([other, { deviceTokens: ['last', 'new'] }])
  })

  test('belong to an agent integration only if no other exists', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    await addSubscriber('ada')
    const slack = {
      providerId: 'slack',
      active: true,
      credentials: { clientId: 'c', secretKey: 's', redirectUrl: 'r' },
    }
    await call('POST', '/v1/integrations', { ...slack, identifier: 'agent', kind: 'agent' })
    const channel = { providerId: 'slack', credentials: { webhookUrl: 'https://example.org' } }
    await call('POST', '/v1/integrations', { ...slack, identifier: 'team' })
    const put = await call('PUT', '/v1/subscribers/ada/credentials', channel)
    const posted = await call('POST', '/v1/subscribers', { subscriberId: 'bob', channels: [channel] })
    for (const { body } of [put, posted]) expect(body.data.channels[0].integrationIdentifier).toBe('team')
    await call('DELETE', `/v1/integrations/${put.body.data.channels[0]._integrationId}`)
    const last = await call('PUT', '/v1/subscribers/ada/credentials', channel)
    expect(last.body.data.channels.at(-1).integrationIdentifier).toBe('agent')
  })

  test('belong to the primary integration by default', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    await addSubscriber('ada')
    const ids: string[] = []
    for (const identifier of ['first', 'second'])
      ids.push(
        (await call('POST', '/v1/integrations', { providerId: 'slack', identifier, active: true })).body.data._id,
      )
    await call('POST', `/v1/integrations/${ids[1]}/set-primary`)
    const channel = { providerId: 'slack', credentials: { webhookUrl: 'https://example.org' } }
    const put = await call('PUT', '/v1/subscribers/ada/credentials', channel)
    const posted = await call('POST', '/v1/subscribers', { subscriberId: 'bob', channels: [channel] })
    for (const { body } of [put, posted]) expect(body.data.channels[0].integrationIdentifier).toBe('second')
  })

  test('contain each device only once', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    await addSubscriber('ada')
    await call('POST', '/v1/integrations', { providerId: 'fcm', identifier: 'fcm', channel: 'push', active: true })
    const fcm = { providerId: 'fcm', credentials: { deviceTokens: ['a', 'b', 'a'] } }
    const put = await call('PUT', '/v1/subscribers/ada/credentials', fcm)
    const posted = await call('POST', '/v1/subscribers', { subscriberId: 'bob', channels: [fcm] })
    for (const { body } of [put, posted]) expect(body.data.channels[0].credentials.deviceTokens).toEqual(['a', 'b'])
  })
})
