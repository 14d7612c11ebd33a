import { describe, expect, test } from 'vitest'
import { startTestService } from './service.fixture.ts'

const flow = (skip: unknown, type = 'sms') => ({
  ...{ name: 'W', workflowId: 'w', active: true },
  steps: [{ stepId: 's', name: 'S', type, controlValues: { body: 'b', skip } }],
})

describe('a skip rule', () => {
  test.for([
    [{ nope: [1, 2] }, 'the operator "nope" is unknown'],
    [{ and: [true, { if: [{ var: 'a' }, true, { isEmpty: 1 }] }] }, 'the operator "isEmpty" is unknown'],
    [{ constructor: [1] }, 'the operator "constructor" is unknown'],
    [{ '': [1] }, 'the operator "" is unknown'],
    [{ '==': [1, 1], '!': true }, 'a rule is an object with one operator'],
    [{ '==': [{ var: 'a' }, {}] }, 'a rule is an object with one operator'],
    ['payload.muted', 'a rule is an object with one operator, or true or false'],
    [1, 'a rule is an object with one operator, or true or false'],
  ] as const)('%j is rejected when it is saved', async ([skip, fault], context) => {
    const { call } = await startTestService('sqlite', context)
    const path = 'steps.0.controlValues.skip'
    const message = `is not a valid rule: ${fault}`
    const response = await call('POST', '/v2/workflows', flow(skip))
    expect([response.status, response.body.errors]).toEqual([422, { [path]: { messages: [message] } }])
    expect((await call('GET', '/v2/workflows/w')).status).toBe(404)
    await call('POST', '/v2/workflows', flow(undefined))
    const { workflowId: _, ...update } = flow(skip)
    const changed = await call('PUT', '/v2/workflows/w', { ...update, preferences: {} })
    expect([changed.status, Object.keys(changed.body.errors)]).toEqual([422, [path]])
  })

  test.for([
    [{}],
    [null],
    [true],
    [{ and: [{ '==': [{ var: 'payload.plan' }, 'free'] }, { '!': { in: ['a', ['a', 'b']] } }] }],
    [{ some: [{ var: 'payload.items' }, { '>': [{ var: '' }, 1] }] }],
  ])('accepts %j', async ([skip], context) => {
    const { call } = await startTestService('sqlite', context)
    expect((await call('POST', '/v2/workflows', flow(skip))).status).toBe(201)
  })

  test('of a code step can have any form', async (context) => {
    const { call } = await startTestService('sqlite', context)
    expect((await call('POST', '/v2/workflows', flow({ any: 'form' }, 'custom'))).status).toBe(201)
  })
})

test('rejects a bridge URL that cannot be called', async (context) => {
  const { call, environmentId } = await startTestService('sqlite', context)
  await call('POST', '/v2/workflows', flow(undefined))
  const writes: readonly (readonly [method: string, path: string, body: (url: string) => object, field: string])[] = [
    ['POST', '/v1/events/trigger', (bridgeUrl) => ({ name: 'w', to: 'ada', bridgeUrl }), 'bridgeUrl'],
    [
      'POST',
      '/v1/events/trigger/bulk',
      (url) => ({ events: [{ name: 'w', to: 'ada', bridgeUrl: url }] }),
      'events.0.bridgeUrl',
    ],
    ['POST', '/v1/events/trigger/broadcast', (bridgeUrl) => ({ name: 'w', bridgeUrl }), 'bridgeUrl'],
    ['POST', '/v2/contexts', (bridgeUrl) => ({ type: 'tenant', id: 'acme', bridgeUrl }), 'bridgeUrl'],
    ['PUT', `/v1/environments/${environmentId}`, (url) => ({ bridge: { url } }), 'bridge.url'],
  ]
  for (const [method, path, body, field] of writes) {
    for (const url of ['nonsense', 'javascript:alert(1)', 'ftp://example.org', 'example.org/bridge', 'http://']) {
      const { status, body: answer } = await call(method, path, body(url))
      expect([path, url, status, Object.keys(answer.errors ?? {})]).toEqual([path, url, 422, [field]])
    }
    expect([path, (await call(method, path, body('https://example.org/api/bridge'))).status]).toEqual([
      path,
      method === 'PUT' ? 200 : 201,
    ])
  }
})

