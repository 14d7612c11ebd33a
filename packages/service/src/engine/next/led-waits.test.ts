import { describe, expect, test } from 'vitest'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { createTestChannels } from '../channels.fixture.ts'
import { noEvents } from '../port/event-port.ts'
import type { Program } from '../program-bridge.fixture.ts'
import { createSharedWork } from '../work/shared-work.ts'
import { createGate, createLedEngine, type LedEngine } from './led-runs.fixture.ts'
import { runNext } from './run-next.ts'

const hourMs = 3_600_000
const message = () => ({ body: 'b' })
const hour = () => ({ amount: 1, unit: 'hours' })
const limit = () => ({ amount: 1, unit: 'hours', threshold: 1 })
const soon = () => new Promise((resolve) => setTimeout(resolve, 2))

/** Waits an hour in a digest, and returns the names of its events. */
const collects: Program = async ({ step }) => {
  const { events } = await step('collect', 'digest', hour)
  const names = (events as readonly { readonly payload: { readonly name: string } }[]).map(
    ({ payload }) => payload.name,
  )
  await step('tell', 'sms', () => ({ body: names.join() }))
}

const messages = async ({ store }: LedEngine) => {
  const rows = await store.db.selectFrom('messages').select('content').orderBy('id').execute()
  return rows.map(({ content }) => JSON.parse(content ?? '""'))
}
const advanceHours = (testEngine: LedEngine, hours: number) =>
  testEngine.advanceTo(testEngine.clock.now() + hours * hourMs)

