import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, type TestContext, test } from 'vitest'
import { syncBridge } from '../../packages/service/src/bridge/sync-bridge.ts'
import { systemClock } from '../../packages/service/src/clock/clock.ts'
import type { JobRow } from '../../packages/service/src/store/schema/run.ts'
import type { Store, StoreDriver } from '../../packages/service/src/store/store.ts'
import { bothDrivers, createDatabase } from '../../packages/service/src/store/stores.fixture.ts'
import { draws, isNightly } from '../scope.ts'
import { startLedBridge } from './led-bridge.ts'
import { type RecordingBridge, startRecordingBridge } from './recording-bridge.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'

// A crash is a SIGKILL while triggers come in and steps run. The number of crashes in each test.
const crashes = draws(2, 50)
// Tests in other files may use most of the machine.
const slackMs = 8000
const maxRunning = 250
const joins = Math.max(2, Math.floor(crashes / 3))

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
  beside: [
    { stepId: 'left', type: 'sms', outputs: { body: 'b' }, parallelGroup: 0 },
    { stepId: 'right', type: 'custom', outputs: { n: 2 }, parallelGroup: 0 },
    { stepId: 'chat', type: 'chat', outputs: { body: 'b' }, parallelGroup: 1 },
  ],
} as const

const isMessage = ({ type }: Pick<JobRow, 'type'>): boolean => ['email', 'sms', 'push', 'chat', 'in_app'].includes(type)

/** A period without a running service. */
interface Outage {
  readonly fromMs: number
  readonly untilMs: number
}

/** Whether the bridge publishes a list of steps that the service follows, or returns the next steps of a run. */
type Form = 'listed' | 'led'

interface Scene {
  readonly form: Form
  readonly store: Store
  readonly bridge: RecordingBridge
  readonly environmentId: string
  readonly accepted: Map<string, number>
  start(): Promise<ServiceProcess>
}

async function setUp(driver: StoreDriver, form: Form, context: TestContext): Promise<Scene> {
  const database = await createDatabase(driver, context)
  const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-crash-'))
  const bridge = await (form === 'led' ? startLedBridge(workflows) : startRecordingBridge(workflows))
  context.onTestFinished(async () => {
    await bridge.close()
    rmSync(dataFolder, { recursive: true, force: true })
  })
  let count = 0
  const start = async (): Promise<ServiceProcess> => {
    const signatureHeader = `service-signature-${count++}`
    const serviceProcess = await startServiceProcess({
      ...database.address,
      dataFolder,
      quietMs: 50,
      bridge: { signatureHeader, allow: ['127.0.0.0/8'] },
    })
    context.onTestFinished(() => serviceProcess.kill())
    return serviceProcess
  }
  const first = await start()
  const store = database.open()
  const { id } = await store.db
    .selectFrom('environments')
    .select('id')
    .where('name', '=', 'Development')
    .executeTakeFirstOrThrow()
  const target = {
    environmentId: id,
    name: 'Development',
    type: 'dev',
    secretKey: 'k',
    bridgeUrl: null,
    variables: {},
    secretKeys: [],
    secrets: [],
  } as const
  await syncBridge({ store, clock: systemClock, settings: { policy: 'off' } }, target, bridge.url)
  await first.kill()
  return { form, store, bridge, environmentId: id, accepted: new Map(), start }
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

/** Triggers runs as fast as they end, sometimes sends a transaction twice, and stops when asked to. */
function loadWith(scene: Scene, processes: () => readonly ServiceProcess[]) {
  const { store, environmentId, accepted } = scene
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
      if (results?.every((result) => result?.status === 'processed')) accepted.set(transactionId, Date.now())
      await pause(store.driver === 'postgres' ? 30 : 10)
    }
  }
  const running = Promise.all(isNightly ? [run(), run(), run()] : [run()])
  return async (): Promise<void> => {
    stopped = true
    await running
  }
}

