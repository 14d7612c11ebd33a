import { describe, expect, test } from 'vitest'
import { createConversation } from '../../conversations/base/create-conversation.ts'
import { addMessages } from '../../messages/list-messages.fixture.ts'
import type { Store } from '../../store/store.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { startTestService } from '../service.fixture.ts'

/** Returns the tables that contain a text. */
async function findTables({ db }: Store, text: string): Promise<readonly string[]> {
  const names: string[] = []
  for (const { name } of await db.introspection.getTables()) {
    const rows = await db
      .selectFrom(name as 'settings')
      .selectAll()
      .execute()
    if (JSON.stringify(rows).includes(text)) names.push(name)
  }
  return names
}

describe.each(drivers)('a deleted subscriber (%s)', (driver) => {
  test.for(['/v1/subscribers', '/v2/subscribers'])('receives no more messages: DELETE %s', async (path, context) => {
    const { call, service } = await startTestService(driver, context, { work: true })
    const bridge = await serveBridge()
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    for (const subscriberId of ['ada', 'bob']) {
      const to = { subscriberId, email: `${subscriberId}@example.com` }
      await call('POST', '/v1/events/trigger', { name: 'welcome', to, payload: {} })
    }
    const runs = async () => (await call('GET', '/v1/studio/runs')).body.data
    await expect.poll(async () => JSON.stringify(await runs()), { timeout: 10_000 }).toMatch(/delayed.*delayed/)

    expect((await call('DELETE', `${path}/ada`)).status).toBe(200)
    expect((await call('DELETE', `${path}/ada`)).status).toBe(404)
    const [ada, bob] = (await runs()).toSorted((left: { subscriberId: string }, right: { subscriberId: string }) =>
      left.subscriberId < right.subscriberId ? -1 : 1,
    )
    expect([ada.status, bob.status]).toEqual(['canceled', 'running'])
    expect(ada.steps.map(({ status }: { status: string }) => status)).toEqual(['completed', 'canceled', 'canceled'])
    const { body: notifications } = await call('GET', '/v1/notifications')
    const recipients = notifications.data.map(({ to }: { to: { subscriberId: string } }) => to)
    expect(recipients).toContainEqual({ subscriberId: 'ada' })
    expect(JSON.stringify(recipients)).toContain('bob@example.com')
    expect(await findTables(service.store, 'ada@example.com')).toEqual([])
    expect(await findTables(service.store, 'bob@example.com')).toContain('runs')
    const results = await service.store.db
      .selectFrom('jobs')
      .innerJoin('runs', 'runs.id', 'jobs.runId')
      .select('externalSubscriberId')
      .where('jobs.result', 'is not', null)
      .execute()
    expect(results).toEqual([{ externalSubscriberId: 'bob' }])
  })

  test('leaves no address or token for a later subscriber with the same id', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    await call('POST', '/v1/integrations', { providerId: 'slack', identifier: 'slack', channel: 'chat', active: true })
    const connection = { integrationIdentifier: 'slack', workspace: { id: 'w' }, auth: { accessToken: 't' } }
    for (const subscriberId of ['ada', 'bob']) {
      await addSubscriber(subscriberId)
      const identifier = `of-${subscriberId}`
      await call('POST', '/v1/channel-connections', { ...connection, identifier, subscriberId })
      const endpoint = { type: 'slack_channel', endpoint: { channelId: 'C' }, integrationIdentifier: 'slack' }
      await call('POST', '/v1/channel-endpoints', { ...endpoint, identifier, subscriberId })
    }
    await call('POST', '/v1/channel-connections', {
      ...connection,
      identifier: 'shared',
      connectionMode: 'shared',
      context: { tenant: 'a' },
    })
    await call('DELETE', '/v2/subscribers/ada')
    await call('POST', '/v2/subscribers', { subscriberId: 'ada' })
    const identifiers = async (path: string) =>
      (await call('GET', path)).body.data.map(({ identifier }: { identifier: string }) => identifier)
    expect(await identifiers('/v1/channel-endpoints')).toEqual(['of-bob'])
    expect(await identifiers('/v1/channel-connections')).toEqual(['shared', 'of-bob'])
  })

  test('leaves no conversation for a later subscriber with the same id', async (context) => {
    const { service, environmentId, call, addSubscriber } = await startTestService(driver, context)
    for (const subscriberId of ['ada', 'bob']) {
      await addSubscriber(subscriberId)
      const begun = { environmentId, agentId: 'helper', platform: 'web', subscriberId } as const
      await service.store.transaction((tx) => createConversation(tx, begun, 1))
    }
    await call('DELETE', '/v2/subscribers/ada')
    await call('POST', '/v2/subscribers', { subscriberId: 'ada' })
    const of = async (query: string) =>
      (await call('GET', `/v1/studio/conversations${query}`)).body.data.map(
        (one: { subscriberId?: string }) => one.subscriberId,
      )
    expect(await of('?subscriberId=ada')).toEqual([])
    expect((await of('')).toSorted()).toEqual(['bob', undefined])
  })

  test('with many messages is gone at once, also for a later subscriber with the same id', async (context) => {
    const { call, service, addSubscriber, environmentId } = await startTestService(driver, context)
    const subscriberId = await addSubscriber('ada')
    await addMessages(service.store, { prefix: 'm', count: 720 }, { environmentId, subscriberId })
    expect((await call('DELETE', '/v2/subscribers/ada')).status).toBe(200)
    expect((await call('GET', '/v2/subscribers/ada')).status).toBe(404)
    // This process does not work on the queue.
    expect(await service.store.db.selectFrom('messages').select('id').execute()).toHaveLength(220)
    await call('POST', '/v2/subscribers', { subscriberId: 'ada' })
    for (const path of ['/v2/subscribers/ada/notifications', '/v1/messages?subscriberId=ada'])
      expect((await call('GET', path)).body.data).toEqual([])
  })

  test('loses many messages in the background', async (context) => {
    const { call, service, addSubscriber, addMessage, environmentId } = await startTestService(driver, context, {
      work: true,
    })
    const subscriberId = await addSubscriber('ada')
    const other = await addMessage(await addSubscriber('bob'))
    await addMessages(service.store, { prefix: 'm', count: 720 }, { environmentId, subscriberId })
    expect((await call('DELETE', '/v2/subscribers/ada')).status).toBe(200)
    const left = service.store.db.selectFrom('messages').select('id')
    await expect.poll(() => left.execute()).toEqual([{ id: other }])
  })
})
