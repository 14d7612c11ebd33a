import { expect, type TestContext, test, vi } from 'vitest'
import type { AnyOperation } from '../context/operation.ts'
import { createId } from '../store/create-id.ts'
import type { Store } from '../store/store.ts'
import { createDatabase } from '../store/stores.fixture.ts'
import { shared, toRequest } from './any-request.fixture.ts'
import { serveBridge } from './bridge.fixture.ts'
import { environmentTables } from './environments/remove-environment.ts'
import { operations } from './operations.ts'
import { productionKey, secretKey, startTestService, type TestService } from './service.fixture.ts'

// Two environments have identical data under the same names. For each operation and each field, a key must neither
// change rows nor read values of the other environment.

type Row = Readonly<Record<string, unknown>>

/** Fills an environment through the API; free text identifies the environment. */
async function fill(call: TestService['call'], environmentId: string, whose: string): Promise<void> {
  const bridge = await serveBridge()
  const ok = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text])
    return answer.body
  }
  const values = [{ _environmentId: environmentId, value: `value-${whose}` }]
  await ok('POST', '/v1/bridge/sync', { bridgeUrl: `${bridge.url}?token=${whose}` })
  const subscriber = {
    subscriberId: 'ada',
    firstName: whose,
    email: `${whose}@example.com`,
    phone: '+1',
    data: { whose },
  }
  await ok('POST', '/v2/subscribers', subscriber)
  await ok('POST', '/v2/topics', { key: 'news', name: whose })
  await ok('POST', '/v2/topics/news/subscriptions', { subscriptions: [{ identifier: 'sub', subscriberId: 'ada' }] })
  await ok('POST', '/v1/tenants', { identifier: 'acme', name: whose, data: { whose } })
  const steps = [{ stepId: 'text', name: whose, type: 'sms', controlValues: { body: whose } }]
  await ok('POST', '/v2/workflows', { name: whose, workflowId: 'order', active: true, steps, tags: [whose] })
  await ok('POST', '/v1/workflow-overrides', { workflowId: 'order', tenantId: 'acme', active: true })
  await ok('POST', '/v1/notification-groups', { name: `group-${whose}` })
  await ok('POST', '/v1/feeds', { name: `feed-${whose}` })
  await ok('POST', '/v1/layouts', { name: whose, identifier: 'frame', content: `<i>${whose}</i>{{{body}}}` })
  await ok('POST', '/v2/translations', {
    ...{ resourceId: 'order', resourceType: 'workflow', locale: 'en_US', content: { text: whose } },
  })
  await ok('POST', '/v2/contexts', { type: 'region', id: 'eu', data: { whose } })
  await ok('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values })
  await ok('POST', '/v1/integrations', {
    ...{ providerId: 'slack', channel: 'chat', identifier: 'slack', name: whose, active: true },
    credentials: {
      webhookUrl: 'https://hooks.example.com/x',
      clientId: whose,
      secretKey: 's',
      redirectUrl: 'https://a.example',
    },
  })
  await ok('POST', '/v1/channel-connections', {
    ...{ identifier: 'connection', integrationIdentifier: 'slack', subscriberId: 'ada' },
    ...{ workspace: { id: whose, name: whose }, auth: { accessToken: whose } },
  })
  await ok('POST', '/v1/channel-endpoints', {
    ...{ identifier: 'endpoint', integrationIdentifier: 'slack', subscriberId: 'ada' },
    ...{ type: 'slack_channel', endpoint: { channelId: whose } },
  })
  await ok('PATCH', '/v2/subscribers/ada/preferences', { workflowId: 'order', channels: { email: false } })
  for (const name of ['order', 'welcome'])
    await ok('POST', '/v1/events/trigger', {
      name,
      to: 'ada',
      transactionId: `tx-${name}-${environmentId}`,
      payload: { whose },
    })
  await vi.waitFor(async () => {
    const { data } = await ok('GET', '/v1/studio/outbox')
    expect(data).toHaveLength(1)
    expect((await ok('GET', '/v1/messages?channel=in_app')).data).toHaveLength(1)
  }, 20_000)
}

const [own, foreign] = ['own-value', 'canary-value'] as const

/** Inserts rows that the API only creates through an agent's bridge, or during its work. */
async function addRest({ db }: Store, environmentId: string, whose: string): Promise<void> {
  const tables = await db.introspection.getTables()
  const filled: Readonly<Record<string, Row>> = {
    agents: { identifier: 'helper' },
    conversations: {
      ...{ agentId: 'helper', status: 'open', platform: 'web', platformContext: '{}', title: whose },
      ...{ metadata: '{}', subscriberId: 'ada' },
    },
  }
  for (const table of environmentTables) {
    const there = db
      .selectFrom(table as 'feeds')
      .select('environmentId')
      .where('environmentId', '=', environmentId)
    if ((await there.execute()).length > 0) continue
    const id = createId(Date.now())
    const columns = tables.find(({ name }) => name === table)?.columns ?? []
    const needed = columns.filter(({ isNullable, hasDefaultValue }) => !isNullable && !hasDefaultValue)
    const blank = Object.fromEntries(needed.map(({ name, dataType }) => [name, /text|char/i.test(dataType) ? id : 1]))
    const row = { ...blank, ...filled[table], environmentId }
    await db
      .insertInto(table as 'settings')
      .values(row as never)
      .execute()
  }
}

