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

describe.each(drivers)('credentials on %s', (driver) => {
  test('are those of the providers of the specification, and of no other', async (context) => {
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
})
