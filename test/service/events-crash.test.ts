import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createBridge, toNodeHandler, workflow } from '@trestle/core'
import { describe, expect, type TestContext, test } from 'vitest'
import type { Store, StoreDriver } from '../../packages/service/src/store/store.ts'
import { createDatabase, drivers } from '../../packages/service/src/store/stores.fixture.ts'
import { draws } from '../scope.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import { syncDevelopment } from './sync-development.ts'

const crashes = draws(2, 30)
/** A slow machine must not create more runs than it can finish in time. */
const runsPerCrash = 20
const hour = { amount: 1, unit: 'hours' } as const
const payloadSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const

/** How many times the handler after the waits ran, by run. */
const seen = new Map<string, number>()
const count = (key: string) => {
  seen.set(key, (seen.get(key) ?? 0) + 1)
  return {}
}

/** How often the failing handler ran, by run. */
const attempts = new Map<string, number>()
const failTwice = (key: string) => {
  const attempt = (attempts.get(key) ?? 0) + 1
  attempts.set(key, attempt)
  if (attempt <= 2) throw new Error('not now')
  return {}
}

const child = workflow(
  'child',
  async ({ step }) => {
    await step.delay('wait', () => ({ amount: 0.05, unit: 'seconds' }))
    await step.custom('after', (_, { idempotencyKey }) => count(idempotencyKey))
  },
  { payloadSchema },
)

const workflows = [
  child,
  workflow(
    'parent',
    async ({ step, payload }) => {
      await step.trigger('free', () => ({ workflow: child, to: 'free', payload }))
      await step.trigger('awaited', () => ({ workflow: child, to: ['one', 'two'], payload }), { await: true })
      await step.custom('after', (_, { idempotencyKey }) => count(idempotencyKey))
    },
    { payloadSchema },
  ),
  workflow(
    'stopped',
    async ({ step }) => {
      await step.delay('wait', () => hour)
      await step.custom('after', (_, { idempotencyKey }) => count(idempotencyKey))
    },
    { payloadSchema, cancelOn: { event: 'stop', match: { n: 'n' } } },
  ),
  workflow(
    'own',
    async ({ step, payload }) => {
      await step.waitForEvent('wait', () => ({ event: 'ack', match: { n: payload.n }, timeout: hour }))
      await step.custom('after', (_, { idempotencyKey }) => count(idempotencyKey))
    },
    { payloadSchema },
  ),
  workflow(
    'shared',
    async ({ step }) => {
      await step.waitForEvent('first', () => ({ event: 'all', timeout: hour }))
      await step.waitForEvent('second', () => ({ event: 'all', timeout: hour }))
      await step.custom('after', (_, { idempotencyKey }) => count(idempotencyKey))
    },
    { payloadSchema },
  ),
  workflow(
    'missed',
    async ({ step, payload }) => {
      const timeout = { amount: 1, unit: 'seconds' } as const
      await step.waitForEvent('wait', () => ({ event: 'ack', match: { n: `no ${payload.n}` }, timeout }))
      const backoff = { amount: 0.05, unit: 'seconds' } as const
      await step.custom('flaky', (_, { idempotencyKey }) => failTwice(idempotencyKey), { retries: 2, backoff })
      await step.custom('broken', () => Promise.reject(new Error('down')), { retries: 1, backoff, onFailure: 'return' })
    },
    { payloadSchema },
  ),
]

interface Scene {
  readonly store: Store
  readonly environmentId: string
  start(): Promise<ServiceProcess>
}

