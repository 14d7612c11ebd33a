import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { bothDrivers } from '../../packages/service/src/store/stores.fixture.ts'
import { draws, isNightly } from '../scope.ts'
import { expectNothingLost, expectNothingRepeated, loadWith, type Scene, settle, setUp } from './crash-scene.ts'
import type { ServiceProcess } from './service-process.ts'

// A crash is a SIGKILL while triggers come in and steps run. The number of crashes in each test.
const crashes = draws(2, 50)
// How long a due wait may last. Another process resumes the work of a crashed one after five seconds, but tests in other
// files may use most of the machine.
const slackMs = 40_000
const joins = Math.max(2, Math.floor(crashes / 3))

/** A period without a running service. */
interface Outage {
  readonly fromMs: number
  readonly untilMs: number
}

/** Waits end at their time; time without a running service does not count. */
async function expectInTime({ store }: Scene, outages: readonly Outage[]): Promise<void> {
  const waits = await store.db
    .selectFrom('jobs')
    .select(['id', 'dueAt', 'endedAt'])
    .where('type', 'in', ['delay', 'digest'])
    .where('status', '=', 'completed')
    .execute()
  expect(waits.length).toBeGreaterThan(0)
  const late = waits.filter(({ dueAt, endedAt }) => {
    const [due, ended] = [dueAt ?? 0, endedAt ?? 0]
    const outMs = outages.map(({ fromMs, untilMs }) => Math.min(untilMs, ended) - Math.max(fromMs, due))
    const runningMs = outMs.reduce((left, ms) => left - Math.max(0, ms), ended - due)
    return runningMs < 0 || runningMs > slackMs
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
      await expectNothingLost(scene)
      expectNothingRepeated(scene, new Map([...answered].map(([id, number]) => [id, number - 0.5])))
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
    await expectNothingLost(scene)
    expectNothingRepeated(scene, new Map())
    await expectInTime(scene, [])
    const shares = new Map<string, number>()
    for (const { from } of scene.bridge.calls) shares.set(from, (shares.get(from) ?? 0) + 1)
    // Some processes lived for only a second; none did all the work.
    expect(Math.max(...shares.values())).toBeLessThan(scene.bridge.calls.length * 0.9)
  },
)
