import { createHmac, hkdfSync } from 'node:crypto'
import { Validator } from '@cfworker/json-schema'
import { type ApiClient, createApiClient, operations } from '@trestle/api-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RecordedExample, readExamples, writeExamples } from './recorded-examples.ts'
import { productionKey, secretKey, startWorld, type World } from './world.fixture.ts'

// Every operation of this repository's typed client, one row each, in an order in which each finds its prerequisites.
// With RECORD_EXAMPLES=1 the calls become the examples of the API reference; then run `npm run generate`.

let world: World
let client: ApiClient
const kept: Record<string, string> = {}
const recorded = new Map<string, RecordedExample>()

beforeAll(async () => {
  world = await startWorld()
  const described = (await (await fetch(`${world.service.url}/openapi.json`)).json()) as Described
  client = createApiClient({
    secretKey,
    apiUrl: world.service.url,
    async fetch(input, init) {
      // An environment is deleted with its own key.
      const isStaging = init?.method === 'DELETE' && String(input).endsWith(`/v1/environments/${kept['staging']}`)
      const headers = {
        ...init?.headers,
        ...(isStaging ? { authorization: `ApiKey ${kept['stagingKey']}` } : {}),
        // A workflow is copied with the keys of both environments.
        ...(String(input).endsWith('/sync') ? { 'target-authorization': `ApiKey ${productionKey}` } : {}),
      }
      const response = await fetch(input, { ...init, headers })
      answered = {
        described,
        method: init?.method ?? 'GET',
        request: init?.body,
        status: response.status,
        contentType: response.headers.get('content-type'),
        text: await response.clone().text(),
      }
      return response
    },
  })
})
afterAll(async () => {
  await world.stop()
  if (process.env['RECORD_EXAMPLES']) writeExamples(recorded)
})

interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema: object; readonly example?: unknown } }
}

/** The parts of the OpenAPI document that the test reads. */
interface Described {
  readonly components: object
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string
            readonly requestBody?: Content
            readonly responses: Readonly<Record<string, Content>>
          }
        >
      >
    >
  >
}
let answered: {
  described: Described
  method: string
  request: unknown
  status: number
  contentType: string | null
  text: string
}

/** Asserts that the last response matches the description of its operation, and records the call. */
function expectDescribed(operation: string, path: string): void {
  const { described, method, request, status, contentType, text } = answered
  expect(contentType).toMatch(/^application\/json(;|$)/)
  // Names of parameters only matter within the document.
  const shape = (text: string): string => text.replaceAll(/\{\w+\}/g, '{}')
  const describedPath = Object.keys(described.paths).find((each) => shape(each) === shape(path)) ?? ''
  const response = described.paths[describedPath]?.[method.toLowerCase()]?.responses[status]
  expect(response, `${method} ${path} ${status} is not described`).toBeDefined()
  const schema = response?.content?.['application/json']?.schema
  recorded.set(operation, {
    ...(typeof request === 'string' && { request: JSON.parse(request) }),
    ...(text !== '' && { response: JSON.parse(text) }),
  })
  if (schema) expectValid(described, schema, JSON.parse(text))
  else expect(text).toBe('')
}

function expectValid({ components }: Described, schema: object, value: unknown): void {
  const { valid, errors } = new Validator({ ...schema, components }, '2020-12', false).validate(value)
  expect(valid, JSON.stringify(errors.slice(0, 3))).toBe(true)
}

interface Answer {
  readonly status: number
  readonly data: never
}
type Row = readonly [
  operation: string,
  input: object | (() => object | Promise<object>),
  expected?: object | undefined,
  keep?: (data: never) => void,
]

const ada = { subscriberId: 'ada' }
const id = (name: string) => (data: { readonly _id: string }) => {
  kept[name] = data._id
}

const item = () => ({ ...ada, notificationId: kept['inbox'] })

