import { describe, expect, test } from 'vitest'
import { drivers } from '../store/stores.fixture.ts'
import { createTestChannels } from './channels.fixture.ts'
import { createTestEngine } from './engine.fixture.ts'
import { createFakeBridge, replied } from './fake-bridge.fixture.ts'

describe.each(drivers)('a message on %s', (driver) => {
  test('whose sending fails in the service does not wait for ever', async (context) => {
    const channels = createTestChannels({
      isSent: () => true,
      send: async () => ({ patch: { status: 'sent', providerMessageId: 'no database\0stores it' }, notes: [] }),
    })
    const faults: unknown[] = []
    const bridge = createFakeBridge(() => replied({ body: 'b' }))
    const { store, addWorkflow, trigger, drain } = await createTestEngine(driver, context, { bridge, channels, faults })
    await addWorkflow('w', [{ stepId: 's', type: 'sms' }])
    await trigger({ name: 'w', to: 'ada' })
    await drain()
    expect(faults).toHaveLength(1)
    const [job] = await store.db.selectFrom('jobs').selectAll().execute()
    expect(job).toMatchObject({ status: 'failed' })
    const [message] = await store.db.selectFrom('messages').selectAll().execute()
    expect(message).toMatchObject({ status: 'error', errorId: 'ServiceError', delivery: null })
  })
})
