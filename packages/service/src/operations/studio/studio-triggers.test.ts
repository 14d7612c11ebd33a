import { expect, test } from 'vitest'
import { startTestService } from '../service.fixture.ts'

const steps = [{ name: 'Tell', type: 'sms', controlValues: { body: 'hi' } }]

test('lists triggers without a run, with the reason', async (context) => {
  const { call, log } = await startTestService('sqlite', context, { work: true })
  await call('POST', '/v2/workflows', { name: 'Order', workflowId: 'order', active: true, steps })
  const to = ['ada', { type: 'Topic', topicKey: 'nobody' }]
  await call('POST', '/v1/events/trigger', { name: 'order', to, transactionId: 't-1' })
  await call('POST', '/v1/events/trigger', { name: 'order', to: 'ada', transactionId: 't-2' })
  const show = async (id: string) => (await call('GET', `/v1/studio/triggers?transactionId=${id}`)).body.data
  const common = { workflowId: 'order', kind: 'single' }
  const error = 'the topic "nobody" does not exist'
  await expect.poll(() => show('t-1')).toMatchObject([{ ...common, transactionId: 't-1', status: 'failed', error }])
  await expect.poll(() => show('t-2')).toMatchObject([{ ...common, status: 'done', error: null }])
  await call('POST', '/v1/events/trigger', { name: 'order', to: 'ada', transactionId: 't-2' })
  await expect.poll(() => show('t-2')).toMatchObject([{ status: 'duplicate' }, { status: 'done' }])
  const { body } = await call('GET', '/v1/studio/triggers?limit=2')
  expect(body).toMatchObject({ data: [{ transactionId: 't-2' }, {}], next: expect.any(String), totalCount: 3 })
  const warnings = log.filter((line) => line.includes('a trigger creates no run')).map((line) => JSON.parse(line))
  expect(warnings).toMatchObject([
    { level: 40, transactionId: 't-1', reason: error },
    { level: 40, transactionId: 't-2', reason: 'its transaction id was already used' },
  ])
})
