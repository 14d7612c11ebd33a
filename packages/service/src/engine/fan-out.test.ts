import Database from 'libsql'
import { describe, expect, test, vi } from 'vitest'
import { blankSubscriber } from '../store/blank-rows.ts'
import { bothDrivers } from '../store/stores.fixture.ts'
import { createLedEngine, type LedEngine } from './next/led-runs.fixture.ts'
import type { EngineEvent } from './port/event-port.ts'
import type { Program } from './program-bridge.fixture.ts'

const tell: Program = async ({ step }) => void (await step('tell', 'in_app'))
const steps = [{ stepId: 'tell', type: 'in_app' }] as const

async function addSubscribers({ store, target }: LedEngine, count: number): Promise<void> {
  const { environmentId } = target
  for (let index = 0; index < count; index++) {
    const [id, subscriberId] = [`s${String(index).padStart(6, '0')}`, `x${index}`]
    const row = { ...blankSubscriber, id, environmentId, subscriberId, createdAt: 0, updatedAt: 0 }
    await store.db.insertInto('subscribers').values(row).execute()
  }
}

const broadcast = ({ engine, target }: LedEngine, name: string) =>
  engine.accept({ environmentId: target.environmentId, kind: 'broadcast', requests: [{ name, payload: {} }] })

test('creates each run of a fan-out with few statements', async (context) => {
  const testEngine = await createLedEngine('sqlite', context, { concurrency: 64 })
  await addSubscribers(testEngine, 256)
  const name = await testEngine.add(tell, steps)
  const statement = Object.getPrototypeOf(new Database(':memory:').prepare('select 1'))
  const spies = [vi.spyOn(statement, 'all'), vi.spyOn(statement, 'run')]
  context.onTestFinished(() => void vi.restoreAllMocks())
  await broadcast(testEngine, name)
  let done: readonly unknown[] = []
  while (done.length < 256) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    done = await testEngine.store.db.selectFrom('runs').select('id').where('status', '=', 'completed').execute()
  }
  const count = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  expect(count / 256).toBeLessThan(15)
})

describe.each(bothDrivers)('a fan-out on %s', (driver) => {
  test('creates little more than a page of runs in advance, and does not block a trigger of another workflow', async (context) => {
    const testEngine = await createLedEngine(driver, context, { concurrency: 1280 })
    const { store, bridge } = testEngine
    const members = 500
    await addSubscribers(testEngine, members)
    const news = await testEngine.add(tell, steps)
    const reset = await testEngine.add(
      async ({ step }) => {
        await step('first', 'in_app')
        await step('second', 'in_app')
      },
      ['first', 'second'].map((stepId) => ({ stepId, type: 'in_app' as const })),
    )
    const count = async (status: 'running' | 'completed'): Promise<number> => {
      const runs = store.db.selectFrom('runs').select('id').where('workflowIdentifier', '=', news)
      return (await runs.where('status', '=', status).execute()).length
    }
    const lookBack = async (least: number): Promise<void> => {
      for (;;) {
        // Unfinished runs wait in this process or in the queue.
        expect(await count('running')).toBeLessThanOrEqual(200)
        if ((await count('completed')) >= least) return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    await broadcast(testEngine, news)
    const passed: number[] = []
    for (const least of [50, 150, 250]) {
      await lookBack(least)
      const before = await count('completed')
      const ended = new Promise<number>((resolve) => {
        bridge.onCall = async ({ event }) => {
          const isLast = event.payload?.['is'] === 'reset' && event.state?.length === 2
          if (isLast) resolve(await count('completed'))
        }
      })
      await testEngine.trigger({ name: reset, to: 'anna', payload: { is: 'reset' } })
      passed.push((await ended) - before)
    }
    await testEngine.drain()
    expect(await count('completed')).toBe(members)
    expect(Math.max(...passed)).toBeLessThan(120)
  }, 180_000)

  test('has few calls at a time while there is other work, and many otherwise', async (context) => {
    const testEngine = await createLedEngine(driver, context, { concurrency: 256 })
    await addSubscribers(testEngine, 64)
    const name = await testEngine.add(tell, steps)
    const expectMost = async (expected: number, afterMs: number): Promise<void> => {
      let [active, most] = [0, 0]
      let open: (() => void) | undefined
      const reached = new Promise<void>((resolve) => {
        open = resolve
      })
      testEngine.bridge.onCall = async () => {
        // The trigger itself is other work, and remains recent until the clock moves.
        testEngine.clock.advance(afterMs)
        active++
        most = Math.max(most, active)
        if (active === expected) open?.()
        await reached
        // Time for a call too many to start.
        await new Promise((resolve) => setTimeout(resolve, 30))
        active--
      }
      await broadcast(testEngine, name)
      await testEngine.drain()
      expect(most).toBe(expected)
    }
    await expectMost({ sqlite: 8, postgres: 16 }[driver], 0)
    await expectMost(32, 60)
  })

  test.for([
    ['all work of a broadcast, and of the runs that it triggers, is bulk work', broadcast, ['bulk', 'bulk']],
    [
      'no work of a trigger for one subscriber is bulk work',
      (testEngine: LedEngine, name: string) => testEngine.trigger({ name, to: 'x0', payload: {} }),
      ['ongoing', 'fresh'],
    ],
  ] as const)('%s', async ([, start, [expected, ofEvents]], context) => {
    const recorded: EngineEvent[] = []
    const events = { record: async (_: unknown, event: EngineEvent) => void recorded.push(event) }
    const testEngine = await createLedEngine(driver, context, {
      events,
      channels: { isSent: ({ job }) => job.type === 'sms' },
    })
    const { queue, clock } = testEngine
    await addSubscribers(testEngine, 3)
    const child = await testEngine.add(tell)
    const name = await testEngine.add(async ({ step }) => {
      await step('wait', 'delay', () => ({ type: 'regular', amount: 1, unit: 'hours' }))
      await Promise.all([step('left', 'in_app'), step('right', 'sms', () => ({ body: 'b' }))])
      await step('child', 'trigger', () => ({ workflow: child, to: 'x1', payload: {}, await: true }))
    })
    const add = vi.spyOn(queue, 'add')
    await start(testEngine, name)
    await testEngine.advanceTo(clock.now() + 2 * 60 * 60_000)
    const items = add.mock.calls.flatMap(([, added]) => added)
    expect([...new Set(items.map(({ kind }) => kind))].toSorted()).toEqual(['children', 'job', 'next', 'trigger'])
    expect([...new Set(items.map(({ priority }) => priority))]).toEqual([expected])
    expect([...new Set(recorded.map(({ type }) => type))].toSorted()).toEqual(['message.sent', 'run.completed'])
    expect([...new Set(recorded.map(({ priority }) => priority))]).toEqual([ofEvents])
    const runs = await testEngine.store.db.selectFrom('runs').select(['status']).execute()
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['completed']))
  })
})
