import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { productionKey, startTestService } from '../service.fixture.ts'

interface ShownStep {
  readonly stepId: string
  readonly status: string
  readonly dueAt: string | null
}

describe.each(drivers)('studio runs (%s)', (driver) => {
  test('are listed with their steps, and shown with all their data', async (context) => {
    const { call, callWith, environmentId } = await startTestService(driver, context, { work: true })
    const bridge = await serveBridge()
    const values = [{ _environmentId: environmentId, value: 'canary-secret' }]
    await call('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values })
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    for (const subscriberId of ['ada', 'Bob']) {
      const to = { subscriberId, email: `${subscriberId}@example.com` }
      await call('POST', '/v1/events/trigger', { name: 'welcome', to, payload: { a: 1 } })
    }
    const list = async (query = '') => (await call('GET', `/v1/studio/runs${query}`)).body
    await expect.poll(async () => JSON.stringify(await list()), { timeout: 10_000 }).toMatch(/delayed.*delayed/)
    const all = await list()
    expect(all).toMatchObject({ totalCount: 2, next: null, previous: null })
    const [bob, ada] = all.data
    expect([bob.subscriberId, ada.subscriberId].sort()).toEqual(['Bob', 'ada'])
    expect(ada).toMatchObject({ workflowId: 'welcome', workflowName: 'welcome', status: 'running', finishedAt: null })
    expect(ada.steps.map(({ stepId, status }: ShownStep) => [stepId, status])).toEqual([
      ['tell', 'completed'],
      ['wait', 'delayed'],
      ['mail', 'pending'],
    ])
    expect(ada.steps[1].dueAt).toEqual(expect.any(String))

    const counts = async (query: string) => (await list(query)).data.length
    expect(await counts('?subscriberId=ada')).toBe(1)
    expect(await counts('?subscriberId=ADA')).toBe(0)
    expect(await counts('?search=BO')).toBe(1)
    expect(await counts('?status=running&workflowId=welcome')).toBe(2)
    expect(await counts('?status=completed')).toBe(0)
    expect(await counts(`?transactionId=${ada.transactionId}`)).toBe(1)
    const first = await list('?limit=1')
    expect((await list(`?limit=1&after=${first.next}`)).data[0]._id).toBe(ada._id)
    expect((await call('GET', '/v1/studio/runs?status=odd')).status).toBe(422)
    expect((await call('GET', '/v1/studio/runs?x=1')).status).toBe(422)

    await call('POST', `/v1/studio/jobs/${ada.steps[1]._id}/skip-wait`)
    await expect
      .poll(async () => (await call('GET', `/v1/studio/runs/${ada._id}`)).body.status, { timeout: 10_000 })
      .toBe('completed')
    const { body: run, text } = await call('GET', `/v1/studio/runs/${ada._id}`)
    expect(run).toMatchObject({
      workflowId: 'welcome',
      workflowExists: true,
      payload: { a: 1 },
      finishedAt: expect.any(String),
    })
    expect(run.steps).toMatchObject([
      {
        stepId: 'tell',
        outputs: { data: { echoed: 'token ******' } },
        calledAt: expect.any(String),
        endedAt: expect.any(String),
      },
      { stepId: 'wait', status: 'completed', dueAt: expect.any(String) },
      { stepId: 'mail', status: 'completed', error: null },
    ])
    expect(run.calls.map(({ request }: { request: { stepId: string } }) => request.stepId)).toEqual([
      'tell',
      'wait',
      'mail',
    ])
    expect(run.messages.map(({ channel }: { channel: string }) => channel)).toEqual(['in_app', 'email'])
    expect(run.details.length).toBeGreaterThan(5)
    expect(text).not.toContain('canary')
    expect((await callWith(productionKey)('GET', `/v1/studio/runs/${ada._id}`)).status).toBe(404)
    expect((await callWith(productionKey)('GET', '/v1/studio/runs')).body.data).toEqual([])
    expect((await call('GET', '/v1/studio/runs/nothing')).status).toBe(404)
  })
})