const rows: readonly Row[] = [
  [
    'environments.list',
    {},
    [{ name: 'Development' }, { name: 'Production' }],
    ((data: { _id: string }[]) => {
      kept['production'] = data[1]?._id ?? ''
    }) as never,
  ],
  ['environments.getCurrent', {}, { name: 'Development' }, id('development') as never],
  [
    'environments.create',
    { body: { name: 'Staging' } },
    { name: 'Staging' },
    ((data: { _id: string; apiKeys: [{ key: string }] }) => {
      kept['staging'] = data._id
      kept['stagingKey'] = data.apiKeys[0].key
    }) as never,
  ],
  ['environments.update', () => ({ environmentId: kept['development'], body: { color: '#fff' } }), { color: '#fff' }],
  ['environments.delete', () => ({ environmentId: kept['staging'] })],
  ['bridge.validate', () => ({ body: { bridgeUrl: world.bridgeUrl } }), { isValid: true }],
  [
    'bridge.sync',
    () => ({ body: { bridgeUrl: world.bridgeUrl } }),
    [{ name: 'welcome' }, { name: 'reminder' }],
    ((data: { _id: string }[]) => {
      kept['welcome'] = data[0]?._id ?? ''
    }) as never,
  ],
  ['bridge.getStatus', {}, { status: 'ok' }],
  ['bridge.previewStep', { workflowId: 'welcome', stepId: 'mail', body: {} }, { outputs: { subject: 'Welcome' } }],
  [
    'bridge.diff',
    () => ({ body: { bridgeUrl: world.bridgeUrl } }),
    { new: { workflows: [{ workflowId: 'welcome' }, { workflowId: 'reminder' }] } },
  ],
  [
    'bridge.updateControls',
    { workflowId: 'welcome', stepId: 'mail', body: { variables: { subject: 'Hi' } } },
    { controls: { subject: 'Hi' } },
  ],
  ['bridge.getControls', { workflowId: 'welcome', stepId: 'mail' }, { controls: { subject: 'Hi' } }],
  ['subscribers.create', { body: { subscriberId: 'ada', email: 'ada@example.org' } }, ada],
  ['subscribers.createV1', { body: { subscriberId: 'bob' } }, { subscriberId: 'bob' }],
  [
    'subscribers.createBulk',
    { body: { subscribers: [{ subscriberId: 'cy' }, { subscriberId: 'dan' }] } },
    { created: [{ subscriberId: 'cy' }, { subscriberId: 'dan' }] },
  ],
  ['subscribers.search', { query: { limit: 2 } }, { totalCount: 4 }],
  ['subscribers.listV1', { query: { limit: 3 } }, { hasMore: true, pageSize: 3 }],
  ['subscribers.get', ada, ada],
  ['subscribers.getV1', ada, ada],
  ['subscribers.update', { ...ada, body: { firstName: 'Ada' } }, { firstName: 'Ada' }],
  ['subscribers.patch', { ...ada, body: { lastName: 'L' } }, { firstName: 'Ada', lastName: 'L' }],
  ['subscribers.delete', { subscriberId: 'cy' }, { acknowledged: true, status: 'deleted' }],
  ['subscribers.deleteV1', { subscriberId: 'dan' }, { acknowledged: true }],
  ['subscribers.updateOnlineStatus', { ...ada, body: { isOnline: true } }, { isOnline: true }],
  [
    'integrations.create',
    {
      body: {
        providerId: 'slack',
        channel: 'chat',
        identifier: 'slack',
        active: true,
        credentials: {
          hmac: true,
          clientId: 'client',
          secretKey: 'secret',
          redirectUrl: 'https://app.example.org/back',
        },
      },
    },
    { identifier: 'slack' },
    id('slack') as never,
  ],
  ['integrations.list', {}],
  ['integrations.listActive', {}],
  ['integrations.update', () => ({ integrationId: kept['slack'], body: { name: 'Slack' } }), { name: 'Slack' }],
  [
    'subscribers.updateCredentials',
    { ...ada, body: { providerId: 'slack', credentials: { webhookUrl: 'https://hooks.example.org/a' } } },
    { channels: [{ providerId: 'slack' }] },
  ],
  [
    'subscribers.appendCredentials',
    { ...ada, body: { providerId: 'slack', credentials: { channel: 'c' } } },
    { channels: [{ credentials: { channel: 'c', webhookUrl: 'https://hooks.example.org/a' } }] },
  ],
  ['subscribers.deleteCredentials', { ...ada, providerId: 'slack' }],
  [
    'subscribers.oauth',
    () => {
      const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'trestle/subscriber-hash', 32))
      const hmacHash = createHmac('sha256', key).update('ada').digest('hex')
      return { ...ada, providerId: 'slack', query: { hmacHash, environmentId: kept['development'] ?? '' } }
    },
    { url: expect.stringContaining('https://slack.com/oauth/') },
  ],
  ['topics.create', { body: { key: 'team' } }, { key: 'team' }],
  ['topics.createV1', { body: { key: 'club', name: 'Club' } }, { key: 'club' }],
  ['topics.list', {}, { totalCount: 2 }],
  [
    'topics.listV1',
    { query: { key: 'club' } },
    { totalCount: 1, page: 0, pageSize: 10, data: [{ key: 'club', name: 'Club', subscribers: [] }] },
  ],
  ['topics.get', { topicKey: 'team' }, { key: 'team' }],
  ['topics.getV1', { topicKey: 'club' }, { key: 'club', subscribers: [] }],
  ['topics.update', { topicKey: 'team', body: { name: 'Team' } }, { name: 'Team' }],
  ['topics.renameV1', { topicKey: 'club', body: { name: 'The club' } }, { name: 'The club' }],
  ['topics.subscribe', { topicKey: 'team', body: { subscriptions: ['ada'] } }, { meta: { successful: 1 } }],
  [
    'topics.addSubscribersV1',
    { topicKey: 'club', body: { subscribers: ['ada', 'nobody'] } },
    { succeeded: ['ada'], failed: { notFound: ['nobody'] } },
  ],
  ['topics.checkSubscriber', { topicKey: 'club', subscriberId: 'ada' }, { externalSubscriberId: 'ada' }],
  [
    'topics.listSubscriptions',
    { topicKey: 'team' },
    { totalCount: 1 },
    ((data: { data: { identifier: string }[] }) => {
      kept['subscription'] = data.data[0]?.identifier ?? ''
    }) as never,
  ],
  ['subscribers.listSubscriptions', ada, { totalCount: 2 }],
  ['topics.getSubscription', () => ({ topicKey: 'team', identifier: kept['subscription'] })],
  [
    'topics.updateSubscription',
    () => ({ topicKey: 'team', identifier: kept['subscription'], body: { name: 'mine' } }),
    { name: 'mine' },
  ],
  ['topics.unsubscribe', { topicKey: 'team', body: { subscriptions: ['ada'] } }, { meta: { successful: 1 } }],
  ['topics.removeSubscribersV1', { topicKey: 'club', body: { subscribers: ['ada'] } }],
  ['topics.deleteV1', { topicKey: 'club' }],
  ['topics.delete', { topicKey: 'team' }, { acknowledged: true }],
  ['workflowGroups.create', { body: { name: 'Billing' } }, { name: 'Billing' }, id('group') as never],
  ['workflowGroups.list', {}, [{ name: 'General' }, { name: 'Billing' }]],
  ['workflowGroups.get', () => ({ groupId: kept['group'] }), { name: 'Billing' }],
  ['workflowGroups.update', () => ({ groupId: kept['group'], body: { name: 'Bills' } }), { name: 'Bills' }],
  [
    'workflows.create',
    { body: { name: 'News', workflowId: 'news', steps: [{ name: 'Mail', type: 'email' }] } },
    { workflowId: 'news' },
  ],
  [
    'workflows.createV1',
    () => ({
      body: {
        name: 'Old news',
        notificationGroupId: kept['group'],
        steps: [{ template: { type: 'sms', content: 'Hi' } }],
      },
    }),
    { name: 'Old news', steps: [{ template: { type: 'sms', content: 'Hi' } }] },
    id('old') as never,
  ],
  ['workflows.list', {}, { totalCount: 4 }],
  ['workflows.listV1', {}, { totalCount: 4 }],
  ['workflows.get', { workflowId: 'news' }, { workflowId: 'news' }],
  ['workflows.getV1', () => ({ workflowId: kept['old'] }), { name: 'Old news' }],
  [
    'workflows.update',
    { workflowId: 'news', body: { name: 'The news', steps: [], preferences: { user: null } } },
    { name: 'The news', steps: [] },
  ],
  ['workflows.updateV1', () => ({ workflowId: kept['old'], body: { description: 'old' } }), { description: 'old' }],
  ['workflows.patch', { workflowId: 'news', body: { active: true } }, { active: true }],
  ['workflows.updateStatusV1', () => ({ workflowId: kept['old'], body: { active: true } }), { active: true }],
  ['workflows.getStep', { workflowId: 'welcome', stepId: 'mail' }, { stepId: 'mail' }],
  [
    'workflows.previewStep',
    { workflowId: 'welcome', stepId: 'mail', body: {} },
    { result: { type: 'email', preview: { subject: 'Welcome' } } },
  ],
  [
    'workflows.syncTo',
    () => ({ workflowId: 'news', body: { targetEnvironmentId: kept['production'] } }),
    { workflowId: 'news' },
  ],
  ['tenants.create', { body: { identifier: 'acme' } }, { identifier: 'acme' }],
  ['tenants.list', {}, { hasMore: false, data: [{ identifier: 'acme' }] }],
  ['tenants.get', { identifier: 'acme' }, { identifier: 'acme' }],
  ['tenants.update', { identifier: 'acme', body: { name: 'Acme' } }, { name: 'Acme' }],
  [
    'workflowOverrides.create',
    { body: { workflowId: 'welcome', tenantId: 'acme', active: true } },
    { active: true },
    id('override') as never,
  ],
  ['workflowOverrides.list', {}, { hasMore: false, data: [{ active: true }] }],
  ['workflowOverrides.get', { workflowId: 'welcome', tenantId: 'acme' }, { active: true }],
  ['workflowOverrides.getById', () => ({ overrideId: kept['override'] }), { active: true }],
  [
    'workflowOverrides.update',
    { workflowId: 'welcome', tenantId: 'acme', body: { preferenceSettings: { email: false } } },
    { preferenceSettings: { email: false } },
  ],
  [
    'workflowOverrides.updateById',
    () => ({ overrideId: kept['override'], body: { active: false } }),
    { active: false, preferenceSettings: { email: false } },
  ],
  ['workflowOverrides.delete', () => ({ overrideId: kept['override'] })],
  ['tenants.delete', { identifier: 'acme' }],
  ['workflows.deleteV1', () => ({ workflowId: kept['old'] })],
  ['workflows.delete', { workflowId: 'news' }],
  ['workflowGroups.delete', () => ({ groupId: kept['group'] }), { acknowledged: true }],
  [
    'events.trigger',
    { body: { name: 'welcome', to: 'ada', payload: { name: 'Ada' } } },
    { status: 'processed' },
    ((data: { transactionId: string }) => {
      kept['transaction'] = data.transactionId
    }) as never,
  ],
  ['events.triggerBulk', { body: { events: [{ name: 'welcome', to: 'bob' }] } }, [{ status: 'processed' }]],
  ['events.broadcast', { body: { name: 'welcome', payload: {} } }, { status: 'processed' }],
  ['events.emit', { body: { name: 'acknowledged', payload: { id: '7' } } }, { acknowledged: true }],
  ['events.cancel', { transactionId: 'nothing' }],
  [
    'notifications.list',
    async () => {
      await vi.waitFor(
        async () => {
          const { data } = (await world.call(`GET /v1/notifications?transactionId=${kept['transaction']}`)) as {
            data: { _id: string; status: string }[]
          }
          expect(data[0]?.status).toBe('completed')
          kept['run'] = data[0]?._id ?? ''
        },
        { timeout: 10_000, interval: 100 },
      )
      return { query: { transactionId: kept['transaction'] } }
    },
    { data: [{ status: 'completed' }] },
  ],
  [
    'notifications.get',
    () => ({ notificationId: kept['run'] }),
    { status: 'completed', jobs: [{ status: 'completed' }, { status: 'completed' }] },
  ],
  [
    'notifications.getRecording',
    () => ({ notificationId: kept['run'] }),
    { status: 'completed', steps: [{ status: 'completed' }, { status: 'completed' }] },
  ],
  ['notifications.getStatistics', {}, { weeklySent: expect.any(Number), monthlySent: expect.any(Number) }],
  ['notifications.getGraphStatistics', { query: { days: 5 } }, [{ channels: ['in_app', 'email'] }]],
  [
    'executionDetails.list',
    () => ({ query: { notificationId: kept['run'], subscriberId: 'ada' } }),
    expect.arrayContaining([expect.objectContaining({ status: 'Success' })]),
  ],
  [
    'messages.list',
    () => ({ query: { transactionId: [kept['transaction']] } }),
    { page: 0 },
    ((data: { data: { _id: string; channel: string }[] }) => {
      kept['inbox'] = data.data.find((message) => message.channel === 'in_app')?._id ?? ''
      kept['mail'] = data.data.find((message) => message.channel === 'email')?._id ?? ''
    }) as never,
  ],
  ['subscribers.getFeed', ada, { page: 0 }],
  ['subscribers.getUnseenCount', ada, { count: expect.any(Number) }],
  [
    'subscribers.markMessages',
    () => ({ ...ada, body: { messageId: kept['inbox'], markAs: 'read' } }),
    [{ read: true, seen: true }],
  ],
  [
    'markAs',
    () => world.call('POST /v1/subscribers/ada/messages/markAs', { messageId: kept['inbox'], mark: { seen: true } }),
  ],
  ['inbox.list', ada, { hasMore: false }],
  ['inbox.count', { ...ada, query: { filters: JSON.stringify([{ read: false }]) } }],
  ['inbox.markUnread', item, { isRead: false }],
  ['inbox.markRead', item, { isRead: true }],
  ['inbox.archive', item, { isArchived: true }],
  ['inbox.unarchive', item, { isArchived: false }],
  [
    'inbox.snooze',
    () => ({ ...item(), body: { snoozeUntil: new Date(Date.now() + 3_600_000).toISOString() } }),
    { isSnoozed: true },
  ],
  ['inbox.unsnooze', item, { isSnoozed: false }],
  ['inbox.completeAction', () => ({ ...item(), type: 'primary' }), { primaryAction: { isCompleted: true } }],
  ['inbox.revertAction', () => ({ ...item(), type: 'primary' }), { primaryAction: { isCompleted: false } }],
  ['inbox.markAllSeen', { ...ada, body: {} }],
  ['inbox.markAllRead', { ...ada, body: {} }],
  ['subscribers.markAction', () => ({ ...ada, messageId: kept['inbox'], type: 'primary', body: { status: 'done' } })],
  ['subscribers.markAllMessages', { ...ada, body: { markAs: 'unread' } }],
  ['inbox.archiveAllRead', { ...ada, body: {} }],
  ['inbox.archiveAll', { ...ada, body: {} }],
  [
    'inbox.delete',
    async () => {
      const { data } = (await world.call('GET /v2/subscribers/bob/notifications')) as { data: { id: string }[] }
      return { subscriberId: 'bob', notificationId: data[0]?.id }
    },
  ],
  ['inbox.deleteAll', { subscriberId: 'bob', body: {} }],
  ['messages.delete', () => ({ messageId: kept['mail'] }), { acknowledged: true }],
  ['messages.deleteByTransaction', () => ({ transactionId: kept['transaction'] })],
  ['subscribers.getPreferences', ada, { global: { enabled: true } }],
  [
    'subscribers.updatePreferences',
    { ...ada, body: { workflowId: 'welcome', channels: { email: false } } },
    { global: { enabled: true } },
  ],
  [
    'subscribers.updatePreferencesBulk',
    { ...ada, body: { preferences: [{ workflowId: 'welcome', channels: { in_app: false } }] } },
    [{ channels: { email: false, in_app: false } }],
  ],
  [
    'subscribers.getPreferencesV1',
    ada,
    [{ template: { name: 'welcome' }, preference: { channels: { email: false, in_app: false } } }, {}],
  ],
  ['subscribers.getPreferencesByLevel', { ...ada, level: 'global' }, [{ preference: { enabled: true } }]],
  [
    'subscribers.updatePreferenceV1',
    () => ({ ...ada, templateId: kept['welcome'], body: { channel: { type: 'email', enabled: true } } }),
    { preference: { channels: { email: true, in_app: false } } },
  ],
  ['subscribers.updateGlobalPreferencesV1', { ...ada, body: { enabled: false } }, { preference: { enabled: false } }],
  ['feeds.create', { body: { name: 'News' } }, { name: 'News', identifier: 'news' }, id('feed') as never],
  ['feeds.list', {}, [{ name: 'News' }]],
  ['feeds.delete', () => ({ feedId: kept['feed'] }), []],
  [
    'layouts.createV1',
    { body: { name: 'Frame', identifier: 'frame', content: '<p>{{{body}}}</p>' } },
    undefined,
    id('frame') as never,
  ],
  ['layouts.listV1', {}, { page: 0 }],
  ['layouts.getV1', () => ({ layoutId: kept['frame'] }), { name: 'Frame' }],
  ['layouts.updateV1', () => ({ layoutId: kept['frame'], body: { name: 'The frame' } }), { name: 'The frame' }],
  ['layouts.setDefaultV1', () => ({ layoutId: kept['frame'] })],
  ['layouts.create', { body: { layoutId: 'second', name: 'Second' } }, { layoutId: 'second' }],
  ['layouts.list', {}, { totalCount: 2 }],
  ['layouts.get', { layoutId: 'second' }, { name: 'Second' }],
  ['layouts.update', { layoutId: 'second', body: { name: 'The second' } }, { name: 'The second' }],
  ['layouts.duplicate', { layoutId: 'second', body: { name: 'Copy', layoutId: 'copy' } }, { name: 'Copy' }],
  ['layouts.preview', { layoutId: 'second', body: {} }],
  ['layouts.getUsage', { layoutId: 'second' }, { workflows: [] }],
  [
    'translations.create',
    { body: { resourceType: 'layout', resourceId: 'second', locale: 'de_DE', content: { hi: 'Hallo' } } },
    { locale: 'de_DE', content: { hi: 'Hallo' } },
  ],
  ['translations.get', { resourceType: 'layout', resourceId: 'second', locale: 'de_DE' }, { content: { hi: 'Hallo' } }],
  ['translations.getGroup', { resourceType: 'layout', resourceId: 'second' }, { locales: ['de_DE'] }],
  ['translations.getMaster', { query: { locale: 'de_DE' } }, { layouts: { second: { hi: 'Hallo' } } }],
  [
    'translations.importMaster',
    { body: { locale: 'fr_FR', masterJson: { layouts: { second: { hi: 'Salut' } } } } },
    { success: true, successful: ['second'] },
  ],
  ['translations.delete', { resourceType: 'layout', resourceId: 'second', locale: 'fr_FR' }],
  ['translations.deleteGroup', { resourceType: 'layout', resourceId: 'second' }],
  ['layouts.delete', { layoutId: 'copy' }],
  [
    'layouts.deleteV1',
    async () => {
      const { _id } = (await world.call('GET /v2/layouts/second')) as { _id: string }
      return { layoutId: _id }
    },
  ],
  [
    'integrations.setPrimary',
    async () => {
      const integration = (await world.call('POST /v1/integrations', {
        providerId: 'nodemailer',
        channel: 'email',
        active: true,
        credentials: { host: 'mail.example.org', port: '25', from: 'a@example.org' },
      })) as { data?: { _id: string }; _id?: string }
      kept['mailer'] = integration.data?._id ?? integration._id ?? ''
      return { integrationId: kept['mailer'] }
    },
  ],
  ['integrations.getWebhookStatus', () => ({ providerOrIntegrationId: kept['mailer'] })],
  ['integrations.delete', () => ({ integrationId: kept['mailer'] })],
  ['environmentVariables.create', { body: { key: 'BASE_URL' } }, { key: 'BASE_URL' }],
  ['environmentVariables.list', {}, [{ key: 'BASE_URL' }]],
  ['environmentVariables.get', { variableKey: 'BASE_URL' }, { key: 'BASE_URL' }],
  ['environmentVariables.update', { variableKey: 'BASE_URL', body: { isSecret: true } }, { isSecret: true }],
  ['environmentVariables.getUsage', { variableKey: 'BASE_URL' }, { workflows: [] }],
  ['environmentVariables.delete', { variableKey: 'BASE_URL' }],
  [
    'blueprints.listByCategory',
    {},
    { general: expect.any(Array), popular: expect.any(Object) },
    ((data: { general: { blueprints: { _id: string }[] }[] }) => {
      kept['blueprint'] = data.general[0]?.blueprints[0]?._id ?? ''
    }) as never,
  ],
  ['blueprints.get', () => ({ blueprintId: kept['blueprint'] }), { _id: expect.any(String) }],
  ['domains.create', { body: { name: 'mail.example.org' } }, { name: 'mail.example.org', status: 'pending' }],
  ['domains.list', {}, { totalCount: 1 }],
  ['domains.get', { domain: 'mail.example.org' }, { name: 'mail.example.org' }],
  [
    'domains.update',
    { domain: 'mail.example.org', body: { data: { team: 'support' } } },
    { data: { team: 'support' } },
  ],
  ['domains.getAutoConfigure', { domain: 'mail.example.org' }, { available: false }],
  [
    'domains.createRoute',
    { domain: 'mail.example.org', body: { address: 'help', type: 'webhook', webhookUrl: 'https://example.org/mail' } },
    { address: 'help' },
  ],
  ['domains.listRoutes', { domain: 'mail.example.org' }, { totalCount: 1 }],
  ['domains.getRoute', { domain: 'mail.example.org', address: 'help' }, { type: 'webhook' }],
  [
    'domains.updateRoute',
    { domain: 'mail.example.org', address: 'help', body: { data: { a: 'b' } } },
    { data: { a: 'b' } },
  ],
  [
    'domains.testRoute',
    {
      domain: 'mail.example.org',
      address: 'help',
      body: { from: { address: 'ada@example.org' }, subject: 'Hi', text: 'Hi', dryRun: true },
    },
    { matched: true, wouldDeliverTo: 'https://example.org/mail' },
  ],
  ['domains.deleteRoute', { domain: 'mail.example.org', address: 'help' }],
  ['domains.delete', { domain: 'mail.example.org' }],
  [
    'webhookEndpoints.create',
    () => ({ body: { url: world.bridgeUrl, eventTypes: ['run.failed'] } }),
    { secret: expect.stringMatching(/^whsec_/), active: true },
    id('webhook') as never,
  ],
  ['webhookEndpoints.list', {}, { totalCount: 1 }],
  ['webhookEndpoints.get', () => ({ endpointId: kept['webhook'] }), { eventTypes: ['run.failed'] }],
  [
    'webhookEndpoints.update',
    () => ({ endpointId: kept['webhook'], body: { description: 'Failures' } }),
    { description: 'Failures' },
  ],
  [
    'webhookEndpoints.rotateSecret',
    () => ({ endpointId: kept['webhook'], body: {} }),
    { secret: expect.stringMatching(/^whsec_/) },
  ],
  [
    'webhookEndpoints.test',
    () => ({ endpointId: kept['webhook'] }),
    { eventType: 'webhook.test' },
    id('webhookDelivery') as never,
  ],
  ['webhookEndpoints.listDeliveries', () => ({ endpointId: kept['webhook'] }), { totalCount: 1 }],
  [
    'webhookEndpoints.getDelivery',
    () => ({ endpointId: kept['webhook'], deliveryId: kept['webhookDelivery'] }),
    { payload: { type: 'webhook.test' } },
  ],
  [
    'webhookEndpoints.resendDelivery',
    async () => {
      await world.service.store.db.updateTable('webhookDeliveries').set({ status: 'failed' }).execute()
      return { endpointId: kept['webhook'], deliveryId: kept['webhookDelivery'] }
    },
    { status: 'pending' },
  ],
  ['webhookEndpoints.delete', () => ({ endpointId: kept['webhook'] })],
  ['contexts.create', { body: { type: 'tenant', id: 'acme' } }, { id: 'acme' }],
  ['contexts.list', {}, { totalCount: 1 }],
  ['contexts.get', { type: 'tenant', id: 'acme' }, { id: 'acme' }],
  ['contexts.update', { type: 'tenant', id: 'acme', body: { data: { a: 1 } } }, { data: { a: 1 } }],
  ['contexts.delete', { type: 'tenant', id: 'acme' }],
  [
    'channelConnections.create',
    {
      body: {
        identifier: 'conn',
        subscriberId: 'ada',
        integrationIdentifier: 'slack',
        workspace: { id: 'W' },
        auth: { accessToken: 'x' },
      },
    },
    { identifier: 'conn' },
  ],
  ['channelConnections.list', {}, { totalCount: 1 }],
  ['channelConnections.get', { identifier: 'conn' }, { identifier: 'conn' }],
  [
    'channelConnections.update',
    { identifier: 'conn', body: { workspace: { id: 'V' }, auth: { accessToken: 'y' } } },
    { workspace: { id: 'V' } },
  ],
  [
    'channelEndpoints.create',
    {
      body: {
        identifier: 'end',
        subscriberId: 'ada',
        integrationIdentifier: 'slack',
        type: 'webhook',
        endpoint: { url: 'https://hooks.example.org/b' },
      },
    },
    { identifier: 'end' },
  ],
  ['channelEndpoints.list', {}, { totalCount: 1 }],
  ['channelEndpoints.get', { identifier: 'end' }, { identifier: 'end' }],
  ['channelEndpoints.update', { identifier: 'end', body: { endpoint: { url: 'https://hooks.example.org/c' } } }],
  ['channelEndpoints.delete', { identifier: 'end' }],
  ['channelConnections.delete', { identifier: 'conn' }],
  ['apiKeys.list', {}, [{ _userId: expect.any(String), createdAt: expect.any(String) }]],
  // The last one, because it invalidates the client's key.
  ['apiKeys.regenerate', {}, [{ key: expect.stringMatching(/^sk_/), _userId: expect.any(String) }]],
]

