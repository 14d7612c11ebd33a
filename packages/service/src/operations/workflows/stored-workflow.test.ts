import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, type TestContext, test, vi } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

test.for(drivers)('runs a workflow stored through the API without a bridge (%s)', async (driver, context) => {
  const server = createServer((_request, response) => response.end('{"score":7}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { call, service } = await startTestService(driver, context, { work: true })
  const steps = [
    { stepId: 'ask', name: 'Ask', type: 'http_request', controlValues: { method: 'GET', url } },
    { stepId: 'wait', name: 'Wait', type: 'delay', controlValues: { amount: 0, unit: 'seconds' } },
    {
      stepId: 'mail',
      name: 'Mail',
      type: 'email',
      controlValues: { subject: 'Of {{ steps.ask.score }}', body: '<p>{{ payload.name }}</p>', layoutId: null },
    },
    {
      stepId: 'gone',
      name: 'Gone',
      type: 'sms',
      controlValues: { body: 'b', skip: { '==': [{ var: 'subscriber.firstName' }, 'Ada'] } },
    },
    {
      stepId: 'tell',
      name: 'Tell',
      type: 'in_app',
      controlValues: { body: 'Hi {{ subscriber.firstName }}', redirect: { url: 'https://a.example' } },
    },
    { stepId: 'wrong', name: 'Wrong', type: 'sms', controlValues: { body: '{{ nobody }}' } },
  ]
  const workflowResponse = await call('POST', '/v2/workflows', {
    name: 'Order',
    workflowId: 'order',
    active: true,
    steps,
  })
  expect(workflowResponse.status).toBe(201)
  const preview = await call('POST', '/v2/workflows/order/step/mail/preview', {
    previewPayload: { payload: { name: 'Bob' }, steps: { ask: { score: 1 } } },
  })
  expect(preview.body.result).toMatchObject({ preview: { subject: 'Of 1', body: '<p>Bob</p>' } })
  const to = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@a.example', phone: '+1' }
  await call('POST', '/v1/events/trigger', { name: 'order', to, payload: { name: 'A & B' } })
  await vi.waitFor(
    async () => {
      const { body } = await call('GET', '/v1/notifications')
      const jobs = body.data[0].jobs.map((job: { step: { stepId: string }; status: string }) => job.status)
      expect(jobs).toEqual(['completed', 'completed', 'completed', 'skipped', 'completed', 'failed'])
    },
    { timeout: 15_000, interval: 50 },
  )
  const rows = await service.store.db.selectFrom('messages').selectAll().orderBy('id').execute()
  expect(rows.map(({ channel, subject, content }) => [channel, subject, JSON.parse(content ?? '""')])).toEqual([
    ['email', 'Of 7', '<p>A &amp; B</p>'],
    ['in_app', null, 'Hi Ada'],
  ])
  const calls = await service.store.db.selectFrom('bridgeCalls').select(['url', 'status']).execute()
  expect(calls.map(({ url: callUrl }) => callUrl)).toEqual(Array(6).fill('(rendered by the service)'))
  expect(calls.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 400])
})

test.for(drivers)('finds v1 workflows by part of their name (%s)', async (driver, context) => {
  const { call } = await startTestService(driver, context)
  for (const name of ['A_b', '100% off', 'axb'])
    await call('POST', '/v2/workflows', { name, workflowId: name.replace(/\W/g, '-'), active: true, steps: [] })
  const namesOf = async (query: string) =>
    (await call('GET', `/v1/workflows?query=${encodeURIComponent(query)}`)).body.data.map(
      ({ name }: { readonly name: string }) => name,
    )
  expect([await namesOf('a_B'), await namesOf('%'), await namesOf('AX')]).toEqual([['A_b'], ['100% off'], ['axb']])
})

describe.each(drivers)('steps of a workflow that is updated (%s)', (driver) => {
  type Shown = readonly { readonly _id: string; readonly stepId: string; readonly controls: { values: object } }[]

  async function start(context: TestContext) {
    const { call } = await startTestService(driver, context)
    const toStep = (stepId: string) => ({ stepId, name: stepId, type: 'sms', controlValues: { body: stepId } })
    const created = await call('POST', '/v2/workflows', {
      ...{ name: 'W', workflowId: 'w', active: true },
      steps: ['a', 'b', 'c'].map(toStep),
    })
    const ids: readonly string[] = created.body.steps.map(({ _id }: Shown[number]) => _id)
    const update = async (steps: readonly object[]) => {
      const body = { name: 'W', steps: steps.map((step) => ({ type: 'sms', ...step })), preferences: {} }
      const { status, body: shown } = await call('PUT', '/v2/workflows/w', body)
      if (status !== 200) return [status, shown.message]
      return (shown.steps as Shown).map(({ _id, stepId, controls }) => [ids.indexOf(_id), stepId, controls.values])
    }
    return { call, ids, update }
  }

  test('keep their identifier and control values when they are renamed', async (context) => {
    const { ids, update } = await start(context)
    expect(
      await update([
        { _id: ids[1], name: 'New name' },
        { _id: ids[0], name: 'a' },
      ]),
    ).toEqual([
      [1, 'b', { body: 'b' }],
      [0, 'a', { body: 'a' }],
    ])
    expect(await update([{ _id: ids[0], name: 'a', stepId: 'z' }])).toEqual([[0, 'z', { body: 'a' }]])
  })

  test.for([
    ['a swap', ['b', 'a', 'c']],
    ['a rotation', ['b', 'c', 'a']],
    ['a chain', ['b', 'c', 'd']],
  ] as const)('keep their control values in %s of identifiers', async ([, stepIds], context) => {
    const { ids, update } = await start(context)
    const steps = stepIds.map((stepId, at) => ({ _id: ids[at], stepId, name: stepId }))
    const expected = stepIds.map((stepId, at) => [at, stepId, { body: 'abc'[at] }])
    expect(await update(steps)).toEqual(expected)
  })

  test('start without the values of another step that had their identifier', async (context) => {
    const { ids, update } = await start(context)
    const steps = [
      { _id: ids[0], stepId: 'z', name: 'z' },
      { stepId: 'a', name: 'a' },
      { stepId: 'b', name: 'b', controlValues: null },
    ]
    expect(await update(steps)).toEqual([
      [0, 'z', { body: 'a' }],
      [-1, 'a', {}],
      [1, 'b', {}],
    ])
  })

  test('are rejected if two have the same row id', async (context) => {
    const { ids, update } = await start(context)
    const steps = [
      { _id: ids[0], name: 'x', stepId: 'x' },
      { _id: ids[0], name: 'y', stepId: 'y' },
    ]
    expect(await update(steps)).toEqual([422, `steps: contain the _id "${ids[0]}" twice`])
  })

  test('belong to a workflow whose identifier is never changed', async (context) => {
    const { call } = await start(context)
    const reason = 'cannot be changed: triggers, runs and translations refer to the workflow by it'
    const v2 = await call('PUT', '/v2/workflows/w', { name: 'W', workflowId: 'x', steps: [], preferences: {} })
    expect([v2.status, v2.body.message]).toEqual([422, `workflowId: ${reason}`])
    const v1 = await call('PUT', '/v1/workflows/w', { identifier: 'x' })
    expect([v1.status, v1.body.message]).toEqual([422, `identifier: ${reason}`])
    expect((await call('PUT', '/v1/workflows/w', { identifier: 'w', name: 'V' })).body.data.name).toBe('V')
    expect((await call('GET', '/v2/workflows/w')).body.steps).toHaveLength(3)
  })
})

test('an update with API v1 keeps the preferences that it does not have', async (context) => {
  const { call } = await startTestService('sqlite', context)
  await call('POST', '/v2/workflows', { name: 'W', workflowId: 'w', active: true, steps: [] })
  const channels = { sms: { enabled: false } }
  const user = { all: { enabled: true, readOnly: true }, channels }
  await call('PUT', '/v2/workflows/w', { name: 'W', steps: [], preferences: { user } })
  await call('PUT', '/v1/workflows/w', { preferenceSettings: { email: false } })
  expect((await call('GET', '/v2/workflows/w')).body.preferences.user).toMatchObject({
    all: { enabled: true, readOnly: true },
    channels: { sms: { enabled: false }, email: { enabled: false } },
  })
})