test('removes the bridge of an environment for an empty URL', async (context) => {
  const { call, environmentId } = await startTestService('sqlite', context)
  const put = async (url: string) => (await call('PUT', `/v1/environments/${environmentId}`, { bridge: { url } })).body
  expect((await put('https://example.org')).data.bridge).toEqual({ url: 'https://example.org' })
  expect((await put('')).data).not.toHaveProperty('bridge')
})

test('rejects an endpoint URL that cannot be called', async (context) => {
  const { call, addSubscriber } = await startTestService('sqlite', context)
  await addSubscriber('ada')
  await call('POST', '/v1/integrations', { providerId: 'slack', channel: 'chat', identifier: 'slack', active: true })
  for (const [type, more] of [
    ['webhook', {}],
    ['grafana_oncall_integration', { authToken: 't' }],
    ['tool_webhook', { method: 'PUT' }],
  ] as const) {
    const at = (url: string) => ({ endpoint: { url, ...more } })
    const body = { subscriberId: 'ada', integrationIdentifier: 'slack', type, identifier: type }
    const path = `/v1/channel-endpoints/${type}`
    expect((await call('POST', '/v1/channel-endpoints', { ...body, ...at('https://example.org') })).status).toBe(201)
    for (const url of ['nonsense', 'javascript:alert(1)', 'example.org/hook', 'http://', '']) {
      const refused = [
        await call('POST', '/v1/channel-endpoints', { ...body, identifier: 'other', ...at(url) }),
        await call('PATCH', path, at(url)),
      ]
      for (const { status, body: answer } of refused)
        expect([type, url, status, Object.keys(answer.errors ?? {})]).toEqual([type, url, 422, ['endpoint.url']])
    }
    expect((await call('GET', path)).body.endpoint.url).toBe('https://example.org')
  }
})

const creations: readonly (readonly [path: string, body: (id: string) => object])[] = [
  ['/v2/subscribers', (subscriberId) => ({ subscriberId })],
  ['/v1/subscribers', (subscriberId) => ({ subscriberId })],
  ['/v2/topics', (key) => ({ key })],
  ['/v1/topics', (key) => ({ key, name: 'n' })],
  ['/v2/topics/news/subscriptions', (identifier) => ({ subscriptions: [{ identifier, subscriberId: 'ada' }] })],
  ['/v2/workflows', (workflowId) => ({ ...flow(undefined), workflowId })],
  ['/v2/workflows', (stepId) => ({ ...flow(undefined), steps: [{ stepId, name: 'S', type: 'sms' }] })],
  ['/v1/tenants', (identifier) => ({ identifier, name: 'n' })],
  ['/v1/events/trigger', (to) => ({ name: 'w', to })],
  ['/v1/events/trigger', (subscriberId) => ({ name: 'w', to: [{ subscriberId }] })],
  ['/v1/events/trigger', (tenant) => ({ name: 'w', to: 'ada', tenant })],
  ['/v2/layouts', (layoutId) => ({ layoutId, name: 'n' })],
  ['/v1/integrations', (identifier) => ({ providerId: 'slack', channel: 'chat', identifier })],
]

test('rejects a subscriber id of spaces, which no trigger accepts', async (context) => {
  const { call } = await startTestService('sqlite', context)
  for (const subscriberId of [' ', '\t', '\u00a0\n']) {
    const { status, text } = await call('POST', '/v2/subscribers', { subscriberId })
    expect([status, text]).toEqual([422, expect.stringContaining('must not consist of spaces only')])
  }
})

test.for(creations)('rejects an identifier of %s that cannot be part of a URL path', async ([path, body], context) => {
  const { call } = await startTestService('sqlite', context)
  await call('POST', '/v2/subscribers', { subscriberId: 'ada' })
  if (path.includes('trigger')) await call('POST', '/v2/workflows', flow(undefined))
  for (const id of ['.', '..']) {
    const answer = await call('POST', path, body(id))
    expect(answer.status, answer.text).toBe(422)
    expect(answer.text).toContain('cannot be part of a URL path')
  }
  for (const id of ['...', '.a', 'a.']) {
    const { text } = await call('POST', path, body(id))
    expect(text).not.toContain('cannot be part of a URL path')
  }
})
