import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { productionKey, startTestService } from '../service.fixture.ts'

describe.each(drivers)('the recording of a run (%s)', (driver) => {
  test('has the first event, each result and reply, and the state of in-app messages, with secrets masked', async (context) => {
    const { call, callWith, environmentId, service } = await startTestService(driver, context, { work: true })
    const bridge = await serveBridge()
    const values = [{ _environmentId: environmentId, value: 'canary-secret' }]
    await call('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values })
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    const to = { subscriberId: 'ada', email: 'ada@example.com' }
    await call('POST', '/v1/events/trigger', { name: 'welcome', to, payload: { a: 1 } })
    const run = async () => (await call('GET', '/v1/studio/runs')).body.data[0]
    await expect.poll(async () => (await run())?.steps[1].status, { timeout: 10_000 }).toBe('delayed')
    const { _id: id, steps } = await run()
    await service.store.db.updateTable('messages').set({ seen: 1, read: 1 }).where('runId', '=', id).execute()
    await call('POST', `/v1/studio/jobs/${steps[1]._id}/skip-wait`)
    await expect.poll(async () => (await run()).status, { timeout: 10_000 }).toBe('completed')

    const path = `/v1/notifications/${id}/recording`
    const { body, text, status } = await call('GET', path)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      _id: id,
      workflowId: 'welcome',
      status: 'completed',
      runDriven: false,
      complete: true,
      event: {
        payload: { a: 1 },
        subscriber: { subscriberId: 'ada', email: 'ada@example.com' },
        env: { TOKEN: '******', name: 'Development' },
      },
      steps: [
        { stepId: 'tell', reached: true, reply: { outputs: { data: { echoed: 'token ******' } }, skip: false } },
        { stepId: 'wait', type: 'delay', result: { duration: expect.any(Number) }, error: null },
        { stepId: 'mail', reply: { outputs: { subject: 'Hello' }, providers: {} } },
      ],
      inboxStates: [
        { results: 1, stepId: 'tell', outputs: { seen: false, read: false } },
        { results: 2, stepId: 'tell', outputs: { seen: true, read: true } },
      ],
      error: null,
    })
    const orders = body.data.steps.map(({ order }: { order: number }) => order)
    expect(orders).toEqual(orders.toSorted((one: number, other: number) => one - other))
    expect(text).not.toContain('canary')
    expect((await callWith(productionKey)('GET', path)).status).toBe(404)
    expect((await call('GET', '/v1/notifications/nothing/recording')).status).toBe(404)
  })

  test('has the errors of failed steps, and no event if no call is stored', async (context) => {
    const { call, service } = await startTestService(driver, context, { work: true })
    const bridge = await serveBridge()
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    const body = { code: 'StepExecutionFailedError', message: 'no stock', data: null }
    bridge.answer('execute', { status: 400, body })
    await call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada', payload: {} })
    const run = async () => (await call('GET', '/v1/studio/runs')).body.data[0]
    await expect.poll(async () => (await run())?.status, { timeout: 10_000 }).toBe('failed')
    const { _id: id } = await run()
    const recording = async () => (await call('GET', `/v1/notifications/${id}/recording`)).body.data
    expect((await recording()).steps[0]).toMatchObject({ status: 'failed', error: body, reply: null, reached: true })
    expect((await recording()).inboxStates).toHaveLength(1)
    await service.store.db.updateTable('jobs').set({ stage: 'unreached' }).where('runId', '=', id).execute()
    expect((await recording()).steps[0].reached).toBe(false)
    await service.store.db.deleteFrom('bridgeCalls').where('runId', '=', id).execute()
    expect(await recording()).toMatchObject({ event: null, inboxStates: [] })
  })
})