type Calls = Readonly<Record<string, Readonly<Record<string, (input: object) => Promise<Answer>>>>>

test.each(rows.map(([operation, input, expected, keep]) => ({ operation, input, expected, keep })))(
  '$operation',
  async ({ operation, input, expected, keep }) => {
    const given = typeof input === 'function' ? await input() : input
    const [group = '', name] = operation.split('.')
    if (name === undefined) return
    const call = (client as unknown as Calls)[group]?.[name]
    if (!call) throw new Error(`The client has no ${operation}.`)
    const { data } = await call(given)
    if (expected) expect(data).toMatchObject(expected)
    expectDescribed(operation, pathOf(group, name))
    keep?.(data)
  },
)

const pathOf = (group: string, name: string): string =>
  (operations as Readonly<Record<string, Readonly<Record<string, { readonly path: string }>>>>)[group]?.[name]?.path ??
  ''

test('items can be deleted while a list is read by cursor', async () => {
  const fresh = await startWorld()
  try {
    const api = createApiClient({ secretKey, apiUrl: fresh.service.url })
    const subscribers = Array.from({ length: 25 }, (_, index) => ({ subscriberId: `s${index}` }))
    await api.subscribers.createBulk({ body: { subscribers } })
    for await (const { subscriberId } of api.subscribers.search.each({ query: { limit: 10, orderBy: 'createdAt' } }))
      await api.subscribers.delete({ subscriberId })
    expect((await api.subscribers.search({})).data.data).toEqual([])
  } finally {
    await fresh.stop()
  }
})

