import type { JsonObject } from '@trestle/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import { selectOld } from '../../start/retention.ts'
import { blankSubscriber } from '../../store/blank-rows.ts'
import { createId } from '../../store/create-id.ts'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { skipWait } from '../control/skip-wait.ts'
import { createLedEngine, type LedEngine } from '../next/led-runs.fixture.ts'
import type { Program } from '../program-bridge.fixture.ts'

const hour = { amount: 1, unit: 'hours' }
const minuteMs = 60_000

/** Waits an hour. */
const waits: Program = async ({ step }) => void (await step('wait', 'delay', () => hour))

/** Triggers a workflow, and ends with a step that is named after the status. */
const triggers =
  (output: () => JsonObject): Program =>
  async ({ step }) => {
    const { status } = await step('child', 'trigger', output)
    await step(`got-${status}`, 'custom')
  }

function createChildren(testEngine: LedEngine) {
  const { db } = testEngine.store
  const { environmentId } = testEngine.target
  return {
    stepsOf: async (id: string) => (await testEngine.runOf(id)).steps,
    children: async () =>
      (await db.selectFrom('runs').selectAll().where('parentRunId', 'is not', null).orderBy('id').execute()).map(
        ({ id, status, externalSubscriberId, transactionId, depth, payload, parentRunId }) => {
          return { id, status, subscriberId: externalSubscriberId, transactionId, depth, payload, parentRunId }
        },
      ),
    resultOf: async (transactionId: string): Promise<JsonObject> => {
      const { id } = await testEngine.runOf(transactionId)
      const { result, error } = await db
        .selectFrom('jobs')
        .select(['result', 'error'])
        .where('runId', '=', id)
        .where('type', '=', 'trigger')
        .executeTakeFirstOrThrow()
      return { ...JSON.parse(result ?? '{}'), ...(error !== null && { error: JSON.parse(error) }) } as JsonObject
    },
    addTopic: async (key: string, members: number) => {
      const row = { environmentId, createdAt: 0, updatedAt: 0 }
      const topicId = createId(0)
      await db
        .insertInto('topics')
        .values({ ...row, id: topicId, key, name: key, data: null })
        .execute()
      for (let index = 0; index < members; index++) {
        const [id, subscriberId] = [createId(0), `${key}-${index}`]
        await db
          .insertInto('subscribers')
          .values({ ...blankSubscriber, ...row, id, subscriberId })
          .execute()
        await db
          .insertInto('topicSubscriptions')
          .values({
            ...{ ...row, id: createId(0), topicId, subscriberId: id, identifier: subscriberId },
            ...{ name: null, preferences: null, contextKeys: null },
          })
          .execute()
      }
    },
  }
}