/** Waits until all runs have ended, as long as their number decreases. */
async function settle({ store }: Scene): Promise<void> {
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

/** Checks what must hold after any crash. */
async function expectNothingLost(
  { store, accepted, bridge }: Scene,
  answered: ReadonlyMap<string, number>,
): Promise<void> {
  const runs = await store.db.selectFrom('runs').selectAll().execute()
  const jobs = await store.db.selectFrom('jobs').selectAll().execute()
  const messages = await store.db.selectFrom('messages').select('jobId').execute()
  const counts = new Map<string, number>()
  for (const { transactionId } of runs) counts.set(transactionId, (counts.get(transactionId) ?? 0) + 1)
  expect([...accepted.keys()].filter((id) => counts.get(id) !== 1)).toEqual([])
  expect([...counts].filter(([, count]) => count !== 1)).toEqual([])
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
  // A step whose response was stored before a crash is not called again, and no step is called twice without a crash.
  const late = bridge.calls.filter(
    ({ jobId, from }) => (answered.get(jobId) ?? Number.POSITIVE_INFINITY) < Number(from),
  )
  expect(late).toEqual([])
  const asked = new Set(bridge.calls.map(({ jobId, from }) => `${jobId} ${from}`))
  expect(asked.size).toBe(bridge.calls.length)
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

/** Waits end at their time, or when a service runs again. */
async function expectInTime({ store }: Scene, outages: readonly Outage[]): Promise<void> {
  const waits = await store.db
    .selectFrom('jobs')
    .select(['id', 'dueAt', 'endedAt'])
    .where('type', 'in', ['delay', 'digest'])
    .where('status', '=', 'completed')
    .execute()
  expect(waits.length).toBeGreaterThan(0)
  const late = waits.filter(({ dueAt, endedAt }) => {
    const out = outages.find(({ fromMs, untilMs }) => fromMs - slackMs <= (dueAt ?? 0) && (dueAt ?? 0) <= untilMs)
    return (endedAt ?? 0) < (dueAt ?? 0) || (endedAt ?? 0) > Math.max(dueAt ?? 0, out?.untilMs ?? 0) + slackMs
  })
  expect(late).toEqual([])
}

/** Returns the steps whose response is stored. */
async function findAnswered({ form, store }: Scene): Promise<readonly string[]> {
  const rows = await store.db
    .selectFrom('jobs')
    .select(['id', 'runId', 'stepId'])
    .where('status', 'not in', ['pending', 'queued', 'running'])
    .execute()
  return rows.map(({ id, runId, stepId }) => (form === 'led' ? `${runId} ${stepId}` : id))
}

const forms = ['listed', 'led'] as const
const all = bothDrivers.flatMap((driver) => forms.map((form) => [driver, form] as const))
const scenes = all.filter(([, form]) => isNightly || form === 'led')

describe.each(scenes)('a service on %s with a %s bridge that crashes repeatedly', (driver, form) => {
  test(
    'loses nothing and repeats nothing',
    async (context) => {
      const scene = await setUp(driver, form, context)
      const outages: Outage[] = []
      const answered = new Map<string, number>()
      let living: readonly ServiceProcess[] = [await scene.start()]
      const stopLoad = loadWith(scene, () => living)
      for (let crash = 1; crash <= crashes; crash++) {
        await pause(50 + Math.random() * 900)
        const [one] = living
        living = []
        await one?.kill()
        const fromMs = Date.now()
        // Processes are counted from 0, and the one that set up the database was the first.
        for (const id of await findAnswered(scene)) if (!answered.has(id)) answered.set(id, crash + 1)
        living = [await scene.start()]
        outages.push({ fromMs, untilMs: Date.now() })
      }
      await pause(300)
      await stopLoad()
      await settle(scene)
      await expectNothingLost(scene, new Map([...answered].map(([id, number]) => [id, number - 0.5])))
      await expectInTime(scene, outages)
    },
    60_000 + crashes * 10_000,
  )
})

test.for(isNightly ? forms : (['led'] as const))(
  'two services on one PostgreSQL share the work of a %s bridge while one of them crashes and another joins',
  { timeout: 120_000 + crashes * 10_000 },
  async (form, context) => {
    const scene = await setUp('postgres', form, context)
    let living = [await scene.start(), await scene.start()]
    const stopLoad = loadWith(scene, () => living)
    const workers = () => new Set(scene.bridge.calls.map(({ from }) => from)).size
    for (let crash = 0; crash < joins; crash++) {
      await pause(1000)
      // A process that has joined but not worked yet would prove nothing.
      await expect.poll(workers, { timeout: 20_000 }).toBe(living.length + crash)
      const [first, ...rest] = living
      living = rest
      await first?.kill()
      await pause(500)
      living = [...rest, await scene.start()]
    }
    await expect.poll(workers, { timeout: 20_000 }).toBe(living.length + joins)
    await stopLoad()
    await settle(scene)
    await expectNothingLost(scene, new Map())
    await expectInTime(scene, [])
    const shares = new Map<string, number>()
    for (const { from } of scene.bridge.calls) shares.set(from, (shares.get(from) ?? 0) + 1)
    // Some processes lived for only a second; none did all the work.
    expect(Math.max(...shares.values())).toBeLessThan(scene.bridge.calls.length * 0.9)
  },
)
