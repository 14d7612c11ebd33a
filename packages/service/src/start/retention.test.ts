import { type KyselyPlugin, sql } from 'kysely'
import { describe, expect, type TestContext, test } from 'vitest'
import type { BridgeStepCall } from '../bridge/bridge-call.ts'
import type { ServiceContext } from '../context/service-context.ts'
import type { TestStep } from '../engine/engine-rows.fixture.ts'
import { replied } from '../engine/fake-bridge.fixture.ts'
import { type PlayedEngine, type PlayOptions, playEngine } from '../engine/played-engine.fixture.ts'
import { needQueries } from '../engine/spread/old-events.ts'
import { wakeMessages } from '../messages/mark-messages.ts'
import { insertPrepared } from '../store/prepared.ts'
import type { StoreDriver } from '../store/store.ts'
import { bothDrivers, createStore } from '../store/stores.fixture.ts'
import { createRetention, selectOld } from './retention.ts'

const hourMs = 3_600_000
const collect: TestStep = { stepId: 'collect', type: 'digest' }
const wait: TestStep = { stepId: 'wait', type: 'delay' }
const text: TestStep = { stepId: 'text', type: 'sms' }

const play = async (driver: StoreDriver, context: TestContext, options: PlayOptions) => {
  const testEngine = await playEngine(driver, context, options)
  const { store, clock } = testEngine
  const settings = { retentionMs: hourMs / 4, accounts: { auditRetentionMs: 0 } }
  const { sweep } = createRetention({ store, clock, settings } as unknown as ServiceContext)
  return { ...testEngine, sweep, later: (part: number) => testEngine.advanceTo(clock.now() + part * hourMs) }
}

const left = async ({ store }: PlayedEngine) => {
  const rows = await store.db.selectFrom('runs').select('transactionId').orderBy('transactionId').execute()
  return rows.map(({ transactionId }) => transactionId)
}

