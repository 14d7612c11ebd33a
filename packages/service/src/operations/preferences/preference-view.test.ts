import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestService } from '../service.fixture.ts'

test('reads preferences without the manifests and schemas of workflows', async (context) => {
  const { call, addSubscriber, service } = await startTestService('sqlite', context)
  await addSubscriber('ada')
  const steps = [{ stepId: 's', name: 'S', type: 'sms', controlValues: { body: 'b' } }]
  const stored = await call('POST', '/v2/workflows', { name: 'W', workflowId: 'w', active: true, steps })
  expect(stored.status).toBe(201)
  const paths = ['/v1/subscribers/ada/preferences', '/v2/subscribers/ada/preferences']
  const read = async () => (await Promise.all(paths.map((path) => call('GET', path)))).map(({ body }) => body)
  const before = await read()
  // Reading all columns fails because of this one.
  await sql`alter table "workflows" add column "all" text generated always as (json("name" || '{')) virtual`.execute(
    service.store.db,
  )
  expect(await read()).toEqual(before)
  expect(before[1].workflows).toMatchObject([{ enabled: true, workflow: { identifier: 'w', name: 'W' } }])
})

test('shows a critical workflow as it is sent, regardless of subscriber preferences', async (context) => {
  const { call, addSubscriber } = await startTestService('sqlite', context)
  await addSubscriber('ada')
  const [group] = (await call('GET', '/v1/notification-groups')).body.data
  const steps = [{ stepId: 's', name: 'S', template: { type: 'sms', body: 'b' } }]
  const body = { name: 'W', notificationGroupId: group._id, active: true, critical: true, steps }
  const stored = await call('POST', '/v1/workflows', body)
  expect(stored.status).toBe(201)
  const v1 = '/v1/subscribers/ada/preferences'
  await call('PATCH', v1, { enabled: false, preferences: [{ type: 'sms', enabled: false }] })
  const own = await call('PATCH', `${v1}/${stored.body.data._id}`, { channel: { type: 'sms', enabled: false } })
  const wanted = { enabled: true, channels: { sms: true }, overrides: [{ channel: 'sms', source: 'template' }] }
  expect(own.body.data.preference).toEqual(wanted)
  expect((await call('GET', v1)).body.data).toMatchObject([{ template: { critical: true }, preference: wanted }])
  const { workflows } = (await call('GET', '/v2/subscribers/ada/preferences?criticality=critical')).body
  expect(workflows).toMatchObject([wanted])
})

test('rejects a schedule for a single workflow, because it would have no effect', async (context) => {
  const { call, addSubscriber } = await startTestService('sqlite', context)
  await addSubscriber('ada')
  const steps = [{ stepId: 's', name: 'S', type: 'sms', controlValues: { body: 'b' } }]
  await call('POST', '/v2/workflows', { name: 'W', workflowId: 'w', active: true, steps })
  const path = '/v2/subscribers/ada/preferences'
  const refused = await call('PATCH', path, { workflowId: 'w', schedule: { isEnabled: true } })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['schedule']])
  expect((await call('PATCH', path, { schedule: { isEnabled: true } })).status).toBe(200)
})