describe.each(bothDrivers)('a step that triggers a workflow, on %s,', (driver) => {
  test('ends at once, and its run is linked with it', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { stepsOf, children, resultOf } = createChildren(testEngine)
    const child = await testEngine.add(waits)
    const id = await testEngine.begin(
      await testEngine.add(triggers(() => ({ workflow: child, to: 'bob', payload: { n: 1 } }))),
    )
    await testEngine.drain()
    const run = await testEngine.runOf(id)
    expect([run.status, run.steps]).toEqual(['completed', 'child:completed got-triggered:completed'])
    expect(run.lines).toContain('Workflow was triggered')
    const transactionId = `${run.id}:child`
    expect(await resultOf(id)).toEqual({ status: 'triggered', transactionId })
    expect(await children()).toMatchObject([
      { status: 'running', subscriberId: 'bob', transactionId, depth: 1, payload: '{"n":1}', parentRunId: run.id },
    ])
    expect(await stepsOf(transactionId)).toBe('wait:delayed')
    await testEngine.advanceTo(testEngine.clock.now() + 61 * minuteMs)
    expect((await testEngine.runOf(transactionId)).status).toBe('completed')
  })

  test('waits for all of its runs with await, and receives how each has ended', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { stepsOf, children, resultOf } = createChildren(testEngine)
    const child = await testEngine.add(async ({ step, payload }) => {
      await step('wait', 'delay', () => ({ amount: payload['n'], unit: 'hours' }))
      await step('may-fail', 'custom', () => {
        if (payload['fails']) throw new Error('no')
        return {}
      })
    })
    const to = ['bob', { subscriberId: 'eve' }]
    const output = (payload: JsonObject) => triggers(() => ({ workflow: child, to, payload, await: true }))
    const good = await testEngine.begin(await testEngine.add(output({ n: 2 })))
    const bad = await testEngine.begin(await testEngine.add(output({ n: 1, fails: true })))
    await testEngine.drain()
    expect([await stepsOf(good), await stepsOf(bad)]).toEqual(['child:delayed', 'child:delayed'])
    expect(await children()).toHaveLength(4)
    await testEngine.advanceTo(testEngine.clock.now() + 61 * minuteMs)
    expect([await stepsOf(good), await stepsOf(bad)]).toEqual(['child:delayed', 'child:completed got-failed:completed'])
    await testEngine.advanceTo(testEngine.clock.now() + 61 * minuteMs)
    expect(await stepsOf(good)).toBe('child:completed got-completed:completed')
    expect((await testEngine.runOf(good)).lines).toEqual(
      expect.arrayContaining([
        'Step waits for the runs that it triggered',
        'All runs that the step triggered have ended',
      ]),
    )
    const runs = (await children()).filter(({ status }) => status === 'completed')
    expect(await resultOf(good)).toEqual({
      status: 'completed',
      transactionId: `${(await testEngine.runOf(good)).id}:child`,
      runs: runs.map(({ id, subscriberId, status }) => ({ runId: id, subscriberId, status })),
    })
    expect((await testEngine.runOf(bad)).status).toBe('completed')
    expect(testEngine.bridge.ran.filter((id) => id === 'may-fail')).toHaveLength(4)
  })

  test.each<[string, JsonObject, string]>([
    ['an unknown workflow', { workflow: 'other', to: 'bob' }, 'the environment has no workflow "other"'],
    ['no recipient', { workflow: 'w0', to: {} }, 'to must be a subscriber id'],
    ['an unknown topic', { workflow: 'w0', to: { topicKey: 'team' } }, 'the topic "team" does not exist'],
    ['a workflow of another environment', { workflow: 'w1', to: 'bob' }, 'the environment has no workflow "w1"'],
    [
      'a topic of another environment',
      { workflow: 'w0', to: { topicKey: 'theirs' } },
      'the topic "theirs" does not exist',
    ],
    [
      'an unknown field of a topic',
      { workflow: 'w0', to: { type: 'Topic', topicKey: 'theirs', exlude: ['ada'] } },
      'to has the unknown field "exlude"',
    ],
    [
      'an exclusion that is not a list',
      { workflow: 'w0', to: ['bob', { topicKey: 'theirs', exclude: 'ada' }] },
      'exclude must be a list of subscriber ids',
    ],
    ['an unknown field of a subscriber', { workflow: 'w0', to: { subscriberId: 'bob', mail: 'b' } }, 'field "mail"'],
    ['text that cannot be stored', { workflow: 'w\0', to: 'bob' }, 'U+0000'],
    ['a payload that is a list', { workflow: 'w0', to: 'bob', payload: [] }, 'payload must be an object'],
    ['a payload that does not match', { workflow: 'w0', to: 'bob', payload: { n: 'x' } }, 'n: must be a number'],
  ])('fails for %s, and triggers nothing', async (_what, output, message) => {
    const testEngine = await createLedEngine(driver, { onTestFinished, skip: () => undefined as never })
    const { addTopic, resultOf, children } = createChildren(testEngine)
    const name = await testEngine.add(waits)
    const { db } = testEngine.store
    const environmentId = 'another'
    await db
      .updateTable('workflows')
      .set({ environmentId })
      .where('identifier', '=', await testEngine.add(waits))
      .execute()
    await addTopic('theirs', 1)
    await db.updateTable('topics').set({ environmentId }).where('key', '=', 'theirs').execute()
    const payloadSchema = JSON.stringify({ type: 'object', properties: { n: { type: 'number' } } })
    await db
      .updateTable('workflows')
      .set({ payloadSchema, validatePayload: 1 })
      .where('identifier', '=', name)
      .execute()
    const id = await testEngine.begin(await testEngine.add(triggers(() => output)))
    await testEngine.drain()
    const { status, steps, lines } = await testEngine.runOf(id)
    expect([status, steps]).toEqual(['failed', 'child:failed got-skipped:completed'])
    expect(lines).toContain('Workflow cannot be triggered')
    expect(await resultOf(id)).toMatchObject({
      status: 'skipped',
      error: { code: 'ExecutionStateOutputInvalidError', message: expect.stringContaining(message) },
    })
    expect(await children()).toEqual([])
  })

  test('triggers runs for up to 100 members of topics', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { addTopic, children, resultOf, stepsOf } = createChildren(testEngine)
    const child = await testEngine.add(async ({ step }) => void (await step('tell', 'custom')))
    await addTopic('most', 99)
    await addTopic('more', 100)
    const to = (topicKey: string) => ['bob', { type: 'Topic', topicKey }]
    const few = await testEngine.begin(
      await testEngine.add(triggers(() => ({ workflow: child, to: to('most'), await: true }))),
    )
    await testEngine.drain()
    expect([await stepsOf(few), (await children()).length]).toEqual(['child:completed got-completed:completed', 100])
    expect((await resultOf(few))['runs']).toHaveLength(100)
    const many = await testEngine.begin(await testEngine.add(triggers(() => ({ workflow: child, to: to('more') }))))
    await testEngine.drain()
    expect(await resultOf(many)).toMatchObject({ error: { message: expect.stringContaining('has 101 recipients') } })
    expect(await children()).toHaveLength(100)
  })

  test('keeps ended runs until all runs that it awaits have ended', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { children, resultOf } = createChildren(testEngine)
    const child = await testEngine.add(waits)
    const output = () => ({ workflow: child, to: ['bob', 'eve'], await: true })
    const id = await testEngine.begin(await testEngine.add(triggers(output)))
    await testEngine.drain()
    const [first] = await children()
    const { store, clock, target } = testEngine
    const { id: jobId } = await store.db
      .selectFrom('jobs')
      .select('id')
      .where('runId', '=', first?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(
      await skipWait({ store, clock, queue: testEngine.queue } as never, {
        environmentId: target.environmentId,
        jobId,
      }),
    ).toBe(true)
    await testEngine.advanceTo(clock.now() + minuteMs)
    expect((await children()).map(({ status }) => status)).toEqual(['completed', 'running'])
    const old = async () => selectOld(testEngine.store.db, Number.MAX_SAFE_INTEGER).execute()
    expect(await old()).toEqual([])
    await testEngine.advanceTo(testEngine.clock.now() + 61 * minuteMs)
    expect((await resultOf(id))['runs']).toHaveLength(2)
    expect(await old()).toHaveLength(3)
  })

  test('ends if its topic has no members', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { addTopic, resultOf, stepsOf } = createChildren(testEngine)
    const child = await testEngine.add(waits)
    await addTopic('empty', 0)
    const to = { type: 'Topic', topicKey: 'empty' }
    const id = await testEngine.begin(await testEngine.add(triggers(() => ({ workflow: child, to, await: true }))))
    await testEngine.drain()
    expect(await stepsOf(id)).toBe('child:completed got-completed:completed')
    expect(await resultOf(id)).toMatchObject({ status: 'completed', runs: [] })
  })

  test('fails if the runs below a run would be too many', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { children, resultOf } = createChildren(testEngine)
    const { db } = testEngine.store
    const setCount = (id: string, descendants: number) =>
      db.updateTable('runs').set({ descendants }).where('transactionId', '=', id).execute()
    const countOf = (id: string) =>
      db.selectFrom('runs').select(['descendants', 'rootRunId']).where('transactionId', '=', id).executeTakeFirst()
    const leaf = await testEngine.add(async ({ step }) => void (await step('tell', 'custom')))
    const to = ['bob', 'eve']
    const child = await testEngine.add(triggers(() => ({ workflow: leaf, to })))
    const root = await testEngine.begin(
      await testEngine.add(async ({ step }) => {
        await step('wait', 'delay', () => hour)
        // The runs of both steps trigger two more runs each, at the same time.
        const output = () => ({ workflow: child, to: 'bob', await: true })
        await Promise.all([step('one', 'trigger', output), step('other', 'trigger', output)])
        await step('last', 'trigger', () => ({ workflow: leaf, to }))
      }),
    )
    await testEngine.drain()
    await setCount(root, 10_000 - 4)
    await testEngine.advanceTo(testEngine.clock.now() + 61 * minuteMs)
    // Of the two runs below, only one could still trigger its two runs.
    const { id: rootRunId } = await testEngine.runOf(root)
    expect(await countOf(root)).toEqual({ descendants: 10_000, rootRunId: null })
    const runs = await children()
    expect(runs.map(({ depth, status }) => `${depth} ${status}`).toSorted()).toEqual([
      ...['1 completed', '1 failed', '2 completed', '2 completed'],
    ])
    for (const { transactionId } of runs) expect(await countOf(transactionId)).toEqual({ descendants: 0, rootRunId })
    const [refused] = runs.filter(({ status }) => status === 'failed')
    expect(await resultOf(refused?.transactionId ?? '')).toMatchObject({
      error: { message: expect.stringContaining('can trigger at most 10000 runs, and these would be 10002') },
    })
    const refusedRun = await testEngine.runOf(root)
    expect(refusedRun.lines).toContain('Workflow cannot be triggered')
    expect(refusedRun.steps).toContain('last:failed')
  })

  test('counts the runs below a run itself if the first run has been deleted', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { children } = createChildren(testEngine)
    const { db } = testEngine.store
    const leaf = await testEngine.add(async ({ step }) => void (await step('tell', 'custom')))
    const child = await testEngine.add(async ({ step }) => {
      await step('wait', 'delay', () => hour)
      await step('more', 'trigger', () => ({ workflow: leaf, to: ['bob', 'eve'] }))
    })
    const id = await testEngine.begin(await testEngine.add(triggers(() => ({ workflow: child, to: 'bob' }))))
    await testEngine.drain()
    await db.deleteFrom('runs').where('transactionId', '=', id).execute()
    await testEngine.advanceTo(testEngine.clock.now() + 61 * minuteMs)
    const [first] = (await children()).filter(({ depth }) => depth === 1)
    expect(first?.status).toBe('completed')
    const counts = await db.selectFrom('runs').select(['id', 'descendants', 'rootRunId']).orderBy('depth').execute()
    expect(counts).toMatchObject([
      { id: first?.id, descendants: 2 },
      { descendants: 0, rootRunId: first?.id },
      { descendants: 0, rootRunId: first?.id },
    ])
  })

  test('fails if runs trigger each other too often in a row', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { children, stepsOf } = createChildren(testEngine)
    const name = await testEngine.add(triggers(() => ({ workflow: 'w0', to: 'anna', await: true })))
    const id = await testEngine.begin(name)
    await testEngine.drain()
    expect(await stepsOf(id)).toBe('child:completed got-completed:completed')
    const runs = await children()
    expect(runs.map(({ depth, status }) => [depth, status])).toEqual([
      [1, 'completed'],
      [2, 'completed'],
      [3, 'completed'],
      [4, 'completed'],
      [5, 'failed'],
    ])
  })

  test('cancels the runs that it awaits with its own run, and leaves others', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { children } = createChildren(testEngine)
    const child = await testEngine.add(waits)
    const parent = await testEngine.add(async ({ step }) => {
      await step('free', 'trigger', () => ({ workflow: child, to: 'bob' }))
      await step('awaited', 'trigger', () => ({ workflow: child, to: ['bob', 'eve'], await: true }))
    })
    const id = await testEngine.begin(parent)
    await testEngine.drain()
    expect(await testEngine.cancel(id)).toBe(true)
    await testEngine.drain()
    const run = await testEngine.runOf(id)
    expect([run.status, run.steps]).toEqual(['canceled', 'free:completed awaited:canceled'])
    expect((await children()).map(({ status }) => status)).toEqual(['running', 'canceled', 'canceled'])
    const { ownLines } = await testEngine.runOf(`${run.id}:awaited`)
    expect(ownLines).toEqual([{ detail: 'Run was canceled', raw: JSON.stringify({ by: 'parent', runId: run.id }) }])
    await testEngine.advanceTo(testEngine.clock.now() + 61 * minuteMs)
    expect(testEngine.bridge.ran.filter((one) => one === 'wait')).toHaveLength(3)
  })

  test('ends with `canceled` if its runs are canceled', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { stepsOf } = createChildren(testEngine)
    const child = await testEngine.add(waits)
    const id = await testEngine.begin(
      await testEngine.add(triggers(() => ({ workflow: child, to: 'bob', await: true }))),
    )
    await testEngine.drain()
    expect(await testEngine.cancel(`${(await testEngine.runOf(id)).id}:child`)).toBe(true)
    await testEngine.drain()
    expect(await stepsOf(id)).toBe('child:completed got-canceled:completed')
  })

  test('cannot be skipped, and ends once even if its work is repeated', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { stepsOf, children } = createChildren(testEngine)
    const child = await testEngine.add(waits)
    const id = await testEngine.begin(
      await testEngine.add(triggers(() => ({ workflow: child, to: 'bob', await: true }))),
    )
    await testEngine.drain()
    const { store, clock, queue, target } = testEngine
    const { id: jobId } = await store.db
      .selectFrom('jobs')
      .select('id')
      .where('type', '=', 'trigger')
      .executeTakeFirstOrThrow()
    expect(await skipWait({ store, clock } as never, { environmentId: target.environmentId, jobId })).toBe(false)
    const repeat = async (): Promise<void> => {
      await store.transaction((tx) =>
        queue.add(
          tx,
          Array.from({ length: 5 }, () => ({ kind: 'children', id: jobId, lane: 'e/l' })),
        ),
      )
      await testEngine.drain()
    }
    await repeat()
    expect([await stepsOf(id), (await children()).length]).toEqual(['child:delayed', 1])
    await testEngine.advanceTo(clock.now() + 61 * minuteMs)
    await repeat()
    expect([await stepsOf(id), (await children()).length]).toEqual(['child:completed got-completed:completed', 1])
    expect(testEngine.bridge.ran).toEqual(['child', 'wait', 'got-completed'])
  })
})
