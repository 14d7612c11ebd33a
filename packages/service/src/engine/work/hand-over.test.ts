import { describe, expect, test } from 'vitest'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { createTestChannels } from '../channels.fixture.ts'
import { createTestEngine } from '../engine.fixture.ts'
import { createFakeBridge, replied } from '../fake-bridge.fixture.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import type { HeldJob } from '../run/held-job.ts'
import { handOver } from './hand-over.ts'

describe.each(bothDrivers)('a hand-over on %s', (driver) => {
  test('is counted first, happens at most three times, and only in the process that holds the step’s claim', async (context) => {
    const channels = createTestChannels({ isSent: () => true })
    const bridge = createFakeBridge(() => replied({ body: 'b' }))
    const { store, addWorkflow, trigger, drain } = await createTestEngine(driver, context, { bridge, channels })
    await addWorkflow('w', [{ stepId: 's', type: 'sms' }])
    await trigger({ name: 'w', to: 'ada' })
    await drain()
    const set = {
      job: (claim: string, status: 'running' | 'canceled') =>
        store.db.updateTable('jobs').set({ claim, status }).execute(),
      message: (status: 'pending' | 'error') => store.db.updateTable('messages').set({ status }).execute(),
    }
    await set.job('mine', 'running')
    await set.message('pending')
    const job = await store.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
    const { id } = await store.db.selectFrom('messages').select('id').executeTakeFirstOrThrow()
    const counted: number[] = []
    const count = async () =>
      (await store.db.selectFrom('messages').select('handOvers').executeTakeFirstOrThrow()).handOvers
    const send = async () => {
      counted.push(await count())
      return { patch: { status: 'sent' as const }, notes: [] }
    }
    const ports = { store, channels: { ...channels, send } } as unknown as EnginePorts
    const hand = (claim = 'mine') => handOver(ports, { job, claim } as HeldJob, id)

    expect(await hand('of the one before')).toBe(undefined)
    await set.job('mine', 'canceled')
    expect(await hand()).toBe(undefined)
    await set.job('mine', 'running')
    await set.message('error')
    expect(await hand()).toBe(undefined)
    expect([counted, await count()]).toEqual([[], 0])

    await set.message('pending')
    for (let time = 0; time < 3; time++) expect(await hand()).toMatchObject({ patch: { status: 'sent' } })
    expect(counted).toEqual([1, 2, 3])
    expect(await hand()).toMatchObject({
      patch: { status: 'error', errorId: 'delivery_unknown', delivery: null },
      notes: [{ status: 'Failed', messageId: id }],
    })
    expect(counted).toEqual([1, 2, 3])
  })
})
