import { describe, expect, type TestContext, test } from 'vitest'
import type { Store } from '../store/store.ts'
import { bothDrivers, createStore } from '../store/stores.fixture.ts'
import { createProcessRegistry } from './process-registry.ts'

/** Creates a registry with a manual clock, and the entry of a process on another machine. */
async function setUp(driver: (typeof bothDrivers)[number], context: TestContext, host = 'another machine') {
  const store = await createStore(driver, context)
  const clock = { nowMs: 0 }
  const outage = { isOn: false }
  const { databaseUrl: _, ...shared } = store
  const unsteady: Store = {
    ...shared,
    get db() {
      if (outage.isOn) throw new Error('away')
      return store.db
    },
  }
  const registry = createProcessRegistry(unsteady, () => clock.nowMs)
  await registry.heartbeat()
  const [own] = await store.db.selectFrom('processes').selectAll().execute()
  const other = {
    id: 'other',
    host: host === 'this' ? (own?.host ?? '') : host,
    pid: process.pid,
    heartbeatAt: 1,
    info: '{}',
  }
  await store.db.insertInto('processes').values(other).execute()
  const heartbeat = async () =>
    void (await store.db
      .updateTable('processes')
      .set((row) => ({ heartbeatAt: row('heartbeatAt', '+', 1) }))
      .where('id', '=', 'other')
      .execute())
  /** Checks once a second. Returns the number of seconds after which the other process was found dead. */
  const watch = async (seconds: number): Promise<number | undefined> => {
    for (let second = 1; second <= seconds; second++) {
      clock.nowMs += 1000
      if ((await registry.findDead().catch(() => [])).length > 0) return second
    }
    return undefined
  }
  return { store, clock, outage, registry, heartbeat, watch }
}

describe.each(bothDrivers)('a process on %s', (driver) => {
  test('counts as dead after five seconds without a heartbeat', async (context) => {
    const { heartbeat, watch } = await setUp(driver, context)
    expect(await watch(4)).toBe(undefined)
    await heartbeat()
    expect(await watch(20)).toBe(7)
  })

  test('is not declared dead for a period in which no process could check', async (context) => {
    const { clock, outage, watch } = await setUp(driver, context)
    await watch(3)
    outage.isOn = true
    await watch(30)
    outage.isOn = false
    // A late check counts as one check. After an outage, others may need longer to reconnect.
    clock.nowMs += 600
    expect(await watch(18)).toBe(undefined)
    expect(await watch(10)).toBeLessThan(6)
  })

  test('is not declared dead because checks were late', async (context) => {
    const { clock, watch } = await setUp(driver, context)
    await watch(1)
    clock.nowMs += 60_000
    expect(await watch(2)).toBe(undefined)
  })

  test('gets more time if its machine reports that it is alive', async (context) => {
    const { watch } = await setUp(driver, context, 'this')
    expect(await watch(25)).toBe(undefined)
    expect(await watch(10)).toBeLessThan(9)
  })

  test('is not removed if it has sent a heartbeat since', async (context) => {
    const { store, registry, heartbeat, watch } = await setUp(driver, context)
    await watch(7)
    const silent = await registry.findDead()
    expect(silent).toMatchObject([{ id: 'other', cause: 'silent' }])
    await heartbeat()
    expect(await store.transaction((tx) => registry.removeDead(tx, silent))).toEqual([])
    expect(await watch(3)).toBe(undefined)
  })

  test('learns that others declared it dead', async (context) => {
    const { store, registry } = await setUp(driver, context)
    expect(await registry.heartbeat()).toBe(false)
    await store.db.deleteFrom('processes').where('id', '=', registry.processId).execute()
    expect(await registry.heartbeat()).toBe(true)
    expect(await registry.heartbeat()).toBe(false)
  })
})
