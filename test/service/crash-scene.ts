import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, type TestContext } from 'vitest'
import type { JobRow } from '../../packages/service/src/store/schema/run.ts'
import type { Store, StoreDriver } from '../../packages/service/src/store/store.ts'
import { createDatabase, type DatabaseAddress } from '../../packages/service/src/store/stores.fixture.ts'
import { isNightly } from '../scope.ts'
import { startLedBridge } from './led-bridge.ts'
import { type RecordingBridge, startRecordingBridge } from './recording-bridge.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import { syncDevelopment } from './sync-development.ts'

// Services that are killed while triggers come in and steps run, and what must hold afterwards.

const maxRunning = 250
const bridgeTimeoutMs = 60_000

const workflows = {
  plain: [
    { stepId: 'prepare', type: 'custom', outputs: { n: 1 } },
    { stepId: 'mail', type: 'email', outputs: { subject: 's', body: 'b' } },
    { stepId: 'inbox', type: 'in_app', outputs: { body: 'b' } },
  ],
  waits: [
    { stepId: 'wait', type: 'delay', outputs: { amount: 1, unit: 'seconds' } },
    { stepId: 'text', type: 'sms', outputs: { body: 'b' } },
  ],
  collects: [
    { stepId: 'collect', type: 'digest', outputs: { amount: 2, unit: 'seconds' } },
    { stepId: 'push', type: 'push', outputs: { subject: 's', body: 'b' } },
  ],
  parallel: [
    { stepId: 'left', type: 'sms', outputs: { body: 'b' }, parallelGroup: 0 },
    { stepId: 'right', type: 'custom', outputs: { n: 2 }, parallelGroup: 0 },
    { stepId: 'chat', type: 'chat', outputs: { body: 'b' }, parallelGroup: 1 },
  ],
} as const

const isMessage = ({ type }: Pick<JobRow, 'type'>): boolean => ['email', 'sms', 'push', 'chat', 'in_app'].includes(type)

/** Whether the bridge publishes a list of steps that the service follows, or returns the next steps of a run. */
export type Form = 'listed' | 'led'

/** Services on one database, their bridge, and the accepted triggers by transaction. */
export interface Scene {
  readonly form: Form
  readonly store: Store
  readonly bridge: RecordingBridge
  readonly environmentId: string
  readonly address: DatabaseAddress
  readonly accepted: Set<string>
  /** The number of runs of a trigger, by transaction. @default 1 */
  readonly runCounts: Map<string, number>
  /** Starts a service. The name of its signature header is unique, so that the bridge can tell who calls. */
  start(options?: object): Promise<ServiceProcess>
}

/**
 * Creates a database with workflows, and a bridge.
 *
 * @param common - Options of all services.
 */
export async function setUp(
  driver: StoreDriver,
  form: Form,
  context: TestContext,
  common: object = {},
): Promise<Scene> {
  const database = await createDatabase(driver, context)
  const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-crash-'))
  const bridge = await (form === 'led' ? startLedBridge(workflows, bridgeTimeoutMs) : startRecordingBridge(workflows))
  context.onTestFinished(async () => {
    await bridge.close()
    rmSync(dataFolder, { recursive: true, force: true })
  })
  let count = 0
  const start = async (options: object = {}): Promise<ServiceProcess> => {
    const signatureHeader = `service-signature-${count++}`
    const serviceProcess = await startServiceProcess({
      ...database.address,
      dataFolder,
      quietMs: 50,
      // On a busy machine, a call that timed out would be repeated.
      bridge: { signatureHeader, allow: ['127.0.0.0/8'], timeoutMs: bridgeTimeoutMs },
      ...common,
      ...options,
    })
    context.onTestFinished(() => serviceProcess.kill())
    return serviceProcess
  }
  const first = await start()
  const store = database.open()
  const environmentId = await syncDevelopment(store, bridge.url)
  await first.kill()
  return {
    form,
    store,
    bridge,
    environmentId,
    address: database.address,
    accepted: new Set(),
    runCounts: new Map(),
    start,
  }
}

/** Returns whether more runs are in progress than a busy machine can finish in time. */
async function isBusy({ store }: Scene): Promise<boolean> {
  const running = await store.db
    .selectFrom('runs')
    .select('id')
    .where('status', '=', 'running')
    .limit(maxRunning)
    .execute()
  return running.length === maxRunning
}

/**
 * Triggers runs as fast as they end, sometimes sends a transaction twice, and stops when asked to.
 *
 * @param pauseMs - The pause after each trigger, in milliseconds.
 */
