import { expect, test } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

test.for(drivers)('a page of large documents is refused before it is read (%s)', async (driver, context) => {
  const { call, service, addSubscriber, environmentId } = await startTestService(driver, context, { work: true })
  await addSubscriber('ada')
  const steps = [{ name: 'tell', type: 'in_app', controlValues: { body: 'Hi' } }]
  await call('POST', '/v2/workflows', { ...{ name: 'Large', workflowId: 'large', active: true }, steps })
  for (let count = 0; count < 3; count++) await call('POST', '/v1/events/trigger', { name: 'large', to: 'ada' })
  const { db } = service.store
  const statuses = async () => (await db.selectFrom('runs').select('status').execute()).map(({ status }) => status)
  await expect.poll(statuses, { timeout: 60_000 }).toEqual(Array.from({ length: 3 }, () => 'completed'))
  const text = JSON.stringify({ text: 'x'.repeat(25 * 1024 * 1024) })
  await db.updateTable('runs').set({ payload: text }).execute()
  await db.updateTable('messages').set({ payload: text }).execute()
  await db.updateTable('bridgeCalls').set({ request: text }).execute()
  const refused = { status: 413, body: { message: expect.stringMatching(/^The response would have \d+ MiB, .*fewer/) } }
  for (const path of ['/v1/notifications', '/v1/messages', '/v1/studio/bridge-calls']) {
    expect(await call('GET', `${path}?limit=10`)).toMatchObject(refused)
    const { status, body } = await call('GET', `${path}?limit=2`)
    expect([path, status, body.data.length]).toEqual([path, 200, 2])
  }
  expect(await call('GET', '/v1/subscribers/ada/notifications/feed')).toMatchObject(refused)
  const inbox = await call('GET', '/v2/subscribers/ada/notifications')
  expect([inbox.status, inbox.body.data.length]).toEqual([200, 3])
  const runs = await call('GET', '/v1/studio/runs?limit=10')
  expect([runs.status, runs.body.data.length]).toEqual([200, 3])
  expect(runs.text.length).toBeLessThan(10_000)
  const [{ _id: runId }] = runs.body.data
  const detail = {
    ...({ environmentId, runId, jobId: null, messageId: null, status: 'Success', detail: 'Stored' } as const),
    ...({ source: 'Internal', providerId: null, raw: text, isTest: 0, isRetry: 0, createdAt: 1 } as const),
  }
  for (const id of ['a', 'b', 'c'])
    await db
      .insertInto('executionDetails')
      .values({ ...detail, id })
      .execute()
  const details = `/v1/execution-details?notificationId=${runId}&subscriberId=ada`
  expect(await call('GET', details)).toMatchObject(refused)
  await db.deleteFrom('executionDetails').where('id', 'in', ['a', 'b', 'c']).execute()
  expect((await call('GET', details)).status).toBe(200)
})
