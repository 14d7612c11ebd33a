import { describe, expect, test, vi } from 'vitest'
import { drivers } from '../store/stores.fixture.ts'
import { createTestChannels } from './channels.fixture.ts'
import { createTestEngine } from './engine.fixture.ts'
import { createFakeBridge, replied } from './fake-bridge.fixture.ts'

describe.each(drivers)('a message on %s', (driver) => {
  test('that fails to be sent in the service does not wait forever', async (context) => {
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

  test('that its provider has accepted is not sent again after a short database outage', async (context) => {
    let sent = 0
    let refusals = 0
    const channels = createTestChannels({
      isSent: () => true,
      send: async () => {
        sent++
        refusals = 2
        return { patch: { status: 'sent' }, notes: [] }
      },
    })
    const faults: unknown[] = []
    const bridge = createFakeBridge(() => replied({ body: 'b' }))
    const { store, addWorkflow, trigger, drain } = await createTestEngine(driver, context, { bridge, channels, faults })
    const { transaction } = store
    vi.spyOn(store, 'transaction').mockImplementation(async (work) => {
      if (refusals-- > 0) throw Object.assign(new Error('no room'), { code: 'SQLITE_FULL' })
      return await transaction(work)
    })
    await addWorkflow('w', [{ stepId: 's', type: 'sms' }])
    await trigger({ name: 'w', to: 'ada' })
    await drain()
    expect([sent, faults]).toEqual([1, []])
    expect(await store.db.selectFrom('jobs').select('status').execute()).toEqual([{ status: 'completed' }])
    expect(await store.db.selectFrom('messages').select('status').execute()).toEqual([{ status: 'sent' }])
  })

  test('that is deferred keeps its wait if its step is retried too early', async (context) => {
    const sentAt: number[] = []
    const channels = createTestChannels({
      isSent: () => true,
      send: async () => {
        sentAt.push(clock.now())
        const retryAt = clock.now() + 50
        return { patch: sentAt.length === 1 ? { status: 'pending', retryAt } : { status: 'sent' }, notes: [] }
      },
    })
    const bridge = createFakeBridge(() => replied({ body: 'b' }))
    const { store, clock, addWorkflow, trigger, drain } = await createTestEngine(driver, context, { bridge, channels })
    const readJob = () => store.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
    await addWorkflow('w', [{ stepId: 's', type: 'sms' }])
    await trigger({ name: 'w', to: 'ada' })
    await vi.waitFor(async () => expect(await readJob()).toMatchObject({ status: 'queued', stage: 'sending' }), 30_000)
    const { claim } = await readJob()
    // The queue retries the step, but the manual clock has not reached its time.
    await vi.waitFor(async () => expect((await readJob()).claim).not.toBe(claim), 30_000)
    expect(sentAt).toHaveLength(1)
    clock.advance(50)
    await drain()
    expect(sentAt).toHaveLength(2)
    expect(await readJob()).toMatchObject({ status: 'completed' })
  })
})
