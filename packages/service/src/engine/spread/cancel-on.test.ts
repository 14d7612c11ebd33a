import type { CancelOn, JsonObject } from '@trestle/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { QueueItem } from '../../queue/queue.ts'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { toEventHashes } from '../events/event-keys.ts'
import { createGate, createLedEngine, type LedEngine } from '../next/led-runs.fixture.ts'
import type { Program } from '../program-bridge.fixture.ts'

const hour = { amount: 1, unit: 'hours' }
const onCancel: CancelOn = { event: 'order.canceled', match: { orderId: 'id' } }

const waits =
  (type: 'delay' | 'digest' | 'wait_for_event'): Program =>
  async ({ step }) => {
    await step('first', 'custom')
    await step('wait', type, () => (type === 'wait_for_event' ? { event: 'other', timeout: hour } : hour))
    await step('late', 'custom')
  }

function createCancellation(testEngine: LedEngine) {
  const { environmentId } = testEngine.target
  return {
    add: async (program: Program, ...cancelOn: readonly CancelOn[]) => {
      const name = await testEngine.add(program)
      const values = { cancelOn: JSON.stringify(cancelOn) }
      await testEngine.store.db.updateTable('workflows').set(values).where('identifier', '=', name).execute()
      return name
    },
    emit: async (payload: JsonObject, rest: { name?: string; to?: string } = {}) => {
      const eventId = await testEngine.engine.emit({ environmentId, name: 'order.canceled', payload, ...rest })
      await testEngine.drain()
      return eventId
    },
    watches: async () => (await testEngine.store.db.selectFrom('cancelWatches').select('id').execute()).length,
  }
}