export function loadWith(
  scene: Scene,
  processes: () => readonly ServiceProcess[],
  pauseMs: () => number = () => (scene.store.driver === 'postgres' ? 30 : 10),
) {
  const { environmentId, accepted } = scene
  let stopped = false
  let number = 0
  const names = Object.keys(workflows)
  const run = async (): Promise<void> => {
    while (!stopped) {
      const living = processes()
      const one = living[number % living.length]
      if (!one || (await isBusy(scene))) {
        await pause(20)
        continue
      }
      const transactionId = `t${number}`
      const subscriberId = `s${number % 5}`
      const to = { subscriberId, email: `${subscriberId}@example.com`, phone: '+15555550100' }
      const request = { name: names[number % names.length], to, payload: { number }, transactionId }
      const requests = number % 7 === 0 ? [request, request] : [request]
      number++
      const results = await one.accept({ environmentId, kind: 'single', requests })
      if (results?.every((result) => result?.status === 'processed')) accepted.add(transactionId)
      await pause(pauseMs())
    }
  }
  const running = Promise.all(isNightly ? [run(), run(), run()] : [run()])
  return async (): Promise<void> => {
    stopped = true
    await running
  }
}

/** Waits until all runs have ended, as long as their number decreases. */
export async function settle({ store }: Scene): Promise<void> {
  const quietMs = 60_000
  let fewest = Number.POSITIVE_INFINITY
  let sinceMs = Date.now()
  for (;;) {
    const triggers = await store.db
      .selectFrom('triggers')
      .select('id')
      .where('status', 'in', ['accepted', 'processing'])
      .execute()
    const runs = await store.db.selectFrom('runs').select(['id', 'status']).where('status', '=', 'running').execute()
    const left = triggers.length + runs.length
    if (left === 0) return
    if (left < fewest) [fewest, sinceMs] = [left, Date.now()]
    if (Date.now() - sinceMs > quietMs) throw new Error(`${left} runs did not end: ${await describeOpen(store)}`)
    await pause(50)
  }
}

/** Returns what is stored of the steps that have not ended. */
async function describeOpen({ db }: Store): Promise<string> {
  const jobs = await db.selectFrom('jobs').selectAll().where('endedAt', 'is', null).limit(5).execute()
  const queue = await db.selectFrom('queueItems').selectAll().limit(20).execute()
  return JSON.stringify({ nowMs: Date.now(), jobs, queue })
}

/** Checks what must hold after any crash: each accepted trigger has one run, which is complete, and each message exists once. */
export async function expectNothingLost({ store, accepted, runCounts, bridge }: Scene): Promise<void> {
  const runs = await store.db.selectFrom('runs').selectAll().execute()
  const jobs = await store.db.selectFrom('jobs').selectAll().execute()
  const messages = await store.db.selectFrom('messages').select('jobId').execute()
  const counts = new Map<string, number>()
  for (const { transactionId } of runs) counts.set(transactionId, (counts.get(transactionId) ?? 0) + 1)
  expect([...accepted].filter((id) => !counts.has(id))).toEqual([])
  expect([...counts].filter(([id, count]) => count !== (runCounts.get(id) ?? 1))).toEqual([])
  expect(runs.filter(({ status }) => status !== 'completed' && status !== 'merged')).toEqual([])
  const stored = new Map<string, number>()
  for (const { jobId } of messages) stored.set(jobId, (stored.get(jobId) ?? 0) + 1)
  const sent = jobs.filter((job) => isMessage(job) && job.status === 'completed')
  expect(sent.filter(({ id }) => stored.get(id) !== 1)).toEqual([])
  expect(messages).toHaveLength(sent.length)
  const digests = jobs.filter(({ type, status }) => type === 'digest' && status === 'completed')
  const events = digests.flatMap(({ result }) => (JSON.parse(result ?? '{}') as { events: { id: string }[] }).events)
  const collected = runs.filter(({ workflowIdentifier }) => workflowIdentifier === 'collects')
  expect(events.map(({ id }) => id).toSorted()).toEqual(collected.map(({ id }) => id).toSorted())
  // A handler that runs again for a step receives the same key.
  const keys = new Set(bridge.calls.map((call) => `${call.jobId} ${call.idempotencyKey}`))
  expect(keys.size).toBe(new Set(bridge.calls.map(({ jobId }) => jobId)).size)
  expect(accepted.size).toBeGreaterThan(0)
  const planned = new Map(Object.entries(workflows).map(([id, steps]) => [id, steps.map(({ stepId }) => stepId)]))
  const incomplete = runs.filter(({ id, status, workflowIdentifier }) => {
    const own = jobs.filter(({ runId }) => runId === id).map(({ stepId }) => stepId)
    return status === 'completed' && own.toSorted().join() !== planned.get(workflowIdentifier)?.toSorted().join()
  })
  expect(incomplete).toEqual([])
}

/**
 * Checks that no process calls a step twice, and that no step is called again once its result is stored.
 *
 * @param answered - When the result of each step was stored, by the number of the process.
 */
export function expectNothingRepeated({ bridge }: Scene, answered: ReadonlyMap<string, number>): void {
  // A step whose response was stored before a crash is not called again, and no step is called twice without a crash.
  const late = bridge.calls.filter(
    ({ jobId, from }) => (answered.get(jobId) ?? Number.POSITIVE_INFINITY) < Number(from),
  )
  expect(late).toEqual([])
  const asked = new Set(bridge.calls.map(({ jobId, from }) => `${jobId} ${from}`))
  expect(asked.size).toBe(bridge.calls.length)
}