/** Returns all rows of an environment by table. */
async function snapshot(db: Store['db'], environmentId: string): Promise<Readonly<Record<string, readonly Row[]>>> {
  const all: Record<string, readonly Row[]> = {}
  for (const table of environmentTables) {
    // Each call is counted in the bucket of its own key.
    const rows = db
      .selectFrom(table as 'feeds')
      .selectAll()
      .where('environmentId', '=', environmentId)
    all[table] = (await rows.execute()) as readonly Row[]
  }
  all['environments'] = await db.selectFrom('environments').selectAll().where('id', '=', environmentId).execute()
  return all
}

/** Ids of an environment's rows that fields with a given name may contain. */
function idsOf(rows: Readonly<Record<string, readonly Row[]>>, environmentId: string) {
  const first = (table: string, column = 'id'): string => String(rows[table]?.[0]?.[column] ?? 'none')
  const inApp = rows['messages']?.find(({ channel }) => channel === 'in_app')
  const named: Readonly<Record<string, string>> = {
    environmentId,
    _environmentId: environmentId,
    targetEnvironmentId: environmentId,
    parentId: environmentId,
    messageId: String(inApp?.['id']),
    notificationId: first('runs'),
    runId: first('runs'),
    jobId: String(rows['jobs']?.find(({ status }) => status === 'delayed')?.['id']),
    workflowId: String(rows['workflows']?.find(({ identifier }) => identifier === 'order')?.['id']),
    templateId: String(rows['workflows']?.find(({ identifier }) => identifier === 'order')?.['id']),
    name: String(rows['workflows']?.find(({ identifier }) => identifier === 'order')?.['id']),
    feedId: first('feeds'),
    groupId: first('workflowGroups'),
    notificationGroupId: first('workflowGroups'),
    overrideId: first('workflowOverrides'),
    integrationId: first('integrations'),
    providerOrIntegrationId: first('integrations'),
    layoutId: first('layouts'),
    outboxId: first('outbox'),
    conversationId: first('conversations'),
    subscriberId: first('subscribers'),
    to: first('subscribers'),
    topicKey: first('topics'),
    identifier: first('channelConnections'),
    transactionId: String(rows['triggers']?.[0]?.['transactionId'] ?? rows['runs']?.[0]?.['transactionId']),
    tenantId: first('tenants'),
    after: first('runs'),
  }
  return named
}

/** Runs deletes and key changes last, because nothing works after them. */
const rank = ({ name, method }: AnyOperation): number =>
  name === 'apiKeys.regenerate' ? 3 : method === 'DELETE' ? 2 : method === 'GET' ? 0 : 1

/** Fills a database and restarts on it without an engine, so that only the test's own calls change rows. */
async function start(context: TestContext) {
  const { address } = await createDatabase('sqlite', context)
  const options = { ...address, bridge: { sleep: async () => undefined } }
  const first = await startTestService('sqlite', context, { ...options, work: true })
  const production = first.callWith(productionKey)
  const foreignId = (await production('GET', '/v1/environments/me')).body.data._id as string
  await fill(first.call, first.environmentId, own)
  await fill(production, foreignId, foreign)
  await first.service.stop()
  const tested = await startTestService('sqlite', context, { ...options, work: false })
  await addRest(tested.service.store, tested.environmentId, own)
  await addRest(tested.service.store, foreignId, foreign)
  return { ...tested, db: tested.service.store.db, foreignId }
}

test('never changes rows or reads values of another environment, in any operation', {
  timeout: 180_000,
}, async (context) => {
  const { db, foreignId, environmentId, service } = await start(context)
  const before = await snapshot(db, foreignId)
  const [ownIds, foreignIds] = [idsOf(await snapshot(db, environmentId), environmentId), idsOf(before, foreignId)]
  // Without rows in every table, changes could go unnoticed.
  expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([])
  const bad = [foreign, productionKey]
  const succeeded = new Set<string>()
  const ordered = [...operations]
    .filter(({ name }) => !/\bevents$|runEvents/i.test(name))
    .sort((a, b) => rank(a) - rank(b))
  for (const one of ordered)
    for (const names of [
      foreignIds,
      { ...shared, targetEnvironmentId: foreignId, _environmentId: foreignId, environmentId: foreignId },
      shared,
      ownIds,
    ]) {
      const { path, body } = toRequest(one, names)
      const response = await fetch(service.url + path, {
        method: one.method,
        redirect: 'manual',
        headers: {
          authorization: `ApiKey ${secretKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (response.ok) succeeded.add(one.name)
      const read = bad.filter((value) => text.includes(value))
      expect([one.name, path, read]).toEqual([one.name, path, []])
      expect([one.name, path, await snapshot(db, foreignId)]).toEqual([one.name, path, before])
    }
  expect([...succeeded].length).toBeGreaterThan(120)
})
