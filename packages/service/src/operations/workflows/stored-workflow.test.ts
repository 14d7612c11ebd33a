import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
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