describe.each(bothDrivers)('old data (%s)', (driver) => {
  test('is kept while a digest collects it, and while the digest’s message is created', async (context) => {
    const testEngine = await play(driver, context, { steps: [collect, wait, text] })
    for (const name of ['a', 'b', 'c']) await testEngine.play(name)
    await testEngine.later(0.5)
    expect(await testEngine.sweep()).toBe(0)
    await testEngine.later(0.6)
    expect(await testEngine.statesOf('a')).toBe('running: completed delayed pending')
    expect(await testEngine.sweep()).toBe(0)
    await testEngine.later(1)
    expect(await testEngine.messages()).toEqual([['a', 'b', 'c']])
    expect(await testEngine.sweep()).toBe(2)
    expect(await left(testEngine)).toEqual(['a'])
    await testEngine.later(0.3)
    expect(await testEngine.sweep()).toBe(1)
    expect(await left(testEngine)).toEqual([])
  })

  test('is kept while it is part of a digest, and removed if its run is canceled', async (context) => {
    const testEngine = await play(driver, context, { steps: [collect, text] })
    for (const name of ['a', 'b', 'c', 'd']) await testEngine.play(name)
    await testEngine.cancel('a')
    await testEngine.cancel('d')
    await testEngine.later(0.5)
    expect(await testEngine.sweep()).toBe(2)
    expect(await left(testEngine)).toEqual(['b', 'c'])
    await testEngine.later(0.6)
    expect(await testEngine.messages()).toEqual([['b', 'c']])
  })

  test('is kept while its inbox message is snoozed, and for the retention period after the message woke', async (context) => {
    const testEngine = await play(driver, context, { steps: [{ stepId: 'inbox', type: 'in_app' }] })
    const { store, clock, later, sweep } = testEngine
    for (const name of ['plain', 'snoozed']) await testEngine.play(name)
    const snoozedUntil = clock.now() + hourMs
    await store.db.updateTable('messages').set({ snoozedUntil }).where('transactionId', '=', 'snoozed').execute()
    await later(0.5)
    expect(await sweep()).toBe(1)
    await later(0.6)
    expect(await sweep()).toBe(0)
    const { environmentId, subscriberId } = await store.db.selectFrom('messages').selectAll().executeTakeFirstOrThrow()
    await wakeMessages(store.db, { environmentId, subscriberId }, clock.now())
    expect(await sweep()).toBe(0)
    expect(await left(testEngine)).toEqual(['snoozed'])
    await later(0.2)
    expect(await sweep()).toBe(1)
    expect(await store.db.selectFrom('messages').select('id').execute()).toEqual([])
  })

  test('is removed with emitted events that no step can still receive, but not before all waiting runs are woken', async (context) => {
    const { store, clock, target, sweep } = await play(driver, context, { steps: [text] })
    const nowMs = clock.now()
    const row = {
      environmentId: target.environmentId,
      name: 'e',
      payload: '{}',
      recipient: null,
      keys: '',
      cursor: null,
    }
    const rowOf = (id: string, status: 'open' | 'done', createdAt: number) => ({ ...row, id, status, createdAt })
    const old = nowMs - hourMs
    const many = Array.from({ length: 10_002 }, (_, index) => rowOf(`many-${10_000 + index}`, 'done', nowMs - 1))
    const rows = [rowOf('a-open', 'open', old), rowOf('a-done', 'done', old), ...many]
    for (let at = 0; at < rows.length; at += 500)
      await insertPrepared(store.db, 'emittedEvents', rows.slice(at, at + 500))
    await sweep()
    const ids = (await store.db.selectFrom('emittedEvents').select('id').orderBy('id').execute()).map(({ id }) => id)
    expect(ids).toHaveLength(10_001)
    expect(ids.slice(0, 2)).toEqual(['a-open', 'many-10002'])
  })

  test('is kept while it is an event that a trigger, a run or a step still has to look for', async (context) => {
    const steps: readonly TestStep[] = [{ stepId: 'event', type: 'wait_for_event' }]
    const answer = () => replied({ event: 'e', timeout: { amount: 2, unit: 'hours' } })
    const testEngine = await play(driver, context, { steps, answer })
    const { store, clock, target, sweep, later } = testEngine
    const { environmentId } = target
    const startMs = clock.now()
    await store.db
      .updateTable('workflows')
      .set({ cancelOn: JSON.stringify([{ event: 'e' }]) })
      .execute()
    await testEngine.play('a')
    const emitted = { environmentId, name: 'e', payload: '{}', recipient: null, keys: '', cursor: null } as const
    const rows = [
      { ...emitted, id: 'before', status: 'done', createdAt: startMs - 1 },
      { ...emitted, id: 'since', status: 'done', createdAt: startMs },
      { ...emitted, id: 'other', status: 'done', createdAt: startMs, environmentId: 'other' },
    ] as const
    await insertPrepared(store.db, 'emittedEvents', rows)
    const ids = async () => {
      await sweep()
      const events = await store.db.selectFrom('emittedEvents').select('id').orderBy('id').execute()
      return events.map(({ id }) => id)
    }
    await later(0.4)
    const many = Array.from({ length: 10_000 }, (_, index) => {
      return { ...emitted, id: `zz${index}`, status: 'done', createdAt: clock.now() } as const
    })
    for (let at = 0; at < many.length; at += 500)
      await insertPrepared(store.db, 'emittedEvents', many.slice(at, at + 500))
    const oldest = async () => (await ids()).filter((id) => !id.startsWith('zz'))
    const trigger = store.db.updateTable('triggers')
    for (const status of ['accepted', 'processing'] as const) {
      await trigger.set({ status }).execute()
      expect(await oldest(), status).toEqual(['since'])
    }
    await trigger.set({ status: 'done' }).execute()
    const runId = await testEngine.runIdOf('a')
    const { id: jobId } = await store.db.selectFrom('jobs').select('id').executeTakeFirstOrThrow()
    for (const [kind, id] of [
      ['start', runId],
      ['look-back', jobId],
    ] as const) {
      await store.transaction((tx) => testEngine.queue.add(tx, [{ kind, id, lane: 'e/l' }], { delayMs: hourMs }))
      expect(await oldest(), kind).toEqual(['since'])
      await store.db.deleteFrom('queueItems').execute()
    }
    expect(await oldest()).toEqual([])
  })

  const rowsOf = async ({ store }: PlayedEngine, table: 'digests' | 'triggers' | 'throttles') =>
    (await store.db.selectFrom(table).select('environmentId').execute()).length

  test('is removed with the closed digests of its keys, but not with open ones', async (context) => {
    const answer = ({ event }: BridgeStepCall) => {
      const key = String(event.payload?.['name'])
      return event.state?.length
        ? undefined
        : replied({ amount: key === 'long' ? 2 : 0.1, unit: 'hours', digestKey: key })
    }
    const testEngine = await play(driver, context, { steps: [collect, text], answer })
    for (const name of ['a', 'b', 'long']) await testEngine.play(name)
    expect(await rowsOf(testEngine, 'digests')).toBe(3)
    await testEngine.later(0.2)
    await testEngine.sweep()
    expect(await rowsOf(testEngine, 'digests')).toBe(3)
    await testEngine.later(0.8)
    await testEngine.sweep()
    expect(await rowsOf(testEngine, 'digests')).toBe(1)
    await testEngine.later(1.2)
    expect(await testEngine.messages()).toEqual([['long']])
    await testEngine.later(0.5)
    await testEngine.sweep()
    expect(await rowsOf(testEngine, 'digests')).toBe(0)
  })

  test('of a digest is kept as long as a look-back window needs it', async (context) => {
    const answer = ({ event }: BridgeStepCall) =>
      event.state?.length
        ? undefined
        : replied({ amount: 0.1, unit: 'hours', lookBackWindow: { amount: 2, unit: 'hours' } })
    const testEngine = await play(driver, context, { steps: [collect, text], answer })
    for (const [name, state] of [
      ['a', 'completed: completed completed'],
      ['b', 'running: delayed pending'],
      ['c', 'running: delayed pending'],
    ] as const) {
      await testEngine.play(name)
      expect(await testEngine.statesOf(name)).toBe(state)
      await testEngine.later(1.5)
      await testEngine.sweep()
    }
    await testEngine.later(2.5)
    await testEngine.sweep()
    expect(await rowsOf(testEngine, 'digests')).toBe(0)
  })

  test('is removed with triggers, however they ended', async (context) => {
    const testEngine = await play(driver, context, { steps: [text] })
    const ends = ['done', 'duplicate', 'failed', 'canceled'] as const
    for (const name of ends) await testEngine.play(name)
    for (const status of ends)
      await testEngine.store.db.updateTable('triggers').set({ status }).where('transactionId', '=', status).execute()
    await testEngine.later(0.1)
    await testEngine.sweep()
    expect(await rowsOf(testEngine, 'triggers')).toBe(4)
    await testEngine.later(0.2)
    await testEngine.sweep()
    expect(await rowsOf(testEngine, 'triggers')).toBe(0)
  })

  test('is removed in batches of a hundred rows, so that other work can run in between', async (context) => {
    const store = await createStore(driver, context)
    const trigger = (id: string) => ({
      ...({ id, environmentId: 'e', transactionId: id, workflowIdentifier: 'w', kind: 'single', body: '{}' } as const),
      ...({
        status: 'failed',
        error: null,
        cursor: null,
        trace: null,
        parentJobId: null,
        createdAt: 1,
        updatedAt: 1,
      } as const),
    })
    for (let at = 0; at < 250; at++) await insertPrepared(store.db, 'triggers', [trigger(`t${at}`)])
    await insertPrepared(store.db, 'triggers', [{ ...trigger('young'), createdAt: hourMs }])
    const counts: number[] = []
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        counts.push(Number(result.numAffectedRows ?? 0))
        return result
      },
    }
    const counted = { ...store, db: store.db.withPlugin(counting) }
    const settings = { retentionMs: hourMs, accounts: { auditRetentionMs: 0 } }
    const clock = { now: () => hourMs + 2 }
    await createRetention({ store: counted, clock, settings } as unknown as ServiceContext).sweep()
    expect(counts.filter((count) => count > 0)).toEqual([100, 100, 50])
    expect(await store.db.selectFrom('triggers').select('id').execute()).toEqual([{ id: 'young' }])
  })
})

