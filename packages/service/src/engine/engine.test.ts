import type { JsonObject } from '@trestle/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { BridgeOutcome, BridgeStepCall } from '../bridge/bridge-call.ts'
import { createId } from '../store/create-id.ts'
import { bothDrivers } from '../store/stores.fixture.ts'
import { parseObject } from './base/parse-json.ts'
import { createTestChannels } from './channels.fixture.ts'
import type { RunTransition } from './control/run-feed.ts'
import { createTestEngine, type TestEngine } from './engine.fixture.ts'
import type { TestStep } from './engine-rows.fixture.ts'
import { createFakeBridge, refused, replied } from './fake-bridge.fixture.ts'
import type { TriggerRequest } from './intake/trigger-request.ts'
import type { ChannelPort } from './port/channel-port.ts'
import { shareEngine } from './share-engine.fixture.ts'

type Answer = (call: BridgeStepCall) => Partial<BridgeOutcome>

const hourMs = 3_600_000
const wait: TestStep = { stepId: 'wait', type: 'delay' }
const collect: TestStep = { stepId: 'collect', type: 'digest' }
const text: TestStep = { stepId: 'text', type: 'sms' }
const mail: TestStep = { stepId: 'mail', type: 'email' }
const ask: TestStep = { stepId: 'ask', type: 'custom' }

/** Waits take an hour; all other steps succeed. */
const plain: Answer = ({ stepId }) =>
  replied(stepId === 'wait' || stepId === 'collect' ? { amount: 1, unit: 'hours' } : { body: 'b' })

