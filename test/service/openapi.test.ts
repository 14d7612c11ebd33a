import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from './world.fixture.ts'

/** The operations of the API by what they are about; what the specification names is all here. */
const named: Readonly<Record<string, readonly string[]>> = {
  events: [
    'POST /v1/events/trigger',
    'POST /v1/events/trigger/bulk',
    'POST /v1/events/trigger/broadcast',
    'DELETE /v1/events/trigger/{}',
  ],
  subscribers: [
    ...[
      'GET /v1/subscribers',
      'POST /v1/subscribers',
      'POST /v1/subscribers/bulk',
      'GET /v1/subscribers/{}',
      'PUT /v1/subscribers/{}',
      'DELETE /v1/subscribers/{}',
    ],
    ...[
      'GET /v2/subscribers',
      'POST /v2/subscribers',
      'GET /v2/subscribers/{}',
      'PATCH /v2/subscribers/{}',
      'DELETE /v2/subscribers/{}',
    ],
    ...[
      'PUT /v1/subscribers/{}/credentials',
      'PATCH /v1/subscribers/{}/credentials',
      'DELETE /v1/subscribers/{}/credentials/{}',
    ],
    ...[
      'GET /v1/subscribers/{}/credentials/{}/oauth',
      'GET /v1/subscribers/{}/credentials/{}/oauth/callback',
      'PATCH /v1/subscribers/{}/online-status',
    ],
    ...[
      'GET /v2/subscribers/{}/preferences',
      'PATCH /v2/subscribers/{}/preferences',
      'PATCH /v2/subscribers/{}/preferences/bulk',
    ],
    ...[
      'GET /v1/subscribers/{}/preferences',
      'GET /v1/subscribers/{}/preferences/{}',
      'PATCH /v1/subscribers/{}/preferences/{}',
      'PATCH /v1/subscribers/{}/preferences',
    ],
    ...[
      'GET /v1/subscribers/{}/notifications/feed',
      'GET /v1/subscribers/{}/notifications/unseen',
      'POST /v1/subscribers/{}/messages/mark-as',
    ],
    ...[
      'POST /v1/subscribers/{}/messages/mark-all',
      'POST /v1/subscribers/{}/messages/{}/actions/{}',
      'GET /v2/subscribers/{}/subscriptions',
    ],
    ...['GET /v2/subscribers/{}/notifications', 'GET /v2/subscribers/{}/notifications/count'],
  ],
  topics: [
    ...['GET /v1/topics', 'POST /v1/topics', 'GET /v1/topics/{}', 'PATCH /v1/topics/{}', 'DELETE /v1/topics/{}'],
    ...['POST /v1/topics/{}/subscribers', 'GET /v1/topics/{}/subscribers/{}', 'POST /v1/topics/{}/subscribers/removal'],
    ...['GET /v2/topics', 'POST /v2/topics', 'GET /v2/topics/{}', 'PATCH /v2/topics/{}', 'DELETE /v2/topics/{}'],
    ...[
      'POST /v2/topics/{}/subscriptions',
      'DELETE /v2/topics/{}/subscriptions',
      'GET /v2/topics/{}/subscriptions',
      'GET /v2/topics/{}/subscriptions/{}',
      'PATCH /v2/topics/{}/subscriptions/{}',
    ],
  ],
  activity: [
    'GET /v1/notifications',
    'GET /v1/notifications/stats',
    'GET /v1/notifications/graph/stats',
    'GET /v1/notifications/{}',
    'GET /v1/messages',
    'DELETE /v1/messages/{}',
    'DELETE /v1/messages/transaction/{}',
    'GET /v1/execution-details',
  ],
  workflows: [
    ...[
      'GET /v1/workflows',
      'POST /v1/workflows',
      'GET /v1/workflows/{}',
      'PUT /v1/workflows/{}',
      'PUT /v1/workflows/{}/status',
      'DELETE /v1/workflows/{}',
    ],
    ...[
      'GET /v2/workflows',
      'POST /v2/workflows',
      'GET /v2/workflows/{}',
      'PUT /v2/workflows/{}',
      'PATCH /v2/workflows/{}',
      'DELETE /v2/workflows/{}',
    ],
    ...['GET /v2/workflows/{}/steps/{}', 'POST /v2/workflows/{}/step/{}/preview', 'PUT /v2/workflows/{}/sync'],
    ...[
      'POST /v1/workflow-overrides',
      'GET /v1/workflow-overrides',
      'GET /v1/workflow-overrides/workflows/{}/tenants/{}',
      'GET /v1/workflow-overrides/{}',
      'PUT /v1/workflow-overrides/{}',
      'PUT /v1/workflow-overrides/workflows/{}/tenants/{}',
      'DELETE /v1/workflow-overrides/{}',
    ],
    ...[
      'GET /v1/notification-groups',
      'POST /v1/notification-groups',
      'GET /v1/notification-groups/{}',
      'PATCH /v1/notification-groups/{}',
      'DELETE /v1/notification-groups/{}',
    ],
    ...['GET /v1/tenants', 'POST /v1/tenants', 'GET /v1/tenants/{}', 'PATCH /v1/tenants/{}', 'DELETE /v1/tenants/{}'],
  ],
  delivery: [
    ...[
      'GET /v1/integrations',
      'GET /v1/integrations/active',
      'GET /v1/integrations/webhook/provider/{}/status',
      'POST /v1/integrations',
      'PUT /v1/integrations/{}',
      'DELETE /v1/integrations/{}',
      'POST /v1/integrations/{}/set-primary',
    ],
    ...[
      'GET /v1/layouts',
      'POST /v1/layouts',
      'GET /v1/layouts/{}',
      'PATCH /v1/layouts/{}',
      'DELETE /v1/layouts/{}',
      'POST /v1/layouts/{}/default',
    ],
    ...[
      'GET /v2/layouts',
      'POST /v2/layouts',
      'GET /v2/layouts/{}',
      'PUT /v2/layouts/{}',
      'DELETE /v2/layouts/{}',
      'POST /v2/layouts/{}/duplicate',
      'POST /v2/layouts/{}/preview',
      'GET /v2/layouts/{}/usage',
    ],
    ...[
      'GET /v1/feeds',
      'POST /v1/feeds',
      'DELETE /v1/feeds/{}',
      'GET /v1/blueprints/group-by-category',
      'GET /v1/blueprints/{}',
    ],
    ...[
      'GET /v2/contexts',
      'POST /v2/contexts',
      'GET /v2/contexts/{}/{}',
      'PATCH /v2/contexts/{}/{}',
      'DELETE /v2/contexts/{}/{}',
    ],
    ...[
      'GET /v1/channel-connections',
      'POST /v1/channel-connections',
      'GET /v1/channel-connections/{}',
      'PATCH /v1/channel-connections/{}',
      'DELETE /v1/channel-connections/{}',
    ],
    ...[
      'GET /v1/channel-endpoints',
      'POST /v1/channel-endpoints',
      'GET /v1/channel-endpoints/{}',
      'PATCH /v1/channel-endpoints/{}',
      'DELETE /v1/channel-endpoints/{}',
    ],
  ],
  environments: [
    ...[
      'GET /v1/environments',
      'GET /v1/environments/me',
      'POST /v1/environments',
      'PUT /v1/environments/{}',
      'DELETE /v1/environments/{}',
      'GET /v1/environments/api-keys',
      'POST /v1/environments/api-keys/regenerate',
    ],
    ...[
      'GET /v1/environment-variables',
      'POST /v1/environment-variables',
      'GET /v1/environment-variables/{}',
      'PATCH /v1/environment-variables/{}',
      'DELETE /v1/environment-variables/{}',
      'GET /v1/environment-variables/{}/usage',
    ],
    ...[
      'POST /v1/bridge/sync',
      'POST /v1/bridge/validate',
      'POST /v1/bridge/diff',
      'GET /v1/bridge/controls/{}/{}',
      'PUT /v1/bridge/controls/{}/{}',
      'GET /v1/bridge/status',
    ],
  ],
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: object
}
interface Described {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>
}