describe.each(bothDrivers)('an event that cancels runs, on %s,', (driver) => {
  test.each(['delay', 'digest', 'wait_for_event'] as const)('ends a %s, and the history names it', async (type) => {
    const testEngine = await createLedEngine(driver, { onTestFinished, skip: () => undefined as never })
    const { add, emit, watches } = createCancellation(testEngine)
    const id = await testEngine.begin(await add(waits(type), onCancel), { id: 'o-1' })
    await testEngine.drain()
    const eventId = await emit({ orderId: 'o-1' })
    const { status, steps, ownLines } = await testEngine.runOf(id)
    expect([status, steps]).toEqual(['canceled', 'first:completed wait:canceled'])
    const raw = JSON.stringify({ by: 'event', event: 'order.canceled', eventId })
    expect(ownLines).toEqual([{ detail: 'Run was canceled', raw }])
    await testEngine.advanceTo(testEngine.clock.now() + 2 * 3_600_000)
    expect(testEngine.bridge.ran).toEqual(['first', 'wait'])
    expect(await watches()).toBe(0)
  })

  test('ignores runs with other values, of other subscribers, without the field or of other workflows', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { add, emit, watches } = createCancellation(testEngine)
    const name = await add(waits('delay'), onCancel, { event: 'all.canceled' })
    const other = await testEngine.add(waits('delay'))
    const runs = [
      await testEngine.begin(name, { id: 'o-1' }),
      await testEngine.begin(name, { id: 'o-2' }),
      await testEngine.begin(name, {}),
      await testEngine.begin(other, { id: 'o-1' }),
    ]
    await testEngine.drain()
    const statuses = () => Promise.all(runs.map(async (id) => (await testEngine.runOf(id)).status))
    await emit({ orderId: 'o-1' }, { to: 'bob' })
    await emit({ id: 'o-1' })
    await emit({ orderId: ['o-1'] })
    expect(await statuses()).toEqual(['running', 'running', 'running', 'running'])
    await emit({ orderId: 'o-1', more: 1 }, { to: 'anna' })
    expect(await statuses()).toEqual(['canceled', 'running', 'running', 'running'])
    await emit({}, { name: 'all.canceled' })
    expect(await statuses()).toEqual(['canceled', 'canceled', 'canceled', 'running'])
    await emit({ orderId: 'o-1' })
    await emit({ orderId: 'o-2' })
    expect(await watches()).toBe(0)
  })

  test('lets a running step finish, and nothing after it start', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { add, emit } = createCancellation(testEngine)
    const [entered, gate] = [createGate(), createGate()]
    const program: Program = async ({ step }) => {
      await step('running', 'custom', async () => {
        entered.open()
        await gate.opened
        return {}
      })
      await step('late', 'custom')
    }
    const id = await testEngine.begin(await add(program, onCancel), { id: 1 })
    await entered.opened
    const emitted = emit({ orderId: 1 })
    await expect.poll(async () => (await testEngine.runOf(id)).lines).toContain('Run was canceled')
    gate.open()
    await emitted
    const { status, steps } = await testEngine.runOf(id)
    expect([status, steps]).toEqual(['canceled', 'running:completed'])
  })

  test('cancels a run that is created after the event, if the event came after the trigger', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { add, emit } = createCancellation(testEngine)
    const name = await add(waits('delay'), onCancel)
    const before = await testEngine.begin(name, { id: 'o-1' })
    await testEngine.drain()
    await emit({ orderId: 'o-2' })
    testEngine.clock.advance(10)
    const after = await testEngine.begin(name, { id: 'o-2' })
    await testEngine.drain()
    expect((await testEngine.runOf(after)).status).toBe('running')
    await emit({ orderId: 'o-1' })
    // The same trigger, whose run is stored only now.
    const { triggerId } = await testEngine.store.db
      .selectFrom('runs')
      .select('triggerId')
      .where('transactionId', '=', before)
      .executeTakeFirstOrThrow()
    for (const table of ['runs', 'jobs', 'cancelWatches', 'executionDetails'] as const)
      await testEngine.store.db.deleteFrom(table).execute()
    const body = JSON.stringify({ to: 'anna', payload: { id: 'o-1' } })
    await testEngine.store.db
      .updateTable('triggers')
      .set({ status: 'accepted', body })
      .where('id', '=', triggerId)
      .execute()
    testEngine.bridge.ran.length = 0
    const item: QueueItem = { kind: 'trigger', id: triggerId, lane: 'e/l' }
    await testEngine.store.transaction((tx) => testEngine.queue.add(tx, [item]))
    await testEngine.drain()
    expect([(await testEngine.runOf(before)).status, testEngine.bridge.ran]).toEqual(['canceled', []])
  })

  test('does not cancel a run that was triggered after the event, even if the event is processed later', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { add } = createCancellation(testEngine)
    const id = await testEngine.begin(await add(waits('delay'), onCancel), { id: 1 })
    await testEngine.drain()
    const { environmentId } = testEngine.target
    const keys = toEventHashes('order.canceled', { orderId: 1 }).join('|')
    const event = { environmentId, name: 'order.canceled', payload: '{}', recipient: null, keys, cursor: null }
    for (const [rowId, createdAt, status] of [
      ['a'.repeat(24), testEngine.clock.now() - 1, 'running'],
      ['b'.repeat(24), testEngine.clock.now(), 'canceled'],
    ] as const) {
      const row = { ...event, id: rowId, status: 'open', createdAt } as const
      await testEngine.queue.addWith('emittedEvents', [row], [{ kind: 'event', id: rowId, lane: 'e/l' }])
      await testEngine.drain()
      expect((await testEngine.runOf(id)).status).toBe(status)
    }
  })

  test('cancels many runs, page by page, and runs with planned steps', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { add, emit, watches } = createCancellation(testEngine)
    const name = await add(waits('delay'), { event: 'order.canceled' })
    const planned = await testEngine.addWorkflow('planned', [{ stepId: 'wait', type: 'delay' }])
    const values = { cancelOn: JSON.stringify([{ event: 'order.canceled' }]) }
    await testEngine.store.db.updateTable('workflows').set(values).where('id', '=', planned).execute()
    testEngine.bridge.programs.set('planned', ({ step }) => step('wait', 'delay', () => hour))
    const count = 101
    await testEngine.trigger({ name, to: Array.from({ length: count }, (_, index) => `s${index}`), payload: {} })
    await testEngine.trigger({ name: 'planned', to: 'anna', payload: {} })
    await testEngine.drain()
    expect(await watches()).toBe(count + 1)
    await emit({})
    const runs = await testEngine.store.db.selectFrom('runs').select('status').execute()
    expect(runs.filter(({ status }) => status === 'canceled')).toHaveLength(count + 1)
    expect(await watches()).toBe(0)
  })

  test('does not wake the wait of a run that it cancels, and removes the watches of ended runs', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { add, emit, watches } = createCancellation(testEngine)
    const program: Program = async ({ step }) => {
      await step('wait', 'wait_for_event', () => ({ event: 'order.canceled', timeout: hour }))
      await step('late', 'custom')
    }
    const id = await testEngine.begin(await add(program, onCancel), { id: 1 })
    const ended = await testEngine.begin(await add(({ step }) => step('only', 'custom'), onCancel), { id: 1 })
    await testEngine.drain()
    expect(await watches()).toBe(2)
    await emit({ orderId: 1 })
    expect((await testEngine.runOf(id)).steps).toBe('wait:canceled')
    expect((await testEngine.runOf(ended)).status).toBe('completed')
    expect(await watches()).toBe(0)
  })
})