describe.each(bothDrivers)('on %s', (driver) => {
  const shared = shareEngine()
  const faults: unknown[] = []
  let testEngine: TestEngine
  let answer: Answer = plain
  let isSent = false
  let send: ChannelPort['send'] = async () => ({ patch: { status: 'sent' }, notes: [] })
  let number = 0
  const bridge = createFakeBridge((call) => answer(call))

  beforeAll(async () => {
    const channels = createTestChannels({ isSent: () => isSent, send: (id) => send(id) })
    await createTestEngine(driver, shared.context, { bridge, channels, faults }).then(
      (one) => {
        testEngine = one
      },
      (error) => {
        if (shared.why() === '') throw error
      },
    )
  }, 60_000)
  afterAll(shared.end)
  afterEach(() => expect(faults).toEqual([]))
  beforeEach(({ skip }) => {
    if (shared.why() !== '') skip(shared.why())
    answer = plain
    isSent = false
    bridge.calls.length = 0
    number++
  })

  const start = async (steps: readonly TestStep[], request: Partial<TriggerRequest> = {}) => {
    const name = `w${number}-${createId(0).slice(-12)}`
    await testEngine.addWorkflow(name, steps)
    return trigger(name, request)
  }
  const trigger = async (name: string, request: Partial<TriggerRequest> = {}) => {
    const result = await testEngine.trigger({ name, to: `anna${number}`, ...request })
    await testEngine.drain()
    return { name, transactionId: result?.transactionId ?? '', result }
  }
  const runsOf = async (transactionId: string) => {
    const { db } = testEngine.store
    const runs = await db
      .selectFrom('runs')
      .selectAll()
      .where('transactionId', '=', transactionId)
      .orderBy('externalSubscriberId')
      .execute()
    const jobs =
      runs.length === 0
        ? []
        : await db
            .selectFrom('jobs')
            .selectAll()
            .where(
              'runId',
              'in',
              runs.map(({ id }) => id),
            )
            .orderBy('position')
            .execute()
    return runs.map((run) => {
      const own = jobs.filter(({ runId }) => runId === run.id)
      return { ...run, jobs: own, states: own.map(({ status }) => status).join(' ') }
    })
  }
  const runOf = async (transactionId: string) => {
    const [run, ...rest] = await runsOf(transactionId)
    expect(rest).toEqual([])
    if (!run) throw new Error('there is no run')
    return run
  }
  const linesOf = async (runId: string) => {
    const rows = await testEngine.store.db
      .selectFrom('executionDetails')
      .select('detail')
      .where('runId', '=', runId)
      .orderBy('id')
      .execute()
    return rows.map(({ detail }) => detail)
  }

  describe('a bridge that requests another step first', () => {
    const named = (stepId: string) => refused('ExecutionStateCorruptError', { workflowId: 'w', stepId })
    const asked = () => bridge.calls.map(({ stepId }) => stepId)
    const knows = ({ event }: BridgeStepCall, stepId: string) => event.state?.some((one) => one.stepId === stepId)

    test('receives that step’s result once, and the workflow gets a warning', async () => {
      answer = (call) => (call.stepId === 'ask' && !knows(call, 'mail') ? named('mail') : replied({}))
      const { transactionId } = await start([ask, text, mail])
      const run = await runOf(transactionId)
      expect(asked()).toEqual(['ask', 'mail', 'ask', 'text'])
      expect([run.status, run.states]).toEqual(['completed', 'completed completed completed'])
      const warnings = await testEngine.store.db
        .selectFrom('workflowWarnings')
        .selectAll()
        .where('workflowId', '=', run.workflowId)
        .execute()
      expect(warnings).toMatchObject([{ code: 'ExecutionStateCorruptError', stepId: 'ask', count: 1 }])
      expect(warnings[0]?.message).toContain('"mail"')
    })

    test('waits for that step if it is a wait', async () => {
      answer = (call) => (call.stepId === 'ask' && !knows(call, 'wait') ? named('wait') : plain(call))
      const { transactionId } = await start([ask, wait])
      expect((await runOf(transactionId)).states).toBe('pending delayed')
      await testEngine.advanceTo(testEngine.clock.now() + hourMs)
      expect((await runOf(transactionId)).states).toBe('completed completed')
      expect(asked()).toEqual(['ask', 'wait', 'ask'])
    })

    test.each([
      ['names one that is not listed', 'unknown', ['ask', 'mail'], 'failed completed'],
      ['names the step itself', 'ask', ['ask', 'mail'], 'failed completed'],
      ['asks again', 'mail', ['ask', 'mail', 'ask'], 'failed completed'],
    ])('fails if it %s', async (_what, stepId, calls, states) => {
      answer = (call) => (call.stepId === 'ask' ? named(stepId) : replied({}))
      const { transactionId } = await start([ask, mail])
      const run = await runOf(transactionId)
      expect(asked()).toEqual(calls)
      expect([run.status, run.states]).toEqual(['failed', states])
    })

    test('fails if the requests form a cycle', async () => {
      answer = ({ stepId }) => (stepId === 'ask' ? named('mail') : named('ask'))
      const { transactionId } = await start([ask, mail])
      expect((await runOf(transactionId)).states).toBe('failed failed')
    })
  })

  describe('a transaction', () => {
    test('that is accepted several times is run once', async () => {
      const { name } = await start([mail])
      const transactionId = `twice-${number}`
      const environmentId = testEngine.target.environmentId
      const requests = Array.from({ length: 10 }, () => ({ name, to: `ben${number}`, transactionId }))
      const batches = Array.from({ length: 4 }, () =>
        testEngine.engine.accept({ environmentId, kind: 'bulk', requests }),
      )
      expect((await Promise.all(batches)).flat().every((result) => result?.status === 'processed')).toBe(true)
      await testEngine.drain()
      expect((await runOf(transactionId)).status).toBe('completed')
      const triggers = await testEngine.store.db
        .selectFrom('triggers')
        .select('status')
        .where('transactionId', '=', transactionId)
        .execute()
      expect(triggers.filter(({ status }) => status === 'done')).toHaveLength(1)
      expect(triggers.filter(({ status }) => status === 'duplicate')).toHaveLength(39)
    })

    test('of an unknown workflow, or without recipients, is not accepted', async () => {
      const { name } = await start([mail])
      expect(await testEngine.trigger({ name: 'unknown', to: 'a' })).toBeUndefined()
      expect(await testEngine.trigger({ name, to: [] })).toMatchObject({ status: 'invalid_recipients' })
      expect(await testEngine.trigger({ name, to: 'a', tenant: 'unknown' })).toMatchObject({
        status: 'no_tenant_found',
      })
      await testEngine.store.db.updateTable('workflows').set({ active: 0 }).where('identifier', '=', name).execute()
      expect(await testEngine.trigger({ name, to: 'a' })).toMatchObject({ status: 'trigger_not_active' })
    })
  })

  describe('recipients', () => {
    const addTopic = async (key: string, ids: readonly string[]) => {
      const { environmentId } = testEngine.target
      const times = { createdAt: 0, updatedAt: 0 }
      const topicId = createId(0)
      await testEngine.store.db
        .insertInto('topics')
        .values({ id: topicId, environmentId, key, name: key, data: null, ...times })
        .execute()
      for (const [index, subscriberId] of ids.entries()) {
        const row = await testEngine.store.db
          .selectFrom('subscribers')
          .select('id')
          .where('subscriberId', '=', subscriberId)
          .executeTakeFirstOrThrow()
        const rest = { name: null, preferences: null, contextKeys: null, ...times }
        await testEngine.store.db
          .insertInto('topicSubscriptions')
          .values({ id: createId(0), environmentId, topicId, subscriberId: row.id, identifier: `${index}`, ...rest })
          .execute()
      }
    }

    test('are created with the fields of the trigger, and updated by a later one', async () => {
      const to = { subscriberId: `new${number}`, firstName: 'Nora', email: 'n@example.com', data: { vip: true } }
      const { name } = await start([mail], { to })
      await trigger(name, { to: { ...to, firstName: null, email: 'm@example.com' } })
      expect(bridge.calls.map(({ event }) => event.subscriber)).toMatchObject([
        { subscriberId: to.subscriberId, firstName: 'Nora', email: 'n@example.com', data: { vip: true } },
        { subscriberId: to.subscriberId, firstName: null, email: 'm@example.com', data: { vip: true } },
      ])
    })

    test('of topics are each reached once, excluding the actor, named recipients and excluded members', async () => {
      const ids = ['a', 'b', 'c', 'd', 'e'].map((one) => `${one}-${number}`)
      const [a = '', b = '', c = '', d = '', e = ''] = ids
      const { name } = await start([mail], { to: ids })
      await addTopic(`one-${number}`, [a, b, c, d])
      await addTopic(`two-${number}`, [c, d, e, e])
      const topics = ['one', 'two'].map((one) => ({ type: 'Topic', topicKey: `${one}-${number}`, exclude: [d] }))
      const { transactionId } = await trigger(name, { to: [b, ...topics], actor: a })
      const runs = await runsOf(transactionId)
      expect(runs.map(({ externalSubscriberId }) => externalSubscriberId)).toEqual([b, c, e])
      const keys = runs.map(({ topics: list }) =>
        (JSON.parse(list) as { topicKey: string }[]).map(({ topicKey }) => topicKey).toSorted(),
      )
      expect(keys).toEqual([[], [`one-${number}`, `two-${number}`], [`two-${number}`]])
      expect(parseObject(runs[0]?.actor ?? null)).toMatchObject({ subscriberId: a })
    })

    test('of an unknown topic fail the trigger with a reason', async () => {
      const { transactionId } = await start([mail], { to: { topicKey: 'unknown' } })
      const row = await testEngine.store.db
        .selectFrom('triggers')
        .select(['status', 'error'])
        .where('transactionId', '=', transactionId)
        .executeTakeFirst()
      expect(row).toEqual({
        status: 'failed',
        error: JSON.stringify({ message: 'the topic "unknown" does not exist' }),
      })
      expect(await runsOf(transactionId)).toEqual([])
    })

    test('of a broadcast are all subscribers, page by page', async () => {
      const { name } = await start([ask], { to: Array.from({ length: 230 }, (_, index) => `many-${number}-${index}`) })
      const { environmentId } = testEngine.target
      const [result] = await testEngine.engine.accept({ environmentId, kind: 'broadcast', requests: [{ name }] })
      await testEngine.drain()
      const { count } = await testEngine.store.db
        .selectFrom('subscribers')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const runs = await runsOf(result?.transactionId ?? '')
      expect(runs).toHaveLength(Number(count))
      expect(new Set(runs.map(({ subscriberId }) => subscriberId)).size).toBe(runs.length)
      expect(runs.every(({ status }) => status === 'completed')).toBe(true)
    }, 60_000)
  })

  describe('cancel', () => {
    const cancel = (transactionId: string) =>
      testEngine.engine.cancel({ environmentId: testEngine.target.environmentId, transactionId })

    test('ends steps that wait or have not started', async () => {
      const { transactionId } = await start([ask, wait, text])
      expect(await cancel(transactionId)).toBe(true)
      const run = await runOf(transactionId)
      expect([run.status, run.states]).toEqual(['canceled', 'completed canceled canceled'])
      await testEngine.advanceTo(testEngine.clock.now() + 2 * hourMs)
      expect(bridge.calls.map(({ stepId }) => stepId)).toEqual(['ask', 'wait'])
    })

    test('of a finished or unknown transaction has no effect, and reports that', async () => {
      const { transactionId } = await start([mail])
      expect(await cancel(transactionId)).toBe(false)
      expect(await cancel('unknown')).toBe(false)
      expect((await runOf(transactionId)).status).toBe('completed')
    })

    test('of an open digest transfers it to the run of the oldest event', async () => {
      const { name, transactionId: first } = await start([collect, text], { payload: { n: 1 } })
      testEngine.clock.advance(1000)
      const { transactionId: second } = await trigger(name, { payload: { n: 2 } })
      const { transactionId: third } = await trigger(name, { payload: { n: 3 } })
      const heirId = (await runOf(second)).id
      expect(await cancel(first)).toBe(true)
      expect([(await runOf(first)).status, (await runOf(second)).states]).toEqual(['canceled', 'delayed pending'])
      expect(await runOf(third)).toMatchObject({ status: 'merged', digestedRunId: heirId })
      await testEngine.advanceTo(testEngine.clock.now() + hourMs)
      const run = await runOf(second)
      expect([run.status, run.states]).toEqual(['completed', 'completed completed'])
      expect(parseObject(run.jobs[0]?.result ?? null)).toMatchObject({
        eventCount: 2,
        events: [{ payload: { n: 2 } }, { payload: { n: 3 } }],
      })
      expect(run.jobs[0]?.endedAt).toBe((await runOf(first)).createdAt + hourMs)
    })

    test('of an event in an open digest removes the event, but not after the digest has ended', async () => {
      const { name, transactionId: first } = await start([collect, text])
      const { transactionId: second } = await trigger(name)
      const { transactionId: third } = await trigger(name)
      expect(await cancel(second)).toBe(true)
      await testEngine.advanceTo(testEngine.clock.now() + hourMs)
      expect(parseObject((await runOf(first)).jobs[0]?.result ?? null)['eventCount']).toBe(2)
      expect(await cancel(third)).toBe(false)
      expect([(await runOf(second)).status, (await runOf(third)).status]).toEqual(['canceled', 'merged'])
    })
  })

  test('a wait can be skipped once, and only from its environment', async () => {
    const { transactionId } = await start([wait, text])
    const jobId = (await runOf(transactionId)).jobs[0]?.id ?? ''
    const { environmentId } = testEngine.target
    expect(await testEngine.engine.skipWait({ environmentId: 'other', jobId })).toBe(false)
    expect(await testEngine.engine.skipWait({ environmentId, jobId })).toBe(true)
    await testEngine.engine.sweep()
    await testEngine.drain()
    expect((await runOf(transactionId)).states).toBe('completed completed')
    expect(await testEngine.engine.skipWait({ environmentId, jobId })).toBe(false)
  })

  test('a run can be repeated with the same data', async () => {
    const request = {
      payload: { n: 1 },
      overrides: { severity: 'high' },
      actor: `actor${number}`,
      context: { team: { id: 't', data: { a: 1 } } },
    }
    const { transactionId } = await start([ask], request)
    const { id: runId } = await runOf(transactionId)
    const { environmentId } = testEngine.target
    expect(await testEngine.engine.repeat({ environmentId: 'other', runId })).toBeUndefined()
    const again = await testEngine.engine.repeat({ environmentId, runId })
    await testEngine.drain()
    expect((await runOf(again?.transactionId ?? '')).status).toBe('completed')
    const [first, second] = bridge.calls.map(({ event: { jobId: _, ...event } }) => event)
    expect(first).toMatchObject({
      payload: { n: 1 },
      context: { team: { id: 't', data: { a: 1 } } },
      actor: { subscriberId: `actor${number}` },
    })
    expect(second).toEqual(first)
  })

  describe('preferences', () => {
    const choose = async (subscriberId: string, values: JsonObject) => {
      const row = await testEngine.store.db
        .selectFrom('subscribers')
        .select(['id', 'environmentId'])
        .where('subscriberId', '=', subscriberId)
        .executeTakeFirstOrThrow()
      const rest = { enabled: null, channels: '{}', schedule: null, createdAt: 0, updatedAt: 0 }
      const preference = {
        id: createId(0),
        environmentId: row.environmentId,
        subscriberId: row.id,
        workflowId: '' as const,
        contextKey: '',
        ...rest,
        ...values,
      }
      await testEngine.store.db.insertInto('preferences').values(preference).execute()
    }

    test('of a recipient block a message after its bridge call, and nothing else', async () => {
      const { name } = await start([ask])
      await choose(`anna${number}`, { channels: JSON.stringify({ email: false }) })
      await testEngine.addWorkflow(`${name}-2`, [ask, mail, text])
      const { transactionId } = await trigger(`${name}-2`)
      const run = await runOf(transactionId)
      expect([run.status, run.states]).toEqual(['completed', 'completed skipped completed'])
      expect(bridge.calls.slice(1).map(({ stepId }) => stepId)).toEqual(['ask', 'mail', 'text'])
      expect(await linesOf(run.id)).toContain('Step was filtered by preferences')
    })

    test("extend a wait to the recipient's schedule", async () => {
      const { name } = await start([ask])
      const atMs = testEngine.clock.now() + hourMs
      const weekday = new Date(atMs + 86_400_000)
        .toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
        .toLowerCase()
      await choose(`anna${number}`, {
        schedule: JSON.stringify({ isEnabled: true, weeklySchedule: { [weekday]: { isEnabled: true } } }),
      })
      answer = () => replied({ amount: 1, unit: 'hours', extendToSchedule: true })
      await testEngine.addWorkflow(`${name}-2`, [wait])
      const { transactionId } = await trigger(`${name}-2`)
      const midnightMs = Math.ceil(atMs / 86_400_000) * 86_400_000
      expect((await runOf(transactionId)).jobs[0]).toMatchObject({ dueAt: midnightMs, scheduleExtensions: 1 })
    })
  })

  describe('a message for a provider', () => {
    test('ends its step when its provider has responded', async () => {
      isSent = true
      send = async () => ({
        patch: { status: 'error', errorText: 'refused' },
        notes: [{ detail: 'Provider refused', status: 'Failed' }],
      })
      const { transactionId } = await start([mail, text])
      const run = await runOf(transactionId)
      expect(run.states).toBe('completed completed')
      expect(await linesOf(run.id)).toEqual(expect.arrayContaining(['Message created', 'Provider refused']))
      const rows = await testEngine.store.db
        .selectFrom('messages')
        .select('status')
        .where('runId', '=', run.id)
        .execute()
      expect(rows).toEqual([{ status: 'error' }, { status: 'error' }])
    })

    test('is retried after a failure, without another bridge call, and stored once', async () => {
      isSent = true
      let attempts = 0
      send = async () => {
        if (attempts++ === 0) throw new Error('lost on the way')
        return { patch: { status: 'sent' }, notes: [] }
      }
      const { transactionId } = await start([mail])
      const run = await runOf(transactionId)
      expect([run.states, attempts, bridge.calls.length]).toEqual(['completed', 2, 1])
      expect(
        await testEngine.store.db.selectFrom('messages').select('status').where('runId', '=', run.id).execute(),
      ).toEqual([{ status: 'sent' }])
      expect(faults).toHaveLength(1)
      faults.length = 0
    })
  })

  test('a result that cannot be stored fails only its step', async () => {
    answer = ({ stepId }) =>
      stepId === 'ask'
        ? { ...replied({}), record: { url: 'u\0', request: {}, reply: {}, status: 200, durationMs: 0, attempts: [] } }
        : replied({})
    const { transactionId } = await start([ask, mail])
    const run = await runOf(transactionId)
    expect([run.status, run.states]).toEqual(['failed', 'failed completed'])
    expect(run.jobs[0]?.error).toContain('cannot be stored')
    expect(faults).toHaveLength(1)
    faults.length = 0
  })

  test('a watcher receives each transition in order, and can resume after any of them', async () => {
    const { transactionId } = await start([ask, wait, mail])
    const { id: runId } = await runOf(transactionId)
    const { environmentId } = testEngine.target
    const controller = new AbortController()
    onTestFinished(() => controller.abort())
    const transitions: RunTransition[] = []
    const watching = (async () => {
      for await (const one of testEngine.engine.watch({ environmentId, runId }, controller.signal)) {
        transitions.push(one)
        if (one.detail === 'Message sent') return
      }
    })()
    await testEngine.advanceTo(testEngine.clock.now() + hourMs)
    await watching
    expect(transitions.map(({ stepId, detail }) => `${stepId}: ${detail}`)).toEqual([
      'ask: Step created',
      'wait: Step created',
      'mail: Step created',
      'ask: Step queued',
      'ask: Successful bridge response received',
      'ask: Step result was stored',
      'wait: Step queued',
      'wait: Successful bridge response received',
      'wait: Step delayed',
      'wait: Delay is finished',
      'mail: Step queued',
      'mail: Successful bridge response received',
      'mail: Start sending',
      'mail: Message sent',
    ])
    const rest: string[] = []
    for await (const one of testEngine.engine.watch(
      { environmentId, runId, afterId: transitions[11]?.id ?? '' },
      controller.signal,
    )) {
      rest.push(one.detail)
      if (rest.length === 2) break
    }
    expect(rest).toEqual(['Start sending', 'Message sent'])
  })
})
