import type { JsonObject } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { createLedEngine, type LedEngine } from '../next/led-runs.fixture.ts'
import { noEvents } from '../port/event-port.ts'
import type { Program } from '../program-bridge.fixture.ts'
import { endWait } from '../waits/end-wait.ts'
import { createStoreChange } from '../work/shared-work.ts'
import { receiveEvent } from './receive-event.ts'

const minuteMs = 60_000
const hour = { amount: 1, unit: 'hours' }
const message = () => ({ body: 'b' })

/** Waits an hour for an event, and ends with a step named after the received event. */
const waits =
  (outputs: JsonObject = {}): Program =>
  async ({ step, payload }) => {
    const match = payload['match']
    const given = () => ({ event: 'ack', ...(match ? { match } : {}), timeout: hour, ...outputs })
    const { received, payload: data } = await step('wait', 'wait_for_event', given)
    await step(received ? `got-${(data as JsonObject)['n'] ?? 'it'}` : 'none', 'custom')
  }

function createEvents(testEngine: LedEngine) {
  const { environmentId } = testEngine.target
  return {
    emit: (rest: { name?: string; payload?: JsonObject; to?: string; match?: JsonObject } = {}) =>
      testEngine.engine.emit({ environmentId, name: 'ack', payload: {}, ...rest }),
    stepsOf: async (id: string) => (await testEngine.runOf(id)).steps,
    advance: (ms: number) => testEngine.advanceTo(testEngine.clock.now() + ms),
  }
}