test('old digests, throttles and deliveries are found using an index', async (context) => {
  const { db } = await createStore('sqlite', context)
  const plans = [
    [
      'digests_updatedAt_over',
      sql`delete from "digests" where "jobId" is null and "updatedAt" < ${1} and ("dueAt" < 2)`,
    ],
    ['throttles_endAt', sql`delete from "throttles" where "endAt" < ${1}`],
    [
      'webhookDeliveries_createdAt',
      sql`delete from "webhookDeliveries" where "createdAt" < ${1} and "status" <> 'pending'`,
    ],
  ] as const
  for (const [index, statement] of plans) {
    const { rows } = await sql<{ readonly detail: string }>`explain query plan ${statement}`.execute(db)
    expect(rows.map(({ detail }) => detail).join(), index).toContain(`USING INDEX ${index}`)
  }
})

test('finds the work that looks for events using an index', async (context) => {
  const { db } = await createStore('sqlite', context)
  const plans = []
  for (const query of needQueries) {
    const { rows } = await sql<{ readonly detail: string }>`explain query plan ${query}`.execute(db)
    plans.push(rows.map(({ detail }) => detail).join())
  }
  expect(plans[0]).toContain('USING INDEX triggers_status_some')
  for (const plan of plans.slice(1)) expect(plan).toContain('INDEX queueItems_lookBack_some (kind=?)')
})

test('PostgreSQL finds old runs one at a time, without scanning all runs for each part', async (context) => {
  const { db } = await createStore('postgres', context)
  const texts = ['environmentId', 'workflowId', 'workflowIdentifier', 'subscriberId', 'transactionId', 'status']
  const more = [
    'payload',
    'overrides',
    'contextKeys',
    'topics',
    'recipient',
    'tags',
    'channels',
    'severity',
    'controls',
  ]
  const names = sql.join([...texts, ...more].map((name) => sql.ref(name)))
  await sql`insert into "runs" ("id", "triggerId", "externalSubscriberId", ${names}, "critical", "sequence", "createdAt",
    "updatedAt", "finishedAt") select n::text, n::text, n::text, ${sql.join([...texts, ...more].map(() => sql`''`))},
    0, 0, 1, 1, n from generate_series(1, 20000) as g(n)`.execute(db)
  await sql`insert into "jobs" ("id", "environmentId", "runId", "position", "stepId", "type", "wave", "step", "status",
    "scheduleExtensions", "createdAt", "updatedAt") select n::text, '', n::text, 0, '', '', 0, '', '', 0, 1, 1
    from generate_series(1, 20000) as g(n)`.execute(db)
  await sql`analyze "runs"`.execute(db)
  await sql`analyze "jobs"`.execute(db)
  for (const before of [100, 10_000, 30_000]) {
    const plan = (await selectOld(db, before).explain('text')).map((row) => Object.values(row)[0]).join('\n')
    expect(plan, String(before)).not.toMatch(/Seq Scan on \w+ \w/)
  }
})
