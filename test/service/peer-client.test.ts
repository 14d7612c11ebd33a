import { Novu } from '@novu/api'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { productionKey, secretKey, startWorld, type World } from './world.fixture.ts'

// The public typed client of the same API, unchanged. It validates every response against its own closed schemas, so
// each returned row has the types that the client promises.

let world: World
let client: Novu
/** Values that later rows use. */
const kept: Record<string, string> = {}

beforeAll(async () => {
  world = await startWorld()
  client = connect(secretKey)
})
afterAll(() => world.stop())

type Row = readonly [name: string, call: () => Promise<unknown>, expected?: object]

function connect(key: string): Novu {
  return new Novu({ secretKey: key, serverURL: world.service.url, retryConfig: { strategy: 'none' } })
}

/** Runs rows one by one; each is a test. */
function table(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    test.each(rows.map(([name, call, expected]) => ({ name, call, expected })))('$name', async ({ call, expected }) => {
      const answer = await call()
      if (expected) expect(answer).toMatchObject(expected)
    })
  })
}

const channel = { providerId: 'slack' as const, credentials: { webhookUrl: 'https://hooks.example.org/x' } }

table('subscribers', [
  [
    'create',
    () => client.subscribers.create({ subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.org' }),
    { result: { subscriberId: 'ada', firstName: 'Ada' } },
  ],
  [
    'create, when it exists',
    () => client.subscribers.create({ subscriberId: 'ada', lastName: 'L' }),
    { result: { firstName: 'Ada', lastName: 'L' } },
  ],
  [
    'create, failing when it exists',
    () => client.subscribers.create({ subscriberId: 'ada' }, true).catch((error: unknown) => error),
    { statusCode: 409, subscriberId: 'ada' },
  ],
  [
    'createBulk',
    () =>
      client.subscribers.createBulk({
        subscribers: [{ subscriberId: 'ada' }, { subscriberId: 'bob' }, { subscriberId: 'cy', data: { plan: 'pro' } }],
      }),
    {
      result: {
        updated: [{ subscriberId: 'ada' }],
        created: [{ subscriberId: 'bob' }, { subscriberId: 'cy' }],
        failed: [],
      },
    },
  ],
  ['retrieve', () => client.subscribers.retrieve('cy'), { result: { subscriberId: 'cy', data: { plan: 'pro' } } }],
  [
    'retrieve, unknown',
    () => client.subscribers.retrieve('unknown').catch((error: unknown) => error),
    { statusCode: 404, name: 'ErrorDto' },
  ],
  [
    'patch',
    () => client.subscribers.patch({ firstName: 'Cyrus', timezone: 'Europe/Berlin' }, 'cy'),
    { result: { firstName: 'Cyrus', timezone: 'Europe/Berlin' } },
  ],
  [
    'patch, invalid',
    () => client.subscribers.patch({ timezone: 'Mars/Base' }, 'cy').catch((error: unknown) => error),
    { statusCode: 422, name: 'ValidationErrorDto' },
  ],
  [
    'search',
    () => client.subscribers.search({ limit: 2 }),
    { result: { totalCount: 3, totalCountCapped: false, previous: null } },
  ],
  [
    'updateOnlineFlag',
    () => client.subscribers.properties.updateOnlineFlag({ isOnline: false }, 'ada'),
    { result: { isOnline: false } },
  ],
])

table('integrations', [
  [
    'create',
    async () => {
      const response = await client.integrations.create({
        providerId: 'slack',
        channel: 'chat',
        identifier: 'team-slack',
        active: true,
        credentials: {},
      })
      kept['integration'] = response.result.id ?? ''
      return response
    },
    { result: { providerId: 'slack', identifier: 'team-slack' } },
  ],
  ['list', () => client.integrations.list()],
  ['listActive', () => client.integrations.listActive()],
  [
    'update',
    () => client.integrations.update({ name: 'Slack of the team' }, kept['integration'] ?? ''),
    { result: { name: 'Slack of the team' } },
  ],
  [
    'setAsPrimary, of an email integration',
    async () => {
      const response = await client.integrations.create({
        providerId: 'nodemailer',
        channel: 'email',
        identifier: 'second',
        active: true,
        credentials: { host: 'mail.example.org', port: '25', from: 'a@example.org', senderName: 'A' },
      })
      kept['mailer'] = response.result.id ?? ''
      return client.integrations.setAsPrimary(response.result.id ?? '')
    },
    { result: { primary: true } },
  ],
  ['delete', () => client.integrations.delete(kept['mailer'] ?? '')],
])

table('credentials', [
  [
    'update',
    () => client.subscribers.credentials.update(channel, 'ada'),
    { result: { channels: [{ providerId: 'slack', credentials: channel.credentials }] } },
  ],
  [
    'append',
    () => client.subscribers.credentials.append({ ...channel, credentials: { deviceTokens: ['t'] } }, 'ada'),
    { result: { channels: [{ credentials: { deviceTokens: ['t'], webhookUrl: channel.credentials.webhookUrl } }] } },
  ],
  ['delete', () => client.subscribers.credentials.delete('ada', 'slack')],
])

table('topics', [
  ['create', () => client.topics.create({ key: 'team', name: 'Team' }), { result: { key: 'team', name: 'Team' } }],
  [
    'create, when it exists',
    () => client.topics.create({ key: 'team', name: 'The team' }),
    { result: { name: 'The team' } },
  ],
  [
    'create, failing when it exists',
    () => client.topics.create({ key: 'team' }, true).catch((error: unknown) => error),
    { statusCode: 409 },
  ],
  ['list', () => client.topics.list({ limit: 5 }), { result: { totalCount: 1, data: [{ key: 'team' }] } }],
  ['get', () => client.topics.get('team'), { result: { key: 'team' } }],
  ['update', () => client.topics.update({ name: 'Team' }, 'team'), { result: { name: 'Team' } }],
  [
    'subscriptions.create',
    async () => {
      const response = await client.topics.subscriptions.create({ subscriptions: ['ada', 'bob', 'unknown'] }, 'team')
      kept['subscription'] = response.result.data[0]?.identifier ?? ''
      return response
    },
    { result: { meta: { totalCount: 3, successful: 2, failed: 1 }, errors: [{ subscriberId: 'unknown' }] } },
  ],
  ['subscriptions.list', () => client.topics.subscriptions.list({ topicKey: 'team' }), { result: { totalCount: 2 } }],
  [
    'subscriptions.getSubscription',
    () => client.topics.subscriptions.getSubscription('team', kept['subscription'] ?? ''),
  ],
  [
    'subscriptions.update',
    () =>
      client.topics.subscriptions.update({
        topicKey: 'team',
        identifier: kept['subscription'] ?? '',
        updateTopicSubscriptionRequestDto: { name: 'mine' },
      }),
  ],
  [
    'subscribers.retrieve',
    () => client.topics.subscribers.retrieve('ada', 'team'),
    { result: { externalSubscriberId: 'ada', topicKey: 'team' } },
  ],
  [
    'subscriptions of a subscriber',
    () => client.subscribers.topics.list({ subscriberId: 'ada' }),
    { result: { totalCount: 1 } },
  ],
  [
    'subscriptions.delete',
    () => client.topics.subscriptions.delete({ subscriptions: ['bob'] }, 'team'),
    { result: { meta: { successful: 1 } } },
  ],
])

table('workflows', [
  ['list', () => client.workflows.list({}), { result: { totalCount: 2 } }],
  ['get', () => client.workflows.get('welcome'), { result: { workflowId: 'welcome', origin: 'external' } }],
  [
    'create',
    () =>
      client.workflows.create({
        name: 'News',
        workflowId: 'news',
        active: true,
        steps: [
          { name: 'Mail', type: 'email', controlValues: { subject: 'News', body: 'Hello' } },
          { name: 'Wait', type: 'delay' },
        ],
      }),
    { result: { workflowId: 'news', active: true } },
  ],
  [
    'update',
    () =>
      client.workflows.update(
        {
          name: 'News',
          active: true,
          steps: [{ name: 'Mail', type: 'email', controlValues: { subject: 'The news' } }],
          preferences: { user: null },
        },
        'news',
      ),
    { result: { steps: [{ controls: { values: { subject: 'The news' } } }] } },
  ],
  [
    'patch',
    () => client.workflows.patch({ tags: ['marketing'], active: false }, 'news'),
    { result: { tags: ['marketing'], active: false } },
  ],
  [
    'steps.retrieve',
    () => client.workflows.steps.retrieve('welcome', 'mail'),
    { result: { stepId: 'mail', type: 'email' } },
  ],
  [
    'steps.generatePreview',
    () =>
      client.workflows.steps.generatePreview({ workflowId: 'welcome', stepId: 'mail', generatePreviewRequestDto: {} }),
  ],
  [
    'sync',
    async () => {
      const { result } = await client.environments.list()
      const production = result.find(({ name }) => name === 'Production')
      const headers = { 'target-authorization': `ApiKey ${productionKey}` }
      const target = { targetEnvironmentId: production?.id ?? '' }
      return client.workflows.sync(target, 'news', undefined, { fetchOptions: { headers } })
    },
    { result: { workflowId: 'news' } },
  ],
  ['delete', () => client.workflows.delete('news')],
])

table('events', [
  [
    'trigger',
    async () => {
      const response = await client.trigger({
        workflowId: 'welcome',
        to: { subscriberId: 'ada' },
        payload: { name: 'Ada' },
      })
      kept['transaction'] = response.result.transactionId ?? ''
      return response
    },
    { result: { acknowledged: true, status: 'processed' } },
  ],
  [
    'trigger, twice with one key',
    async () => {
      const body = { workflowId: 'welcome', to: 'ada', payload: { name: 'twice' } }
      const first = await client.trigger(body, 'one-key')
      const second = await client.trigger(body, 'one-key')
      expect(second.headers['idempotency-replay']).toEqual(['true'])
      expect(second.result.transactionId).toBe(first.result.transactionId)
      return second
    },
    { result: { status: 'processed' } },
  ],
  [
    'trigger, an unknown workflow',
    () => client.trigger({ workflowId: 'none', to: 'ada' }).catch((error: unknown) => error),
    { statusCode: 422, name: 'ValidationErrorDto' },
  ],
  [
    'trigger, a topic',
    () => client.trigger({ workflowId: 'welcome', to: { type: 'Topic', topicKey: 'team' }, payload: {} }),
    { result: { status: 'processed' } },
  ],
  [
    'triggerBulk',
    () =>
      client.triggerBulk({
        events: [
          { workflowId: 'welcome', to: 'bob', payload: {} },
          { workflowId: 'none', to: 'bob' },
        ],
      }),
    { result: [{ status: 'processed' }, { status: 'error' }] },
  ],
  [
    'triggerBroadcast',
    () => client.triggerBroadcast({ name: 'welcome', payload: {} }),
    { result: { status: 'processed' } },
  ],
  [
    'cancel',
    async () => {
      const response = await client.trigger({ workflowId: 'reminder', to: 'ada' })
      const { transactionId = '' } = response.result
      await vi.waitFor(
        async () => {
          const runs = await client.notifications.list({ transactionId })
          expect(runs.result.data[0]?.jobs?.[0]?.status).toBe('delayed')
        },
        { timeout: 10_000, interval: 100 },
      )
      return client.cancel(transactionId)
    },
    { result: true },
  ],
])

table('runs and messages', [
  [
    'notifications.list',
    () =>
      vi.waitFor(
        async () => {
          const runs = await client.notifications.list({ transactionId: kept['transaction'] ?? '' })
          expect(runs.result.data[0]?.jobs?.map(({ status }) => status)).toEqual(['completed', 'completed'])
          kept['run'] = runs.result.data[0]?.id ?? ''
          return runs
        },
        { timeout: 10_000, interval: 100 },
      ),
    { result: { hasMore: false, page: 0 } },
  ],
  [
    'notifications.retrieve',
    () => client.notifications.retrieve(kept['run'] ?? ''),
    { result: { subscriber: { subscriberId: 'ada' }, template: { name: 'welcome' } } },
  ],
  [
    'messages.retrieve',
    async () => {
      const response = await client.messages.retrieve({ transactionId: [kept['transaction'] ?? ''] })
      kept['mail'] = response.result.data.find((message) => message.channel === 'email')?.id ?? ''
      kept['inbox'] = response.result.data.find((message) => message.channel === 'in_app')?.id ?? ''
      expect(response.result.data).toHaveLength(2)
      return response
    },
  ],
  [
    'messages.delete',
    () => client.messages.delete(kept['mail'] ?? ''),
    { result: { acknowledged: true, status: 'deleted' } },
  ],
])

table('the feed', [
  ['feed', () => client.subscribers.notifications.feed({ subscriberId: 'ada' }), { result: { page: 0 } }],
  ['unseenCount', () => client.subscribers.notifications.unseenCount({ subscriberId: 'ada' })],
  [
    'messages.markAllAs',
    () => client.subscribers.messages.markAllAs({ messageId: kept['inbox'] ?? '', markAs: 'seen' }, 'ada'),
  ],
  [
    'messages.updateAsSeen',
    () =>
      client.subscribers.messages.updateAsSeen({
        messageId: kept['inbox'] ?? '',
        type: 'primary',
        subscriberId: 'ada',
        markMessageActionAsSeenDto: { status: 'done' },
      }),
  ],
  ['messages.markAll', () => client.subscribers.messages.markAll({ markAs: 'read' }, 'ada')],
])

const inboxItem = () => ({ subscriberId: 'ada', notificationId: kept['inbox'] ?? '' })
table('the inbox', [
  ['list', () => client.subscribers.notifications.list({ subscriberId: 'ada' }), { result: { hasMore: false } }],
  ['count', () => client.subscribers.notifications.count('ada', JSON.stringify([{ read: false }]))],
  ['markAsUnread', () => client.subscribers.notifications.markAsUnread(inboxItem()), { result: { isRead: false } }],
  ['markAsRead', () => client.subscribers.notifications.markAsRead(inboxItem()), { result: { isRead: true } }],
  ['archive', () => client.subscribers.notifications.archive(inboxItem()), { result: { isArchived: true } }],
  ['unarchive', () => client.subscribers.notifications.unarchive(inboxItem()), { result: { isArchived: false } }],
  [
    'snooze',
    () =>
      client.subscribers.notifications.snooze({
        ...inboxItem(),
        snoozeSubscriberNotificationDto: { snoozeUntil: new Date(Date.now() + 3_600_000) },
      }),
    { result: { isSnoozed: true } },
  ],
  ['unsnooze', () => client.subscribers.notifications.unsnooze(inboxItem()), { result: { isSnoozed: false } }],
  [
    'completeAction',
    () => client.subscribers.notifications.completeAction({ ...inboxItem(), actionType: 'primary' }),
    { result: { primaryAction: { isCompleted: true } } },
  ],
  [
    'revertAction',
    () => client.subscribers.notifications.revertAction({ ...inboxItem(), actionType: 'primary' }),
    { result: { primaryAction: { isCompleted: false } } },
  ],
  ['markAsSeen', () => client.subscribers.notifications.markAsSeen({}, 'ada')],
  ['markAllAsRead', () => client.subscribers.notifications.markAllAsRead({}, 'ada')],
  ['archiveAllRead', () => client.subscribers.notifications.archiveAllRead({}, 'ada')],
  ['archiveAll', () => client.subscribers.notifications.archiveAll({}, 'ada')],
  ['delete', () => client.subscribers.notifications.delete(inboxItem())],
  ['deleteAll', () => client.subscribers.notifications.deleteAll({}, 'ada')],
])

table('preferences', [
  [
    'list',
    () => client.subscribers.preferences.list({ subscriberId: 'ada' }),
    { result: { global: { enabled: true } } },
  ],
  [
    'update, of one workflow',
    () => client.subscribers.preferences.update({ workflowId: 'welcome', channels: { email: false } }, 'ada'),
    {
      result: {
        workflows: expect.arrayContaining([expect.objectContaining({ channels: { email: false, inApp: true } })]),
      },
    },
  ],
  [
    'update, of all',
    () => client.subscribers.preferences.update({ channels: { sms: false }, schedule: { isEnabled: false } }, 'ada'),
    { result: { global: { channels: { sms: false } } } },
  ],
  [
    'bulkUpdate',
    () =>
      client.subscribers.preferences.bulkUpdate(
        { preferences: [{ workflowId: 'welcome', channels: { email: true } }] },
        'ada',
      ),
    { result: [{ level: 'template', channels: { email: true } }] },
  ],
])

table('layouts', [
  ['create', () => client.layouts.create({ layoutId: 'frame', name: 'Frame' }), { result: { layoutId: 'frame' } }],
  ['list', () => client.layouts.list({}), { result: { totalCount: expect.any(Number) } }],
  ['retrieve', () => client.layouts.retrieve('frame'), { result: { name: 'Frame' } }],
  [
    'update',
    () =>
      client.layouts.update(
        { name: 'The frame', controlValues: { email: { body: '<html>{{content}}</html>', editorType: 'html' } } },
        'frame',
      ),
    { result: { name: 'The frame' } },
  ],
  [
    'duplicate',
    () => client.layouts.duplicate({ name: 'Copy', layoutId: 'frame-2' }, 'frame'),
    { result: { name: 'Copy' } },
  ],
  ['generatePreview', () => client.layouts.generatePreview({}, 'frame')],
  ['usage', () => client.layouts.usage('frame'), { result: { workflows: [] } }],
  ['delete', () => client.layouts.delete('frame-2')],
])

const texts = (fileName: string, content: object) => ({ fileName, content: Buffer.from(JSON.stringify(content)) })

table('translations', [
  [
    'create',
    () =>
      client.translations.create({
        resourceId: 'frame',
        resourceType: 'layout',
        locale: 'en_US',
        content: { hello: 'Hello' },
      }),
    { locale: 'en_US', content: { hello: 'Hello' } },
  ],
  [
    'retrieve',
    () => client.translations.retrieve({ resourceType: 'layout', resourceId: 'frame', locale: 'en_US' }),
    { content: { hello: 'Hello' } },
  ],
  [
    'upload',
    () =>
      client.translations.upload({
        resourceId: 'frame',
        resourceType: 'layout',
        files: [texts('de_DE.json', { hello: 'Hallo' }), texts('nothing.json', {})],
      }),
    { totalFiles: 2, successfulUploads: 1, failedUploads: 1 },
  ],
  ['groups.retrieve', () => client.translations.groups.retrieve('layout', 'frame'), { locales: ['de_DE', 'en_US'] }],
  [
    'master.import',
    () =>
      client.translations.master.import({
        locale: 'fr_FR',
        masterJson: { layouts: { frame: { hello: 'Salut' } } },
      }),
    { success: true },
  ],
  [
    'master.upload',
    () => client.translations.master.upload({ file: texts('it_IT.json', { layouts: { frame: { hello: 'Ciao' } } }) }),
    { success: true, successful: ['frame'] },
  ],
  ['master.retrieve', () => client.translations.master.retrieve('it_IT'), { layouts: { frame: { hello: 'Ciao' } } }],
  ['delete', () => client.translations.delete({ resourceType: 'layout', resourceId: 'frame', locale: 'it_IT' })],
  ['groups.delete', () => client.translations.groups.delete('layout', 'frame')],
])

table('environments and variables', [
  [
    'environments.create',
    async () => {
      const response = await client.environments.create({ name: 'Staging', color: '#ff0000' })
      kept['staging'] = response.result.id
      kept['stagingKey'] = response.result.apiKeys?.[0]?.key ?? ''
      return response
    },
    { result: { name: 'Staging' } },
  ],
  ['environments.list', () => client.environments.list()],
  [
    'environments.update',
    async () => {
      const { result } = await client.environments.list()
      return client.environments.update(
        { color: '#00ff00' },
        result.find(({ name }) => name === 'Development')?.id ?? '',
      )
    },
  ],
  ['environments.delete', () => connect(kept['stagingKey'] ?? '').environments.delete(kept['staging'] ?? '')],
  [
    'environmentVariables.create',
    () => client.environmentVariables.create({ key: 'BASE_URL', values: [] }),
    { result: { key: 'BASE_URL' } },
  ],
  ['environmentVariables.list', () => client.environmentVariables.list(), { result: [{ key: 'BASE_URL' }] }],
  ['environmentVariables.retrieve', () => client.environmentVariables.retrieve('BASE_URL')],
  [
    'environmentVariables.update',
    () => client.environmentVariables.update({ isSecret: true }, 'BASE_URL'),
    { result: { isSecret: true } },
  ],
  ['environmentVariables.usage', () => client.environmentVariables.usage('BASE_URL'), { result: { workflows: [] } }],
  ['environmentVariables.delete', () => client.environmentVariables.delete('BASE_URL')],
])

table('contexts and channels', [
  [
    'contexts.create',
    () => client.contexts.create({ type: 'tenant', id: 'acme', data: { plan: 'pro' } }),
    { result: { type: 'tenant', id: 'acme' } },
  ],
  ['contexts.list', () => client.contexts.list({}), { result: { totalCount: 1 } }],
  ['contexts.retrieve', () => client.contexts.retrieve('acme', 'tenant'), { result: { data: { plan: 'pro' } } }],
  [
    'contexts.update',
    () => client.contexts.update({ id: 'acme', type: 'tenant', updateContextRequestDto: { data: { plan: 'free' } } }),
    { result: { data: { plan: 'free' } } },
  ],
  ['contexts.delete', () => client.contexts.delete('acme', 'tenant')],
  [
    'channelConnections.create',
    () =>
      client.channelConnections.create({
        identifier: 'conn',
        subscriberId: 'ada',
        integrationIdentifier: 'team-slack',
        workspace: { id: 'W' },
        auth: { accessToken: 'xoxb' },
      }),
    { result: { identifier: 'conn' } },
  ],
  ['channelConnections.list', () => client.channelConnections.list({}), { result: { totalCount: 1 } }],
  ['channelConnections.retrieve', () => client.channelConnections.retrieve('conn')],
  [
    'channelConnections.update',
    () => client.channelConnections.update({ workspace: { id: 'W2' }, auth: { accessToken: 'xoxb-2' } }, 'conn'),
    { result: { workspace: { id: 'W2' } } },
  ],
  [
    'channelEndpoints.create',
    () =>
      client.channelEndpoints.create({
        identifier: 'end',
        subscriberId: 'ada',
        integrationIdentifier: 'team-slack',
        connectionIdentifier: 'conn',
        type: 'slack_user',
        endpoint: { userId: 'U' },
      }),
    { result: { identifier: 'end' } },
  ],
  ['channelEndpoints.list', () => client.channelEndpoints.list({}), { result: { totalCount: 1 } }],
  ['channelEndpoints.retrieve', () => client.channelEndpoints.retrieve('end')],
  ['channelEndpoints.update', () => client.channelEndpoints.update({ endpoint: { userId: 'U2' } }, 'end')],
  ['channelEndpoints.delete', () => client.channelEndpoints.delete('end')],
  ['channelConnections.delete', () => client.channelConnections.delete('conn')],
])

const webhookUrl = 'https://app.test/mail'

table('inbound domains', [
  [
    'domains.create',
    () => client.domains.create({ name: 'in.test', data: { team: 'a' } }),
    { result: { name: 'in.test', status: 'pending', mxRecordConfigured: false } },
  ],
  ['domains.list', () => client.domains.list({}), { result: { totalCount: 1, data: [{ name: 'in.test' }] } }],
  [
    'domains.retrieve',
    () => client.domains.retrieve('in.test'),
    { result: { expectedDnsRecords: [{ type: 'TXT' }, { type: 'MX', content: 'mx.service.test' }] } },
  ],
  ['domains.update', () => client.domains.update({ data: { team: 'b' } }, 'in.test')],
  ['domains.autoConfigure', () => client.domains.autoConfigure.retrieve('in.test'), { result: { available: false } }],
  ['domains.verify', () => client.domains.verify('in.test').catch((error: unknown) => error), { statusCode: 503 }],
  [
    'domains.routes.create',
    () => client.domains.routes.create({ address: 'support', type: 'webhook', data: { webhookUrl } }, 'in.test'),
    { result: { address: 'support', type: 'webhook', data: { webhookUrl } } },
  ],
  ['domains.routes.list', () => client.domains.routes.list({ domain: 'in.test' }), { result: { totalCount: 1 } }],
  ['domains.routes.retrieve', () => client.domains.routes.retrieve('in.test', 'support')],
  [
    'domains.routes.update',
    () => client.domains.routes.update({ data: {} }, 'in.test', 'support'),
    { result: { data: {} } },
  ],
  ['domains.routes.delete', () => client.domains.routes.delete('in.test', 'support')],
  ['domains.delete', () => client.domains.delete('in.test')],
])

table('the end', [
  [
    'messages.deleteByTransactionId',
    async () => {
      const { result } = await client.messages.retrieve({ subscriberId: 'bob', limit: 1 })
      return client.messages.deleteByTransactionId(result.data[0]?.transactionId ?? '')
    },
  ],
  ['topics.delete', () => client.topics.delete('team'), { result: { acknowledged: true } }],
  ['subscribers.delete', () => client.subscribers.delete('cy'), { result: { acknowledged: true } }],
])