describe.each(bothDrivers)('a run that waits for an event, on %s,', (driver) => {
  test('receives it, and continues with its payload', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { emit, stepsOf, advance } = createEvents(testEngine)
    const id = await testEngine.begin(await testEngine.add(waits()))
    await testEngine.drain()
    expect(await stepsOf(id)).toBe('wait:delayed')
    await emit({ payload: { n: 7 } })
    await testEngine.drain()
    const { status, steps, lines } = await testEngine.runOf(id)
    expect([status, steps]).toEqual(['completed', 'wait:completed got-7:completed'])
    expect(lines).toEqual(expect.arrayContaining(['Step waits for an event', 'Event received']))
    await advance(2 * 60 * minuteMs)
    expect(testEngine.bridge.ran).toEqual(['wait', 'got-7'])
  })

  test('ends its wait with the timeout', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { emit, stepsOf, advance } = createEvents(testEngine)
    const id = await testEngine.begin(await testEngine.add(waits()))
    await testEngine.drain()
    await advance(60 * minuteMs + 1)
    expect(await stepsOf(id)).toBe('wait:completed none:completed')
    expect((await testEngine.runOf(id)).lines).toContain('Wait ended without the event')
    await emit()
    await testEngine.drain()
    expect(testEngine.bridge.ran).toEqual(['wait', 'none'])
  })

  test('receives only events that match its fields, its subscriber and its name', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { emit, stepsOf } = createEvents(testEngine)
    const name = await testEngine.add(waits())
    const match = { order: 'o-1', kind: 'x' }
    const id = await testEngine.begin(name, { match })
    const free = await testEngine.begin(name)
    await testEngine.drain()
    await emit({ name: 'other', payload: match })
    await emit({ payload: match, to: 'bob' })
    await testEngine.drain()
    expect([await stepsOf(id), await stepsOf(free)]).toEqual(['wait:delayed', 'wait:delayed'])
    for (const payload of [{}, { order: 'o-1' }, { order: 'o-2', kind: 'x' }, { order: ['o-1'], kind: 'x' }])
      await emit({ payload, to: 'anna' })
    await emit({ payload: match, match: { order: 'o-1' } })
    await testEngine.drain()
    expect(await stepsOf(id)).toBe('wait:delayed')
    expect(await stepsOf(free)).toContain('wait:completed')
    await emit({ payload: { ...match, n: 3 }, to: 'anna' })
    await testEngine.drain()
    expect(await stepsOf(id)).toBe('wait:completed got-3:completed')
  })

  test('is woken along with more than a page of other waiting runs', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { emit } = createEvents(testEngine)
    const name = await testEngine.add(waits())
    const count = 101
    await testEngine.trigger({ name, to: Array.from({ length: count }, (_, index) => `s${index}`), payload: {} })
    await testEngine.drain()
    const waiting = () =>
      testEngine.store.db
        .selectFrom('jobs')
        .select('id')
        .where('type', '=', 'wait_for_event')
        .where('status', '=', 'delayed')
    expect(await waiting().execute()).toHaveLength(count)
    await emit({ payload: { n: 1 } })
    await testEngine.drain()
    expect(await waiting().execute()).toHaveLength(0)
    expect(testEngine.bridge.ran.filter((id) => id === 'got-1')).toHaveLength(count)
    const events = await testEngine.store.db.selectFrom('emittedEvents').select(['status', 'cursor']).execute()
    expect(events).toEqual([{ status: 'done', cursor: null }])
  })

  test('receives an event once if it was emitted after the trigger and shortly before the wait', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { emit, stepsOf, advance } = createEvents(testEngine)
    const program: Program = async ({ step }) => {
      await step('pause', 'delay', () => ({ amount: 30, unit: 'minutes' }))
      for (const index of [1, 2, 3]) {
        const { payload } = await step(`wait-${index}`, 'wait_for_event', () => ({ event: 'ack', timeout: hour }))
        await step(`seen-${(payload as JsonObject | null)?.['n'] ?? 'none'}-${index}`, 'custom')
      }
    }
    await emit({ payload: { n: 'before the trigger' } })
    await advance(10)
    const id = await testEngine.begin(await testEngine.add(program))
    await testEngine.drain()
    await emit({ payload: { n: 'too early' } })
    await advance(25 * minuteMs)
    await emit({ payload: { n: 1 } })
    await emit({ payload: { n: 2 } })
    await advance(6 * minuteMs)
    await advance(2 * 60 * minuteMs)
    expect(await stepsOf(id)).toBe(
      'pause:completed wait-1:completed seen-1-1:completed wait-2:completed seen-2-2:completed wait-3:completed seen-none-3:completed',
    )
  })

  test('receives an event in one of its waits, and the next event in the other', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { emit, stepsOf } = createEvents(testEngine)
    const program: Program = async ({ step }) => {
      const wait = (id: string) => step(id, 'wait_for_event', () => ({ event: 'ack', timeout: hour }))
      await Promise.all([wait('one'), wait('two')])
    }
    const id = await testEngine.begin(await testEngine.add(program))
    await testEngine.drain()
    await emit()
    await testEngine.drain()
    expect((await stepsOf(id)).split(' ').map((step) => step.split(':')[1])).toEqual(
      expect.arrayContaining(['completed', 'delayed']),
    )
    await emit()
    await testEngine.drain()
    expect(await stepsOf(id)).toBe('one:completed two:completed')
    const received = await testEngine.store.db.selectFrom('jobs').select('eventId').execute()
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(2)
  })

  test('does not receive a payload that its schema rejects, and reports that', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { emit, stepsOf } = createEvents(testEngine)
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
    const id = await testEngine.begin(await testEngine.add(waits({ schema })))
    await testEngine.drain()
    await emit({ payload: { n: 'x' } })
    await testEngine.drain()
    expect(await stepsOf(id)).toBe('wait:delayed')
    const { lines } = await testEngine.runOf(id)
    expect(lines.filter((line) => line.startsWith('Event was not received'))).toHaveLength(1)
    await emit({ payload: { n: 5 } })
    await testEngine.drain()
    expect(await stepsOf(id)).toBe('wait:completed got-5:completed')
  })

  test('receives an event that was emitted in time, even if it is processed after the timeout', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { stepsOf, advance } = createEvents(testEngine)
    const id = await testEngine.begin(await testEngine.add(waits()))
    await testEngine.drain()
    const { environmentId } = testEngine.target
    const { toEventHashes } = await import('./event-keys.ts')
    const keys = toEventHashes('ack', {}).join('|')
    const row = { id: 'f'.repeat(24), environmentId, name: 'ack', payload: '{"n":9}', recipient: null, keys }
    const open = { status: 'open', cursor: null, createdAt: testEngine.clock.now() + 59 * minuteMs } as const
    await testEngine.store.db
      .insertInto('emittedEvents')
      .values({ ...row, ...open })
      .execute()
    await advance(60 * minuteMs + 1)
    expect(await stepsOf(id)).toBe('wait:completed got-9:completed')
  })

  test('ends its wait once, even if the event and the timeout coincide', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { advance, emit } = createEvents(testEngine)
    const name = await testEngine.add(waits())
    await testEngine.trigger({ name, to: Array.from({ length: 8 }, (_, index) => `s${index}`), payload: {} })
    await testEngine.drain()
    const jobs = await testEngine.store.db.selectFrom('jobs').select(['id', 'runId']).execute()
    testEngine.clock.advance(60 * minuteMs)
    const ports = { ...testEngine, events: noEvents, storeChange: createStoreChange(testEngine.store) }
    await Promise.all([
      emit(),
      ...jobs.flatMap(({ id, runId }) => [
        receiveEvent(ports, id, 'end'),
        endWait(ports, { jobId: id, runId, type: 'wait_for_event', isBulk: 0 }),
        receiveEvent(ports, id, 'end'),
      ]),
    ])
    await advance(1)
    const ended = await testEngine.store.db
      .selectFrom('executionDetails')
      .select('jobId')
      .where('detail', 'in', ['Event received', 'Wait ended without the event'])
      .execute()
    expect(ended.map(({ jobId }) => jobId).toSorted()).toEqual(jobs.map(({ id }) => id).toSorted())
    expect(testEngine.bridge.ran.filter((id) => id !== 'wait')).toHaveLength(jobs.length)
  })

  test('does not receive the event after the workflow function has returned or the run is canceled', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { emit, stepsOf } = createEvents(testEngine)
    const race: Program = async ({ step }) => {
      const wait = step('wait', 'wait_for_event', () => ({ event: 'ack', timeout: hour }))
      await Promise.race([wait, step('mail', 'email', message)])
    }
    const raced = await testEngine.begin(await testEngine.add(race))
    const canceled = await testEngine.begin(await testEngine.add(waits()))
    await testEngine.drain()
    expect(await stepsOf(raced)).toBe('wait:skipped mail:completed')
    expect((await testEngine.runOf(raced)).status).toBe('completed')
    expect(await testEngine.cancel(canceled)).toBe(true)
    await emit()
    await testEngine.drain()
    expect(await stepsOf(canceled)).toBe('wait:canceled')
  })

  test('fails if it has no timeout or an invalid event', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { stepsOf } = createEvents(testEngine)
    const endless = await testEngine.begin(await testEngine.add(waits({ timeout: undefined } as never)))
    const nameless = await testEngine.begin(await testEngine.add(waits({ event: '' })))
    await testEngine.drain()
    expect([await stepsOf(endless), await stepsOf(nameless)]).toEqual([
      'wait:failed none:completed',
      'wait:failed none:completed',
    ])
  })
})