describe.each(bothDrivers)('a run whose bridge decides the next step, on %s,', (driver) => {
  test('joins a digest of another run, and runs nothing after that', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const name = await testEngine.add(collects)
    const ids: string[] = []
    for (const one of ['a', 'b', 'c']) {
      ids.push(await testEngine.begin(name, { name: one }))
      await testEngine.drain()
    }
    const states = async () => Promise.all(ids.map(async (id) => (await testEngine.runOf(id)).status))
    expect(await states()).toEqual(['running', 'merged', 'merged'])
    await advanceHours(testEngine, 2)
    expect(await states()).toEqual(['completed', 'merged', 'merged'])
    expect(await messages(testEngine)).toEqual(['a,b,c'])
  })

  test('transfers its digest when it is canceled, and the next run continues', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const name = await testEngine.add(collects)
    const ids: string[] = []
    for (const one of ['a', 'b', 'c']) {
      ids.push(await testEngine.begin(name, { name: one }))
      await testEngine.drain()
    }
    expect(await testEngine.cancel(ids[0] ?? '')).toBe(true)
    await testEngine.drain()
    const states = async () => Promise.all(ids.map(async (id) => (await testEngine.runOf(id)).status))
    expect(await states()).toEqual(['canceled', 'running', 'merged'])
    await advanceHours(testEngine, 2)
    expect(await states()).toEqual(['canceled', 'completed', 'merged'])
    expect(await messages(testEngine)).toEqual(['b,c'])
  })

  test('transfers its digest when it fails, and the next run continues', async (context) => {
    const testEngine = await createLedEngine(driver, context, { engine: { maxSteps: 4 } })
    const name = await testEngine.add(async (run) => {
      const side = async () => {
        await run.step('wait', 'delay', () => ({ amount: 30, unit: 'minutes' }))
        for (let n = 0; ; n++) await run.step(`s${n}`, 'custom')
      }
      await Promise.all([collects(run), run.payload['name'] === 'a' ? side() : undefined])
    })
    const ids: string[] = []
    for (const one of ['a', 'b', 'c']) {
      ids.push(await testEngine.begin(name, { name: one }))
      await testEngine.drain()
    }
    await advanceHours(testEngine, 0.6)
    const failed = await testEngine.runOf(ids[0] ?? '')
    expect(failed).toMatchObject({
      status: 'failed',
      steps: 'collect:skipped wait:completed s0:completed s1:completed',
    })
    expect(failed.lines).toContain('Digest was skipped: the run failed')
    const others = async () => Promise.all(ids.slice(1).map(async (id) => (await testEngine.runOf(id)).status))
    expect(await others()).toEqual(['running', 'merged'])
    ids.push(await testEngine.begin(name, { name: 'd' }))
    await advanceHours(testEngine, 2)
    expect(await others()).toEqual(['completed', 'merged', 'merged'])
    expect(await messages(testEngine)).toEqual(['b,c,d'])
  })

  test('stores a reply after that of other runs if its digest may be transferred', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { id } = await testEngine.play(collects, { name: 'a' })
    await testEngine.store.db.updateTable('runs').set({ next: 'due' }).execute()
    const unused = { loadTarget: async () => testEngine.target, channels: createTestChannels(), events: noEvents }
    const ports = { ...testEngine, ...unused, logger: { warn: () => undefined, error: () => undefined } }
    const shared = createSharedWork(ports)
    const stored: boolean[] = []
    const options = { signal: new AbortController().signal, onWait: () => undefined, canStart: () => true }
    const item = { kind: 'next', id, lane: 'e/l', attempts: 1, complete: async () => undefined } as const
    await runNext(ports, item, {
      ...{ ...shared, ...options, quietMs: 1, maxSteps: 9 },
      store(change) {
        stored.push(change.isOwn)
        return shared.store(change)
      },
    })
    expect(stored).toEqual([false])
  })

  test('merges into another run with one branch, and ends when the other branch has ended its step', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const gate = createGate()
    const name = await testEngine.add(async ({ step, payload }) => {
      const side = async () => {
        await step('side', 'email', async () => {
          if (payload['slow']) await gate.opened
          return message()
        })
        await step('after', 'email', message)
      }
      await Promise.all([step('collect', 'digest', hour), side()])
    })
    const first = await testEngine.begin(name)
    await testEngine.drain()
    const second = await testEngine.begin(name, { slow: true })
    while (!(await testEngine.runOf(second)).steps.startsWith('collect:merged')) await soon()
    expect((await testEngine.runOf(second)).status).toBe('running')
    gate.open()
    await testEngine.drain()
    expect(await testEngine.runOf(second)).toMatchObject({ status: 'merged', steps: 'collect:merged side:completed' })
    expect((await testEngine.runOf(first)).steps).toBe('collect:delayed side:completed after:completed')
    // Steps that the bridge had not returned before the merge are returned after the promotion.
    await testEngine.cancel(first)
    await testEngine.drain()
    expect((await testEngine.runOf(second)).steps).toBe('collect:delayed side:completed after:completed')
    await advanceHours(testEngine, 2)
    expect((await testEngine.runOf(second)).status).toBe('completed')
  })

  test('is skipped by a throttle, with all steps that have not started', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const name = await testEngine.add(async ({ step }) => {
      const { throttled } = await step('limit', 'throttle', limit)
      await step(throttled ? 'wrong' : 'mail', 'email', message)
    })
    const [first, second] = [await testEngine.begin(name), await testEngine.begin(name)]
    await testEngine.drain()
    const runs = await Promise.all([testEngine.runOf(first), testEngine.runOf(second)])
    expect(runs.map(({ status, steps }) => `${status}: ${steps}`).toSorted()).toEqual([
      'completed: limit:completed mail:completed',
      'completed: limit:skipped',
    ])
  })

  test('opens no digest next to a throttle that skipped it', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const gate = createGate()
    const name = await testEngine.add(async ({ step, payload }) => {
      const collect = async () => {
        if (payload['late']) await gate.opened
        return { amount: 2, unit: 'hours' }
      }
      await Promise.all([step('limit', 'throttle', limit), step('collect', 'digest', collect)])
      await step('mail', 'email', message)
    })
    await testEngine.begin(name)
    await advanceHours(testEngine, 0.5)
    const late = await testEngine.begin(name, { late: true })
    await testEngine.store.db.updateTable('digests').set({ jobId: null }).execute()
    while (!(await testEngine.runOf(late)).steps.startsWith('limit:skipped')) await soon()
    gate.open()
    await testEngine.drain()
    expect(await testEngine.runOf(late)).toMatchObject({ status: 'completed', steps: 'limit:skipped collect:skipped' })
    const open = await testEngine.store.db
      .selectFrom('digests')
      .select('jobId')
      .where('jobId', 'is not', null)
      .execute()
    expect(open).toEqual([])
  })

  test('can have its wait skipped', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { id, transactionId } = await testEngine.play(async ({ step }) => {
      await step('wait', 'delay', hour)
      await step('mail', 'email', message)
    })
    const { environmentId } = testEngine.target
    const job = await testEngine.store.db
      .selectFrom('jobs')
      .select('id')
      .where('runId', '=', id)
      .executeTakeFirstOrThrow()
    expect(await testEngine.engine.skipWait({ environmentId, jobId: job.id })).toBe(true)
    await testEngine.engine.sweep()
    await testEngine.drain()
    expect(await testEngine.runOf(transactionId)).toMatchObject({
      status: 'completed',
      steps: 'wait:completed mail:completed',
    })
  })

  test('can be repeated', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { id } = await testEngine.play(({ step }) => step('mail', 'email', message))
    const again = await testEngine.engine.repeat({ environmentId: testEngine.target.environmentId, runId: id })
    await testEngine.drain()
    expect(await testEngine.runOf(again?.transactionId ?? '')).toMatchObject({
      status: 'completed',
      steps: 'mail:completed',
    })
  })
})

