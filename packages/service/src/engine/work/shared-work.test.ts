import { describe, expect, type TestContext, test, vi } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import { UnreachableStoreError } from '../../store/faults/is-overload.ts'
import type { Store, StoreDriver } from '../../store/store.ts'
import { bothDrivers, createStore } from '../../store/stores.fixture.ts'
import { createGate, createLedEngine } from '../next/led-runs.fixture.ts'
import type { Program } from '../program-bridge.fixture.ts'
import { lockRun } from '../run/lock-run.ts'
import { createSharedWork } from './shared-work.ts'

const runs = 8
const message = () => ({ body: 'b' })

/** Sends one message with a call that asks for the next step, and two with calls for steps. */
const program: Program = async ({ step }) => {
  await step('ask', 'custom')
  await step('first', 'sms', message)
  await Promise.all([step('left', 'sms', message), step('right', 'email', message)])
}

/** Commits every third transaction and then reports a lost connection. Returns how often that happened. */
function loseAnswers(store: Store, context: { onTestFinished(end: () => void): void }): () => number {
  const { transaction } = store
  let count = 0
  const spy = vi.spyOn(store, 'transaction').mockImplementation(async (work) => {
    const result = await transaction(work)
    if (++count % 3 === 1) throw new UnreachableStoreError(new Error('Connection terminated unexpectedly'))
    return result as never
  })
  context.onTestFinished(() => spy.mockRestore())
  return () => Math.ceil(count / 3)
}

/** Makes one transaction of changes that record when they start and end. */
async function storeTogether(driver: StoreDriver, context: TestContext) {
  const store = await createStore(driver, context)
  const { store: storeChange } = createSharedWork({ store, clock: systemClock })
  const events: string[] = []
  const change = (name: string, runId: string, options: { isOwn?: boolean; fault?: Error } = {}) => {
    const { isOwn = true, fault } = options
    return storeChange({
      ...{ priority: 'ongoing' as const, runId, isOwn },
      async work(tx) {
        events.push(`${name} starts`)
        await tx.insertInto('settings').values({ key: name, value: name }).execute()
        await lockRun(tx, runId, 1)
        if (fault) throw fault
        events.push(`${name} ends`)
        return name
      },
    })
  }
  const stored = async () => (await store.db.selectFrom('settings').select('key').execute()).map(({ key }) => key)
  return { store, events, change, stored }
}

describe.each(bothDrivers)('shared transactions on %s', (driver) => {
  test('run changes of different runs concurrently, changes of one run in order, and all others last', async (context) => {
    const { change, events } = await storeTogether(driver, context)
    const changes = [
      change('other', 'c', { isOwn: false }),
      change('first', 'a'),
      change('second', 'a'),
      change('beside', 'b'),
    ]
    expect(await Promise.all(changes)).toEqual(['other', 'first', 'second', 'beside'])
    const at = (event: string) => events.indexOf(event)
    expect(at('beside starts')).toBeLessThan(at('first ends'))
    expect(at('second starts')).toBeGreaterThan(at('first ends'))
    expect(events.slice(-2)).toEqual(['other starts', 'other ends'])
  })

  test('store each change once, except those that fail', async (context) => {
    const { change, stored } = await storeTogether(driver, context)
    const before = await stored()
    const ends = await Promise.allSettled([
      change('good', 'a'),
      change('bad', 'b', { fault: new Error('bad') }),
      change('fine', 'c'),
    ])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await stored()).filter((name) => !before.includes(name)).toSorted()).toEqual(['fine', 'good'])
  })

  test('are not retried if one of their changes loses the connection', async (context) => {
    const { change, events } = await storeTogether(driver, context)
    const fault = new UnreachableStoreError(new Error('Connection terminated unexpectedly'))
    const ends = await Promise.allSettled([
      change('bad', 'a', { fault: new Error('bad') }),
      change('lost', 'b', { fault }),
    ])
    expect(ends.map((end) => end.status === 'rejected' && end.reason)).toEqual([fault, fault])
    expect(events.filter((event) => event.endsWith('starts'))).toHaveLength(2)
  })

  test('lose no run and send no message twice when the response to a commit is lost', async (context) => {
    const sent: string[] = []
    const send = async (id: string) => {
      sent.push(id)
      return { patch: { status: 'sent' as const }, notes: [] }
    }
    const testEngine = await createLedEngine(driver, context, {
      ...{ channels: { isSent: () => true, send }, faults: [], concurrency: 64 },
    })
    const gate = createGate()
    testEngine.bridge.onCall = () => gate.opened
    const name = await testEngine.add(program)
    for (let count = 0; count < runs; count++) await testEngine.begin(name)
    const lost = loseAnswers(testEngine.store, context)
    gate.open()
    await testEngine.drain()
    const { db } = testEngine.store
    expect(lost()).toBeGreaterThan(2)
    const ended = await db.selectFrom('runs').select('status').execute()
    expect(ended).toEqual(Array.from({ length: runs }, () => ({ status: 'completed' })))
    const messages = await db.selectFrom('messages').select(['id', 'status']).execute()
    expect(messages.filter(({ status }) => status !== 'sent')).toEqual([])
    expect(sent.toSorted()).toEqual(messages.map(({ id }) => id).toSorted())
    expect(messages).toHaveLength(3 * runs)
  }, 120_000)
})
