import { resolvePreference } from '@trestle/run-rules'
import { expect, test } from 'vitest'
import { startTestService } from '../../operations/service.fixture.ts'
import { createId } from '../../store/create-id.ts'
import type { RunRow } from '../../store/schema/run.ts'
import { createStore } from '../../store/stores.fixture.ts'
import { loadPreferences } from './load-preferences.ts'

const runOf = (workflowId: string, more: Partial<RunRow> = {}): RunRow =>
  ({
    ...{ workflowId, workflowIdentifier: 'w', environmentId: 'e', subscriberId: 'ada' },
    ...{ contextKeys: '[]', tenant: null, ...more },
  }) as RunRow

test('sends nothing for a deleted workflow, regardless of preferences', async (context) => {
  const { db } = await createStore('sqlite', context)
  const choice = { environmentId: 'e', subscriberId: 'ada', workflowId: '', contextKey: '', enabled: 1 as const }
  await db
    .insertInto('preferences')
    .values({ id: createId(0), ...choice, channels: '{"email":true}', schedule: null, createdAt: 0, updatedAt: 0 })
    .execute()
  const { layers } = await loadPreferences(db, runOf('gone'))
  expect(resolvePreference(layers, 'email')).toEqual({ enabled: false, source: 'workflow' })
  expect(resolvePreference({ ...layers, critical: true }, 'email').enabled).toBe(true)
})

test('applies preferences to a workflow that was recreated with the same identifier', async (context) => {
  const { call, addSubscriber, service } = await startTestService('sqlite', context)
  await addSubscriber('ada')
  const steps = [{ stepId: 's', name: 'S', type: 'sms', controlValues: { body: 'b' } }]
  await call('POST', '/v2/workflows', { name: 'W', workflowId: 'w', active: true, steps })
  await call('PATCH', '/v2/subscribers/ada/preferences', { workflowId: 'w', channels: { sms: false } })
  const { db } = service.store
  const { id: subscriberId, environmentId } = await db
    .selectFrom('subscribers')
    .select(['id', 'environmentId'])
    .executeTakeFirstOrThrow()
  const { layers } = await loadPreferences(db, runOf('another', { environmentId, subscriberId }))
  expect(resolvePreference(layers, 'sms')).toEqual({ enabled: false, source: 'subscriberWorkflow' })
})

test('merges preferences for a context with the general preferences', async (context) => {
  const { call, addSubscriber, service } = await startTestService('sqlite', context)
  await addSubscriber('ada')
  const steps = [{ stepId: 's', name: 'S', type: 'sms', controlValues: { body: 'b' } }]
  await call('POST', '/v2/workflows', { name: 'W', workflowId: 'w', active: true, steps })
  const path = '/v2/subscribers/ada/preferences'
  const schedule = {
    isEnabled: true,
    weeklySchedule: { monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } },
  }
  expect((await call('PATCH', path, { channels: { email: false }, schedule })).status).toBe(200)
  const own = await call('PATCH', path, { channels: { sms: false }, context: { tenant: 'acme' } })
  expect(own.status).toBe(200)
  expect(own.body.global.channels).toMatchObject({ email: false, sms: false })
  const { db } = service.store
  const { contextKey, subscriberId, environmentId } = await db
    .selectFrom('preferences')
    .select(['contextKey', 'subscriberId', 'environmentId'])
    .where('contextKey', '!=', '')
    .executeTakeFirstOrThrow()
  const run = runOf('w', { environmentId, subscriberId, contextKeys: JSON.stringify([contextKey]) })
  const loaded = await loadPreferences(db, run)
  expect(resolvePreference(loaded.layers, 'email').enabled).toBe(false)
  expect(resolvePreference(loaded.layers, 'sms').enabled).toBe(false)
  expect(loaded.schedule).toMatchObject({ isEnabled: true })
  const general = await loadPreferences(db, { ...run, contextKeys: '[]' })
  expect(resolvePreference(general.layers, 'sms').enabled).toBe(true)
})
