import { expect, test } from 'vitest'
import { startTestService } from './service.fixture.ts'

const json = (text: string): unknown => JSON.parse(text)
const workflow = (fields: object) => ({ name: 'W', workflowId: 'w', steps: [], ...fields })

// This field name is easily lost during parsing. A value that was not stored must not be returned as if it were.
test('keeps a field named __proto__ if any name is allowed, and rejects it otherwise', async (context) => {
  const { call, addSubscriber } = await startTestService('sqlite', context)
  await addSubscriber('ada')
  await call('POST', '/v1/integrations', {
    providerId: 'tool-webhook',
    channel: 'tool',
    identifier: 'hook',
    active: true,
  })
  await call('POST', '/v1/notification-groups', { name: 'G' })
  const [{ _id: notificationGroupId }] = (await call('GET', '/v1/notification-groups')).body.data
  const texts = json('{ "__proto__": { "a": "b" } }')
  const refused: readonly (readonly [string, string, unknown, string])[] = [
    ['POST', '/v2/workflows', workflow({ preferences: { user: { channels: texts } } }), 'preferences.user.channels'],
    [
      'POST',
      '/v2/workflows',
      workflow({ preferences: { user: { channels: { fax: { enabled: true } } } } }),
      'preferences.user.channels',
    ],
    [
      ...(['POST', '/v1/workflows'] as const),
      { name: 'V', notificationGroupId, steps: [], preferenceSettings: json('{ "__proto__": true }') },
      'preferenceSettings',
    ],
    ...[{ template: { type: 'sms', ...(texts as object) } }, { template: { type: 'sms' }, ...(texts as object) }].map(
      (step, index) =>
        [
          ...(['POST', '/v1/workflows'] as const),
          { name: `S${index}`, notificationGroupId, steps: [step] },
          index === 0 ? 'steps.0.template' : 'steps.0',
        ] as const,
    ),
    [
      'POST',
      '/v2/translations/master-json',
      { locale: 'en_US', masterJson: { workflows: texts } },
      'masterJson.workflows',
    ],
    ['POST', '/v2/translations/master-json', { locale: 'en_US', masterJson: { layouts: texts } }, 'masterJson.layouts'],
    [
      ...(['POST', '/v1/channel-endpoints'] as const),
      {
        ...{ subscriberId: 'ada', integrationIdentifier: 'hook', type: 'tool_webhook' },
        endpoint: { url: 'https://example.org', headers: json('{ "__proto__": "x" }') },
      },
      'endpoint.headers',
    ],
  ]
  for (const [method, path, body, field] of refused) {
    const answer = await call(method, path, body)
    expect([path, field, answer.status]).toEqual([path, field, 422])
    expect(Object.keys(answer.body.errors)[0]).toContain(field)
  }
  const filters = encodeURIComponent('[{ "data": { "__proto__": 1 } }]')
  const counted = await call('GET', `/v2/subscribers/ada/notifications/count?filters=${filters}`)
  expect(counted.text).toContain('"__proto__"')
})