describe.each(bothDrivers)('a run that is canceled, on %s,', (driver) => {
  const beginHeld = async (testEngine: LedEngine, program: Program) => {
    const [asked, answer] = [createGate(), createGate()]
    testEngine.bridge.onCall = async () => {
      asked.open()
      await answer.opened
    }
    const transactionId = await testEngine.begin(await testEngine.add(program))
    await asked.opened
    return { transactionId, answer }
  }

  test('during a message step sends the message, and nothing after it', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { transactionId, answer } = await beginHeld(testEngine, async ({ step }) => {
      await step('mail', 'email', message)
      await step('never', 'email', message)
    })
    expect(await testEngine.cancel(transactionId)).toBe(true)
    expect(await testEngine.cancel(transactionId)).toBe(false)
    expect((await testEngine.runOf(transactionId)).status).toBe('running')
    answer.open()
    await testEngine.drain()
    const run = await testEngine.runOf(transactionId)
    expect(run).toMatchObject({ status: 'canceled', steps: 'mail:completed' })
    expect(run.lines).toContain('Run was canceled')
    expect(await messages(testEngine)).toEqual(['b'])
  })

  test.each(['delay', 'digest', 'throttle'] as const)('during a %s starts no wait', async (type) => {
    const ends: (() => unknown)[] = []
    const testEngine = await createLedEngine(driver, {
      onTestFinished: (end: () => unknown) => ends.unshift(end),
      skip: () => undefined,
    } as never)
    const { transactionId, answer } = await beginHeld(testEngine, ({ step }) => step('wait', type, limit))
    await testEngine.cancel(transactionId)
    answer.open()
    await testEngine.drain()
    expect(await testEngine.runOf(transactionId)).toMatchObject({ status: 'canceled', steps: 'wait:canceled' })
    const { db } = testEngine.store
    expect([
      ...(await db.selectFrom('digests').selectAll().execute()),
      ...(await db.selectFrom('throttles').selectAll().execute()),
    ]).toEqual([])
    for (const end of ends) await end()
  })

  test('while the bridge names steps dispatches none of them', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { transactionId, answer } = await beginHeld(testEngine, async ({ step }) => {
      await Promise.all([step('left', 'email', message), step('right', 'email', message)])
    })
    await testEngine.cancel(transactionId)
    answer.open()
    await testEngine.drain()
    expect(await testEngine.runOf(transactionId)).toMatchObject({ status: 'canceled', steps: '' })
    expect(testEngine.bridge.ran).toEqual([])
  })

  test('while it waits ends immediately', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { transactionId, status } = await testEngine.play(async ({ step }) => {
      await step('wait', 'delay', hour)
      await step('mail', 'email', message)
    })
    expect(status).toBe('running')
    expect(await testEngine.cancel(transactionId)).toBe(true)
    expect(await testEngine.runOf(transactionId)).toMatchObject({ status: 'canceled', steps: 'wait:canceled' })
  })

  test('ends even if the process that called its bridge has died', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { transactionId, answer } = await beginHeld(testEngine, ({ step }) => step('mail', 'email', message))
    await testEngine.cancel(transactionId)
    const { id } = await testEngine.runOf(transactionId)
    await testEngine.engine.handle({ kind: 'next', id, lane: 'e/l', attempts: 2, complete: async () => undefined })
    expect((await testEngine.runOf(transactionId)).status).toBe('canceled')
    answer.open()
    await testEngine.drain()
    expect(await testEngine.runOf(transactionId)).toMatchObject({ status: 'canceled', steps: '' })
  })
})