// The recording replaces them.
test.skipIf(process.env['RECORD_EXAMPLES'])(
  'the examples of the API reference match the description, and every operation of the client has one',
  () => {
    const { described } = answered
    const examples = readExamples()
    const describedOperations = Object.values(described.paths).flatMap((item) => Object.values(item))
    for (const { operationId, requestBody, responses } of describedOperations) {
      const example = examples[operationId]
      if (!example) continue
      const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
      const [input, output] = [requestBody, success].map((one) => one?.content?.['application/json'])
      if (input) expectValid(described, input.schema, example.request)
      if (output) expectValid(described, output.schema, example.response)
      expect([input?.example, output?.example], operationId).toEqual([
        input && example.request,
        output && example.response,
      ])
    }
    const calls = rows.map(([operation]) => operation).filter((operation) => operation.includes('.'))
    const missing = calls.filter((operation) => !Object.hasOwn(examples, operation))
    expect(missing, 'Record them with RECORD_EXAMPLES=1').toEqual([])
  },
)

test('every operation of the client has a test row', () => {
  const all = Object.entries(operations).flatMap(([group, calls]) =>
    Object.keys(calls).map((name) => `${group}.${name}`),
  )
  const missing = all.filter((name) => !rows.some(([row]) => row === name))
  // These operations have separate tests: the first redirects a browser to a provider, the next two look up DNS, the
  // last is always rejected.
  const others = ['subscribers.oauthCallback', 'domains.verify', 'domains.diagnose', 'domains.startAutoConfigure']
  expect(missing.sort()).toEqual(others.sort())
})
