import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

describe.each(drivers)('channel connections and endpoints (%s)', (driver) => {
  test('are created, listed, updated and deleted, with tokens encrypted and masked', async (context) => {
    const { call, service, log } = await startTestService(driver, context)
    await call('POST', '/v1/integrations', { providerId: 'slack', identifier: 'slack-1' })
    const auth = { accessToken: 'canary-token', refreshToken: 'canary-refresh', expiresAt: '2027-01-01' }
    const body = {
      integrationIdentifier: 'slack-1',
      workspace: { id: 'W1', name: 'Work' },
      auth,
      context: { account: 'acme' },
    }
    const response = await call('POST', '/v1/channel-connections', { ...body, identifier: 'c1', subscriberId: 'ada' })
    expect(response).toMatchObject({
      status: 201,
      body: {
        identifier: 'c1',
        channel: 'chat',
        providerId: 'slack',
        subscriberId: 'ada',
        contextKeys: ['account:acme'],
        workspace: { id: 'W1' },
        auth: { accessToken: '******', refreshToken: '******', expiresAt: '2027-01-01' },
      },
    })
    expect((await call('POST', '/v1/channel-connections', { ...body, subscriberId: 'ada' })).status).toBe(409)
    expect(
      (await call('POST', '/v1/channel-connections', { ...body, identifier: 'c1', subscriberId: 'eve' })).status,
    ).toBe(409)
    expect((await call('POST', '/v1/channel-connections', { ...body, integrationIdentifier: 'nothing' })).status).toBe(
      404,
    )
    expect((await call('POST', '/v1/channel-connections', { ...body, identifier: 'shared' })).body.subscriberId).toBe(
      null,
    )
    const idsOf = async (query: string) =>
      (await call('GET', `/v1/channel-connections${query}`)).body.data.map(
        (item: { identifier: string }) => item.identifier,
      )
    expect(await idsOf('')).toEqual(['shared', 'c1'])
    expect(await idsOf('?connectionMode=shared')).toEqual(['shared'])
    expect(await idsOf('?subscriberId=ada&channel=chat&contextKeys=account:acme')).toEqual(['c1'])
    expect(await idsOf('?contextKeys=account:acm')).toEqual([])
    expect(
      (
        await call('PATCH', '/v1/channel-connections/c1', {
          workspace: { id: 'W2' },
          auth: { accessToken: 'canary-new' },
        })
      ).body.workspace,
    ).toEqual({ id: 'W2' })
    expect(
      (await call('PATCH', '/v1/channel-connections/c1', { workspace: { id: 'W2' }, auth: { accessToken: '******' } }))
        .status,
    ).toBe(422)
    const endpoint = {
      identifier: 'e1',
      integrationIdentifier: 'slack-1',
      connectionIdentifier: 'c1',
      subscriberId: 'ada',
      type: 'webhook',
      endpoint: { url: 'https://hooks.example.com/x' },
    }
    expect((await call('POST', '/v1/channel-endpoints', endpoint)).status).toBe(404)
    expect(await call('POST', '/v1/channel-endpoints', { ...endpoint, createSubscriberIfMissing: true })).toMatchObject(
      {
        status: 201,
        body: { type: 'webhook', endpoint: { url: 'https://hooks.example.com/x' }, connectionIdentifier: 'c1' },
      },
    )
    expect(
      (await call('POST', '/v1/channel-endpoints', { ...endpoint, identifier: 'e2', connectionIdentifier: 'nothing' }))
        .status,
    ).toBe(404)
    expect((await call('POST', '/v1/channel-endpoints', { ...endpoint, identifier: 'e2', type: 'phone' })).status).toBe(
      422,
    )
    const duty = {
      ...endpoint,
      identifier: 'e3',
      type: 'pagerduty_service',
      endpoint: { routingKey: 'canary-routing', region: 'eu' },
    }
    expect((await call('POST', '/v1/channel-endpoints', duty)).body.endpoint).toEqual({
      routingKey: '******',
      region: 'eu',
    })
    expect(
      (await call('PATCH', '/v1/channel-endpoints/e1', { endpoint: { url: 'https://hooks.example.com/y' } })).body
        .endpoint,
    ).toEqual({ url: 'https://hooks.example.com/y' })
    expect((await call('PATCH', '/v1/channel-endpoints/e1', { endpoint: { channelId: 'x' } })).status).toBe(422)
    expect((await call('GET', '/v1/channel-endpoints?connectionIdentifier=c1&limit=1')).body).toMatchObject({
      totalCount: 2,
      data: [{ identifier: 'e3' }],
    })
    const rows = [
      await service.store.db.selectFrom('channelConnections').selectAll().execute(),
      await service.store.db.selectFrom('channelEndpoints').selectAll().execute(),
    ]
    expect(JSON.stringify([rows, log])).not.toContain('canary')
    expect((await call('DELETE', '/v1/channel-endpoints/e1')).status).toBe(204)
    expect((await call('GET', '/v1/channel-endpoints/e1')).status).toBe(404)
    expect((await call('DELETE', '/v1/channel-connections/c1')).status).toBe(204)
    expect((await call('GET', '/v1/channel-connections/c1')).status).toBe(404)
  })
  test('show no headers of a webhook, and cannot be saved with the mask of a secret', async (context) => {
    const { call, addSubscriber } = await startTestService(driver, context)
    await addSubscriber('ada')
    await call('POST', '/v1/integrations', { providerId: 'slack', identifier: 'slack-1' })
    const headers = { authorization: 'canary-token', 'x-team': 'canary-team' }
    const endpoint = { url: 'https://hooks.example.com/t', headers }
    const tool = { identifier: 'tool', integrationIdentifier: 'slack-1', subscriberId: 'ada', type: 'tool_webhook' }
    expect((await call('POST', '/v1/channel-endpoints', { ...tool, endpoint })).status).toBe(201)
    const shown = (await call('GET', '/v1/channel-endpoints/tool')).body.endpoint
    expect(shown).toEqual({ ...endpoint, headers: { authorization: '******', 'x-team': '******' } })
    expect((await call('PATCH', '/v1/channel-endpoints/tool', { endpoint: shown })).body.errors).toEqual({
      endpoint: { messages: ['contains the mask of a secret'] },
    })
    const connection = { integrationIdentifier: 'slack-1', workspace: { id: 'W' }, auth: { accessToken: '******' } }
    expect((await call('POST', '/v1/channel-connections', connection)).body.errors).toEqual({
      'auth.accessToken': { messages: ['is the mask of a token'], value: '******' },
    })
  })
})