let world: World
let document: {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}
let served: readonly { readonly line: string; readonly path: string; readonly described: Described }[]

beforeAll(async () => {
  world = await startWorld()
  document = (await (await fetch(`${world.service.url}/openapi.json`)).json()) as typeof document
  served = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => ({
      line: `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
      path,
      described,
    })),
  )
})
afterAll(() => world.stop())

test.each(Object.entries(named))('describes every operation on %s', (_resource, lines) => {
  const all = served.map(({ line }) => line)
  expect(lines.filter((line) => !all.includes(line))).toEqual([])
})

test('is OpenAPI 3.1 with unique names, every parameter of a path, and every reference resolved', () => {
  expect(document.openapi).toBe('3.1.0')
  const names = served.map(({ described }) => described.operationId)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const { path, described } of served) {
    const inPath = described.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  }
  const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'))
  expect(new Set(shapes).size).toBe(shapes.length)
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, found = '']) => found)
  expect(references.length).toBeGreaterThan(0)
  for (const reference of new Set(references)) {
    const target = reference.split('/').reduce<unknown>((value, name) => Reflect.get(value as object, name), document)
    expect(target, reference).toBeDefined()
  }
})

test('declares the errors of the specification for every operation', () => {
  const statuses = ['400', '401', '403', '404', '405', '409', '413', '414', '415', '422', '429', '500', '503']
  for (const { line, described } of served)
    expect(Object.keys(described.responses), line).toEqual(expect.arrayContaining(statuses))
})

test('declares the headers of every response', () => {
  const names = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy']
  for (const { line, described } of served)
    for (const [status, { headers = {} }] of Object.entries(described.responses)) {
      const declared = Object.keys(headers)
      if (status === '414') expect(declared, line).toEqual([])
      else expect(declared, `${line} ${status}`).toEqual(expect.arrayContaining([...names, 'Idempotency-Replay']))
      expect(declared.includes('Retry-After'), `${line} ${status}`).toBe(['409', '429', '503'].includes(status))
    }
})

test('describes both answers of an operation that creates or updates', () => {
  const responses = served.find(({ line }) => line === 'POST /v2/topics')?.described.responses ?? {}
  expect(responses).toMatchObject({ 200: { content: {} }, 201: { content: {} } })
})

test('declares numbers, truth values and objects as what they are, with their defaults', () => {
  const numbers = ['page', 'pageSize', 'limit', 'offset', 'days']
  const flags = ['includeCursor', 'failIfExists', 'read', 'seen', 'archived', 'snoozed']
  const inQuery = served.flatMap(({ described, line }) =>
    described.parameters.filter((each) => each.in === 'query').map((each) => ({ ...each, line })),
  )
  for (const { name, line, schema } of inQuery) {
    const type = numbers.includes(name) ? 'integer' : flags.includes(name) ? 'boolean' : undefined
    if (type) expect(schema, `${line} ${name}`).toMatchObject({ type })
    expect(JSON.stringify(schema), `${line} ${name}`).not.toMatch(/"true"|\\d\{1,15\}/)
  }
  const topics = inQuery.filter(({ line }) => line === 'GET /v1/topics').map(({ name, schema }) => [name, schema])
  expect(topics).toEqual([
    ['page', { type: 'integer', minimum: 0, maximum: expect.any(Number), default: 0 }],
    ['pageSize', { type: 'integer', minimum: 1, maximum: 10, default: 10 }],
    ['key', { type: 'string', maxLength: 500 }],
  ])
  const trigger = JSON.stringify(document.paths['/v1/events/trigger']?.['post'])
  for (const name of ['payload', 'overrides']) expect(trigger).toContain(`"${name}":{"type":"object"}`)
})
