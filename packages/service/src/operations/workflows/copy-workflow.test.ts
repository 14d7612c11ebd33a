import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { productionKey, secretKey, startTestService } from '../service.fixture.ts'

const stealing = {
  ...{ name: 'Order', workflowId: 'order', active: true },
  steps: [{ stepId: 's', name: 'S', type: 'sms', controlValues: { body: '{{ env.PAY_TOKEN }}' } }],
}
const own = { ...stealing, steps: [{ stepId: 's', name: 'S', type: 'sms', controlValues: { body: 'Thanks' } }] }

describe.each(drivers)('copying a workflow to another environment (%s)', (driver) => {
  test('requires the secret key of the target', async (context) => {
    const { call, callWith, environmentId } = await startTestService(driver, context)
    const production = callWith(productionKey)
    const { _id: targetId } = (await production('GET', '/v1/environments/me')).body.data
    await call('POST', '/v2/workflows', stealing)
    await production('POST', '/v2/workflows', own)
    const before = (await production('GET', '/v2/workflows/order')).text
    const copy = (headers: Record<string, string>, targetEnvironmentId = targetId) =>
      call('PUT', '/v2/workflows/order/sync', { targetEnvironmentId }, headers)
    const refused: readonly (readonly [headers: Record<string, string>, status: number])[] = [
      [{}, 403],
      [{ 'target-authorization': '' }, 401],
      [{ 'target-authorization': `ApiKey ${secretKey}` }, 403],
      [{ 'target-authorization': `ApiKey ${productionKey}x` }, 401],
      [{ 'target-authorization': `Bearer ${productionKey}` }, 401],
      [{ 'target-authorization': productionKey }, 401],
    ]
    for (const [headers, status] of refused) {
      expect([headers, (await copy(headers)).status]).toEqual([headers, status])
      expect((await production('GET', '/v2/workflows/order')).text).toBe(before)
    }
    expect((await copy({ 'target-authorization': `ApiKey ${productionKey}` }, 'nothing')).status).toBe(403)
    expect((await copy({ 'target-authorization': `ApiKey ${secretKey}` }, environmentId)).status).toBe(400)
    expect((await copy({ 'target-authorization': `ApiKey ${productionKey}` })).status).toBe(200)
    expect((await production('GET', '/v2/workflows/order')).text).toContain('PAY_TOKEN')
  })

  test('copies which steps have control values', async (context) => {
    const { call, callWith, service } = await startTestService(driver, context)
    const production = callWith(productionKey)
    const { _id: targetEnvironmentId } = (await production('GET', '/v1/environments/me')).body.data
    await production('POST', '/v2/workflows', own)
    await call('POST', '/v2/workflows', { ...own, steps: [{ stepId: 's', name: 'S', type: 'sms' }] })
    const key = { 'target-authorization': `ApiKey ${productionKey}` }
    expect((await call('PUT', '/v2/workflows/order/sync', { targetEnvironmentId }, key)).status).toBe(200)
    expect((await production('GET', '/v2/workflows/order')).body.steps[0].controls.values).toEqual({})
    expect(await service.store.db.selectFrom('stepControls').selectAll().execute()).toEqual([])
  })
})
