import { expect, test } from 'vitest'
import { keepChoices } from '../../bridge/workflows/kept-choices.ts'
import { productionKey, secretKey, startTestService, type TestService } from '../service.fixture.ts'

/** Stores a bridge workflow that the subscriber Ada has opted out of. */
async function leave({ call, service, environmentId }: TestService): Promise<string> {
  await call('POST', '/v2/workflows', { name: 'Order', workflowId: 'order', active: true, steps: [] })
  await call('POST', '/v2/subscribers', { subscriberId: 'ada' })
  const { db } = service.store
  const row = await db.selectFrom('workflows').selectAll().where('identifier', '=', 'order').executeTakeFirstOrThrow()
  const choice = { channels: { email: false }, workflowId: 'order' }
  expect((await call('PATCH', '/v2/subscribers/ada/preferences', choice)).status).toBe(200)
  const controls = { environmentId, workflowId: row.id, stepId: 'mail', controls: '{"subject":"old"}', updatedAt: 0 }
  await db.insertInto('stepControls').values(controls).execute()
  await service.store.transaction(async (tx) => {
    await keepChoices(tx, row)
    await tx.deleteFrom('workflows').where('id', '=', row.id).execute()
  })
  return row.id
}

const emailOf = async ({ call }: TestService) => {
  const { body } = await call('GET', '/v2/subscribers/ada/preferences')
  return body.workflows.map((one: { channels: { email: boolean } }) => one.channels.email)
}

test('keeps preferences, but no control values, when a workflow replaces one from a bridge', async (context) => {
  const tested = await startTestService('sqlite', context)
  const id = await leave(tested)
  const steps = [{ stepId: 'mail', name: 'Mail', type: 'email', controlValues: { body: 'b' } }]
  const response = await tested.call('POST', '/v2/workflows', {
    name: 'Order',
    workflowId: 'order',
    active: true,
    steps,
  })
  expect(response.body).toMatchObject({ _id: id, steps: [{ controls: { values: { subject: '', body: 'b' } } }] })
  expect(await emailOf(tested)).toEqual([false])
  // Deleting the workflow deletes its preferences.
  await tested.call('DELETE', '/v2/workflows/order')
  await tested.call('POST', '/v2/workflows', { name: 'Order', workflowId: 'order', active: true, steps })
  expect(await emailOf(tested)).toEqual([true])
})

test('keeps preferences when a workflow is copied from another environment', async (context) => {
  const tested = await startTestService('sqlite', context)
  const id = await leave(tested)
  const production = tested.callWith(productionKey)
  const steps = [{ stepId: 'mail', name: 'Mail', type: 'email', controlValues: { body: 'b' } }]
  await production('POST', '/v2/workflows', { name: 'Order', workflowId: 'order', active: true, steps })
  const target = { targetEnvironmentId: tested.environmentId }
  const keys = { 'target-authorization': `ApiKey ${secretKey}` }
  const copied = await production('PUT', '/v2/workflows/order/sync', target, keys)
  expect(copied.body).toMatchObject({ _id: id })
  expect(await emailOf(tested)).toEqual([false])
})
