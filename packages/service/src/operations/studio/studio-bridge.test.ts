import { describe, expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { productionKey, secretKey, startTestService, type TestService } from '../service.fixture.ts'

/** Follows the event stream and records the bridge events. */
async function follow({ service }: TestService, context: { onTestFinished(end: () => void): void }) {
  const closing = new AbortController()
  context.onTestFinished(() => closing.abort())
  const { signal } = closing
  const headers = { authorization: `ApiKey ${secretKey}` }
  const response = await fetch(`${service.url}/v1/studio/events`, { headers, signal })
  const events: unknown[] = []
  const read = async (): Promise<void> => {
    let text = ''
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks)
        if (block.includes('event: bridge.changed')) events.push(JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null'))
    }
  }
  read().catch(() => undefined)
  return events
}

describe.each(drivers)('bridge status (%s)', (driver) => {
  test('is shown before, after and between syncs, without calling the bridge', async (context) => {
    const { call, callWith } = await startTestService(driver, context)
    const bridge = await serveBridge()
    const state = async () => (await call('GET', '/v1/studio/bridge')).body.data
    expect(await state()).toEqual({ url: null, status: 'never-synced', lastSync: null, workflows: [], problems: [] })
    expect(await call('POST', '/v1/studio/bridge/sync', {})).toMatchObject({ status: 400 })

    const synced = await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    expect(synced).toMatchObject({
      status: 200,
      body: {
        data: { url: bridge.url, status: 'ok', lastSync: { at: expect.any(String), url: bridge.url, error: null } },
      },
    })
    const [workflow] = synced.body.data.workflows
    expect(workflow).toMatchObject({
      workflowId: 'welcome',
      active: true,
      payload: { schema: {} },
      env: { schema: {} },
    })
    expect(workflow.steps.map(({ stepId }: { stepId: string }) => stepId)).toEqual(['tell', 'wait', 'mail'])
    expect(workflow.steps[0]).toMatchObject({ controls: { schema: {} }, results: { schema: {} }, conditional: false })
    const before = bridge.calls.length
    expect(await state()).toEqual(synced.body.data)
    expect(bridge.calls.length).toBe(before)
    expect((await call('POST', '/v1/studio/bridge/sync')).body.data.status).toBe('ok')
    expect(bridge.calls.length).toBe(before + 1)
    expect((await callWith(productionKey)('GET', '/v1/studio/bridge')).body.data.status).toBe('never-synced')
  })

  test('lists every broken workflow, and syncing keeps the existing ones', async (context) => {
    const { call, environmentId } = await startTestService(driver, context)
    const bridge = await serveBridge()
    const values = [{ _environmentId: environmentId, value: 'canary-secret' }]
    await call('POST', '/v1/environment-variables', { key: 'TOKEN', isSecret: true, values })
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    const errors = [
      {
        workflowId: 'a',
        code: 'StepAlreadyExistsError',
        message: 'twice canary-secret',
        data: { workflowId: 'a', stepId: 's' },
      },
      { workflowId: 'b', code: 'WorkflowDiscoveryFailedError', message: 'it threw', data: { errors: [] } },
      'no object',
    ]
    const body = {
      code: 'StepAlreadyExistsError',
      message: 'twice',
      data: { errors, workflows: [{ workflowId: 'welcome' }] },
    }
    bridge.answer('discover', { status: 409, body })
    const { status, body: reply } = await call('POST', '/v1/studio/bridge/sync', {})
    expect(status).toBe(200)
    expect(reply.data).toMatchObject({
      status: 'refused',
      lastSync: { error: { code: 'StepAlreadyExistsError', data: { errors: [{ workflowId: 'a' }, {}, 'no object'] } } },
      problems: [
        { workflowId: 'a', stepId: 's', code: 'StepAlreadyExistsError', message: 'twice ******' },
        { workflowId: 'b', code: 'WorkflowDiscoveryFailedError', message: 'it threw' },
      ],
    })
    expect(reply.data.workflows).toHaveLength(1)
    expect(JSON.stringify(reply)).not.toContain('canary')
    expect(reply.data.lastSync.error.data).not.toHaveProperty('workflows')
    expect((await call('POST', '/v1/bridge/sync', { bridgeUrl: bridge.url })).status).toBe(400)
    bridge.answer('discover', undefined)
    await call('POST', '/v1/bridge/sync', { bridgeUrl: bridge.url })
    expect((await call('GET', '/v1/studio/bridge')).body.data).toMatchObject({ status: 'ok', problems: [] })
  })

  test('distinguishes an unreachable bridge from one that rejects calls', async (context) => {
    const { call } = await startTestService(driver, context, { bridge: { sleep: async () => undefined } })
    const sync = async (bridgeUrl: string) =>
      (await call('POST', '/v1/studio/bridge/sync', { bridgeUrl })).body.data as {
        status: string
        lastSync: { error: { code: string } }
      }
    expect(await sync('http://127.0.0.1:1/api?token=canary')).toMatchObject({
      status: 'unreachable',
      url: 'http://127.0.0.1:1/api',
      lastSync: { error: { code: 'ECONNREFUSED' } },
    })
    expect(await sync('http://localhost:3000/')).toMatchObject({
      status: 'refused',
      lastSync: { error: { code: 'BLOCKED_HOSTNAME' } },
    })
    expect(await sync('no url')).toMatchObject({ status: 'refused', lastSync: { error: { code: 'INVALID_URL' } } })
    const bridge = await serveBridge()
    bridge.answer('discover', { status: 200, body: { workflows: [{ workflowId: 'a' }], agents: [] } })
    expect(await sync(bridge.url)).toMatchObject({
      status: 'refused',
      lastSync: { error: { code: 'ResponseParseError' } },
    })
    expect((await call('GET', '/v1/studio/bridge')).text).not.toContain('canary')
  })

  test('is streamed only when it changes', async (context) => {
    const started = await startTestService(driver, context)
    const { call } = started
    const bridge = await serveBridge()
    const events = await follow(started, context)
    const sync = () => call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    const settle = () => new Promise((resolve) => setTimeout(resolve, 300))
    await settle()
    await sync()
    await settle()
    expect(events).toEqual([{ url: bridge.url, status: 'ok', at: expect.any(String) }])
    await sync()
    await settle()
    expect(events).toHaveLength(1)
    bridge.answer('discover', { status: 401, body: {} })
    await sync()
    await settle()
    expect(events).toMatchObject([{ status: 'ok' }, { status: 'refused' }])
    bridge.answer('discover', undefined)
    await sync()
    await settle()
    expect(events).toHaveLength(3)
  })

  test('is deleted with its environment', async (context) => {
    const { call, callWith, service } = await startTestService(driver, context)
    const { body } = await call('POST', '/v1/environments', { name: 'Trial' })
    const { store } = service
    const settings = async () => (await store.db.selectFrom('settings').select('key').execute()).map(({ key }) => key)
    await store.db
      .insertInto('settings')
      .values({ key: `bridgeSync ${body.data._id}`, value: '{}' })
      .execute()
    const { _id, apiKeys } = body.data
    expect((await callWith(apiKeys[0].key)('DELETE', `/v1/environments/${_id}`)).status).toBe(200)
    expect((await settings()).filter((key) => key.startsWith('bridgeSync'))).toEqual([])
  })
})

test.for(drivers)(
  'workflows stored through the API are listed with those of the bridge (%s)',
  async (driver, context) => {
    const { call } = await startTestService(driver, context)
    const steps = [{ stepId: 'mail', name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'Hello' } }]
    const workflow = { name: 'Order', workflowId: 'order', description: 'An order', active: true, steps }
    expect((await call('POST', '/v2/workflows', workflow)).status).toBe(201)
    const { workflows, status, problems } = (await call('GET', '/v1/studio/bridge')).body.data
    expect({ status, problems }).toEqual({ status: 'never-synced', problems: [] })
    expect(workflows).toMatchObject([
      {
        ...{ workflowId: 'order', name: 'Order', description: 'An order', isStored: true, active: true },
        steps: [{ stepId: 'mail', type: 'email', controls: { schema: {} } }],
      },
    ])
  },
)