async function setUp(driver: StoreDriver, context: TestContext): Promise<Scene> {
  const database = await createDatabase(driver, context)
  const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-events-'))
  const server = createServer(toNodeHandler(createBridge({ workflows, strictAuthentication: false })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => {
    server.close()
    server.closeAllConnections()
    rmSync(dataFolder, { recursive: true, force: true })
  })
  // On a busy machine, a call that timed out would be repeated.
  const bridge = { allow: ['127.0.0.0/8'], timeoutMs: 60_000 }
  const options = { ...database.address, dataFolder, quietMs: 50, bridge }
  const start = async (): Promise<ServiceProcess> => {
    const serviceProcess = await startServiceProcess(options)
    context.onTestFinished(() => serviceProcess.kill())
    return serviceProcess
  }
  const first = await start()
  const store = database.open()
  const port = (server.address() as AddressInfo).port
  const environmentId = await syncDevelopment(store, `http://127.0.0.1:${port}/bridge`)
  await first.kill()
  return { store, environmentId, start }
}

/** Triggers runs and emits their events, some at once and some later. */
function createLoad({ environmentId }: Scene, service: () => ServiceProcess | undefined) {
  let number = 0
  let most = 0
  const started: string[] = []
  // If a crash loses the response, it is unclear whether the request was stored, so requests are repeated.
  const emit = async (name: string, n: number): Promise<void> => {
    while (!(await service()?.emit({ environmentId, name, payload: { n } }))) await pause(20)
  }
  /** The repeated trigger creates no second run, because it has the same transaction id. */
  const trigger = async (name: string, n: number): Promise<void> => {
    const request = { name, to: `s${n % 7}`, payload: { n }, transactionId: `t${n}` }
    const send = async () => (await service()?.accept({ environmentId, kind: 'single', requests: [request] }))?.[0]
    while ((await send())?.status !== 'processed') await pause(20)
    started.push(`t${n}`)
  }
  const late: Promise<void>[] = []
  const run = async (): Promise<void> => {
    while (number < most) {
      const n = number++
      const name = ['own', 'stopped', 'shared', 'missed', 'parent'][n % 5] ?? 'own'
      await trigger(name, n)
      const event = name === 'own' ? 'ack' : 'stop'
      if (name === 'own' || name === 'stopped')
        late.push(pause(n % 3 === 0 ? 0 : Math.random() * 1500).then(() => emit(event, n)))
      if (n % 20 === 10) late.push(emit('all', n))
      await pause(40)
    }
  }
  return {
    started,
    emit,
    /** Triggers the runs of the next crash. */
    go: async () => {
      most += runsPerCrash
      await run()
    },
    /** Waits for the events that were to come later. */
    end: () => Promise.all(late),
  }
}

const countOf = async (store: Store, table: 'runs' | 'emittedEvents', status: 'running' | 'open'): Promise<number> =>
  (await store.db.selectFrom(table).select('id').where('status', '=', status).execute()).length

describe.each(drivers)('a service on %s that crashes while events are emitted', (driver) => {
  test('loses and repeats no event, retry or triggered run, and cancels each matching run', {
    timeout: 900_000 + crashes * 20_000,
  }, async (context) => {
    seen.clear()
    attempts.clear()
    const scene = await setUp(driver, context)
    const { store } = scene
    let living: ServiceProcess | undefined = await scene.start()
    const load = createLoad(scene, () => living)
    for (let crash = 0; crash < crashes; crash++) {
      const going = load.go()
      await pause(300 + Math.random() * 700)
      const killed = living
      living = undefined
      await killed?.kill()
      living = await scene.start()
      await going
    }
    await load.end()
    const waiting = () =>
      store.db.selectFrom('jobs').select('id').where('type', '=', 'wait_for_event').where('status', '!=', 'completed')
    // The last runs of `shared` still need two events, each after their trigger.
    const created = async () =>
      (await store.db.selectFrom('runs').select('id').where('parentRunId', 'is', null).execute()).length
    const timeout = 300_000
    await expect.poll(created, { timeout }).toBeGreaterThanOrEqual(load.started.length)
    await load.emit('all', 1e6)
    await load.emit('all', 1e6 + 1)
    await expect.poll(() => countOf(store, 'runs', 'running'), { timeout }).toBe(0)
    await expect.poll(() => countOf(store, 'emittedEvents', 'open'), { timeout }).toBe(0)
    expect(await waiting().execute()).toEqual([])
    const runs = await store.db.selectFrom('runs').selectAll().execute()
    const jobs = await store.db.selectFrom('jobs').selectAll().orderBy('id').execute()
    expect(load.started.filter((id) => !runs.some(({ transactionId }) => transactionId === id))).toEqual([])
    const endOf = (workflow: string) => (workflow === 'stopped' ? 'canceled' : 'completed')
    expect(runs.filter(({ status, workflowIdentifier }) => status !== endOf(workflowIdentifier))).toEqual([])
    for (const run of runs) {
      const own = jobs.filter(({ runId }) => runId === run.id)
      const results = own
        .filter(({ type }) => type === 'wait_for_event')
        .map(({ result }) => JSON.parse(result ?? 'null') as { received: boolean; payload: { n: number } | null })
      const { n } = JSON.parse(run.payload) as { n: number }
      const events = own.flatMap(({ eventId }) => eventId ?? [])
      expect(new Set(events).size).toBe(events.length)
      if (run.workflowIdentifier === 'own') expect(results).toEqual([{ received: true, payload: { n } }])
      if (run.workflowIdentifier === 'missed') expect(results).toEqual([{ received: false, payload: null }])
      if (run.workflowIdentifier === 'shared') {
        expect(results.map(({ received }) => received)).toEqual([true, true])
        expect(events).toEqual(events.toSorted())
      }
      if (run.workflowIdentifier === 'parent') {
        const children = runs.filter(({ parentRunId }) => parentRunId === run.id)
        expect(children.map(({ externalSubscriberId }) => externalSubscriberId).sort()).toEqual(['free', 'one', 'two'])
        const awaited = JSON.parse(own.find(({ stepId }) => stepId === 'awaited')?.result ?? 'null')
        const ended = children.filter(({ isAwaited }) => isAwaited === 1)
        expect(ended.map(({ externalSubscriberId }) => externalSubscriberId).sort()).toEqual(['one', 'two'])
        expect(awaited).toMatchObject({ status: 'completed', transactionId: `${run.id}:awaited` })
        expect(awaited.runs.map(({ runId }: { runId: string }) => runId).sort()).toEqual(
          ended.map(({ id }) => id).sort(),
        )
      }
      if (run.workflowIdentifier === 'missed') {
        const ends = own.map(({ stepId, status, stage }) => `${stepId} ${status} ${stage}`)
        expect(ends).toEqual(['wait completed null', 'flaky completed null', 'broken failed handled'])
        // A call whose response was lost in a crash is repeated, and does not count.
        const [, flaky, broken] = own.map((job) => job.attempts)
        expect(flaky).toBeLessThanOrEqual(2)
        expect(broken).toBe(1)
      }
      const after = own.filter(({ stepId }) => stepId === 'after')
      expect(after.length).toBe(['missed', 'stopped'].includes(run.workflowIdentifier) ? 0 : 1)
    }
    expect(seen.size).toBe(jobs.filter(({ stepId }) => stepId === 'after').length)
  })
})
