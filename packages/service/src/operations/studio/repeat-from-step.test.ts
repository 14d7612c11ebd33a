import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { productionKey, startTestService } from '../service.fixture.ts'

describe.each(drivers)('running a run again from a step (%s)', (driver) => {
  test('copies the earlier results, and names their run', async (context) => {
    const { call, callWith } = await startTestService(driver, context, { work: true })
    const bridge = await serveBridge()
    await call('POST', '/v1/bridge/sync', { bridgeUrl: bridge.url })
    await call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada', payload: { a: 1 } })
    const newest = async () => (await call('GET', '/v1/studio/runs')).body.data[0]
    await expect.poll(async () => (await newest())?.steps[1]?.status, { timeout: 10_000 }).toBe('delayed')
    const { _id: runId } = await newest()
    const path = `/v1/studio/runs/${runId}/repeat-from-step`
    const running = await call('POST', path, { stepId: 'wait' })
    expect(running).toMatchObject({ status: 409, body: { message: expect.stringContaining('has not ended') } })
    await call('POST', `/v1/studio/runs/${runId}/cancel`)
    await expect.poll(async () => (await newest()).status).toBe('canceled')

    for (const [body, status] of [
      [{ stepId: 'nothing' }, 404],
      [{}, 422],
      [{ stepId: 'wait', to: 'eve' }, 422],
      [{ stepId: 'mail' }, 409],
    ] as const)
      expect((await call('POST', path, body)).status, JSON.stringify(body)).toBe(status)
    expect((await callWith(productionKey)('POST', path, { stepId: 'wait' })).status).toBe(404)
    const asTrigger = { name: 'welcome', to: 'ada', startFrom: { runId, stepId: 'wait' } }
    expect((await call('POST', '/v1/events/trigger', asTrigger)).status).toBe(422)

    const { status, body } = await call('POST', path, { stepId: 'wait' })
    expect([status, body.status]).toEqual([201, 'processed'])
    await expect.poll(async () => (await newest()).steps[1]?.status, { timeout: 10_000 }).toBe('delayed')
    const again = (await call('GET', `/v1/studio/runs/${(await newest())._id}`)).body
    expect(again).toMatchObject({ transactionId: body.transactionId, payload: { a: 1 }, subscriberId: 'ada' })
    expect(again.steps).toMatchObject([
      { stepId: 'tell', status: 'completed', reusedFrom: runId, result: { read: false } },
      { stepId: 'wait', status: 'delayed', reusedFrom: null },
      ...again.steps.slice(2),
    ])
    expect(bridge.calls.filter(({ stepId }) => stepId === 'tell')).toHaveLength(1)
  })
})
