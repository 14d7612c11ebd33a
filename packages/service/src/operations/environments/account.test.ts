import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { startTestService } from '../service.fixture.ts'

describe.each(drivers)('calls of the legacy CLI (%s)', (driver) => {
  test('return the account and its health', async (context) => {
    const { call, service } = await startTestService(driver, context)
    const { _organizationId: id } = (await call('GET', '/v1/environments/me')).body.data
    expect((await call('GET', '/v1/users/me')).body.data).toMatchObject({ _id: id })
    expect((await call('GET', '/v1/organizations')).body.data).toEqual([{ _id: id, name: 'Trestle' }])
    expect((await call('GET', '/v1/organizations/me')).body.data).toEqual({ _id: id, name: 'Trestle' })
    await call('POST', '/v1/layouts', { name: 'L', identifier: 'l', content: '{{{ body }}}' })
    for (const locale of ['fr', 'de'])
      await call('POST', '/v2/translations', { resourceType: 'layout', resourceId: 'l', locale, content: { a: 'b' } })
    const settings = { defaultLocale: 'en_US', targetLocales: ['de', 'fr'] }
    expect((await call('GET', '/v1/organizations/settings')).body.data).toEqual(settings)
    expect((await fetch(`${service.url}/v1/users/me`)).status).toBe(401)
    expect((await fetch(`${service.url}/v1/health-check`)).status).toBe(200)
  })

  test('accept only agents of the synced bridge', async (context) => {
    const bridge = await serveBridge()
    const agents = [{ agentId: 'support' }]
    bridge.answer('discover', { status: 200, body: { workflows: [], agents } })
    const { call } = await startTestService(driver, context)
    const active = { devBridgeUrl: bridge.url, devBridgeActive: true }
    expect((await call('PUT', '/v1/agents/support/bridge', active)).status).toBe(404)
    await call('POST', '/v1/bridge/sync', { bridgeUrl: bridge.url })
    const answer = await call('PUT', '/v1/agents/support/bridge', active)
    expect([answer.status, answer.body.data]).toEqual([200, { agentId: 'support', ...active }])
    const synced = await call('PUT', '/v1/agents/support/bridge', { bridgeUrl: bridge.url })
    expect([synced.status, synced.body.data]).toEqual([200, { agentId: 'support', bridgeUrl: bridge.url }])
    const elsewhere = await call('PUT', '/v1/agents/support/bridge', { ...active, devBridgeUrl: `${bridge.url}/other` })
    expect([elsewhere.status, elsewhere.text]).toEqual([422, expect.stringContaining(bridge.url)])
  })
})
