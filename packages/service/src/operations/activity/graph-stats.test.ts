import { expect, test } from 'vitest'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const dayMs = 24 * 60 * 60_000

test.for(bothDrivers)('runs are counted by day (%s)', async (driver, context) => {
  const { call, service } = await startTestService(driver, context, { work: true })
  const steps = [{ name: 'tell', type: 'in_app', controlValues: { body: 'Hi' } }]
  await call('POST', '/v2/workflows', { ...{ name: 'W', workflowId: 'w', active: true }, steps })
  for (let count = 0; count < 3; count++) await call('POST', '/v1/events/trigger', { name: 'w', to: 'ada' })
  const { db } = service.store
  const selectIds = async () => (await db.selectFrom('runs').select('id').execute()).map(({ id }) => id)
  await expect.poll(selectIds).toHaveLength(3)
  const [early = '', ...late] = await selectIds()
  const todayMs = Math.floor(Date.now() / dayMs) * dayMs
  await db
    .updateTable('runs')
    .set({ createdAt: todayMs - 1 })
    .where('id', '=', early)
    .execute()
  for (const [index, id] of late.entries())
    await db
      .updateTable('runs')
      .set({ createdAt: todayMs + index * (dayMs - 1) })
      .where('id', '=', id)
      .execute()
  const { body } = await call('GET', '/v1/notifications/graph/stats?days=2')
  const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  expect(body.data.map(({ _id, count }: { _id: string; count: number }) => [_id, count])).toEqual([
    [toDay(todayMs - 1), 1],
    [toDay(todayMs), 2],
  ])
})
