import { describe, expect, type TestContext, test } from 'vitest'
import { createId } from '../../store/create-id.ts'
import type { JobRow, RunRow } from '../../store/schema/run.ts'
import type { StoreDriver } from '../../store/store.ts'
import { bothDrivers } from '../../store/stores.fixture.ts'
import type { TestStep } from '../engine-rows.fixture.ts'
import { type PlayedEngine, playEngine } from '../played-engine.fixture.ts'

const hourMs = 3_600_000
const collect: TestStep = { stepId: 'collect', type: 'digest' }
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Waiting extends PlayedEngine {
  /** Stores copies of the run and its step, with other columns. */
  copy(count: number, columns: { readonly run?: Partial<RunRow>; readonly job?: Partial<JobRow> }): Promise<void>
  readonly job: JobRow
}

/** Creates an engine with one run, whose digest waits for an hour. */
async function playDigest(driver: StoreDriver, context: TestContext): Promise<Waiting> {
  const testEngine = await playEngine(driver, context, { steps: [collect] })
  await testEngine.play('a')
  const { db } = testEngine.store
  const run = await db.selectFrom('runs').selectAll().executeTakeFirstOrThrow()
  const job = await db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow()
  return {
    ...testEngine,
    job,
    async copy(count, columns) {
      const ids = Array.from({ length: count }, () => createId(testEngine.clock.now() + 1))
      for (let at = 0; at < count; at += 100) {
        const some = ids.slice(at, at + 100)
        const runs = some.map((id) => ({ ...run, id, transactionId: id, externalSubscriberId: id, ...columns.run }))
        const jobs = some.map((id) => ({ ...job, id: createId(0), runId: id, ...columns.job }))
        await db.insertInto('runs').values(runs).execute()
        await db.insertInto('jobs').values(jobs).execute()
      }
    },
  }
}

async function readResult({ store, job }: Waiting) {
  const { result } = await store.db
    .selectFrom('jobs')
    .select('result')
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow()
  const raws = await store.db
    .selectFrom('executionDetails')
    .select('raw')
    .where('detail', '=', 'Digest triggered events')
    .execute()
  const { events, eventCount } = JSON.parse(result ?? '{}')
  return { events, eventCount, raws: raws.map(({ raw }) => JSON.parse(raw ?? '{}')) }
}

describe.each(bothDrivers)('the result of a digest, on %s', (driver) => {
  test('contains at most the newest 1,000 events, and counts all', async (context) => {
    const testEngine = await playDigest(driver, context)
    const merged = { status: 'merged', mergedIntoId: testEngine.job.id } as const
    await testEngine.copy(10, { job: merged, run: { payload: '{"name":"old"}' } })
    testEngine.clock.advance(1000)
    await testEngine.copy(1000, { job: merged, run: { payload: '{"name":"new"}' } })
    // An event that left the digest.
    await testEngine.copy(1, { job: { ...merged, status: 'canceled' } })
    await testEngine.advanceTo(testEngine.clock.now() + 2 * hourMs)
    const { events, eventCount, raws } = await readResult(testEngine)
    expect([events.length, eventCount]).toEqual([1000, 1011])
    expect(new Set(events.map(({ payload }: { readonly payload: { readonly name: string } }) => payload.name))).toEqual(
      new Set(['new']),
    )
    expect(events.map(({ id }: { readonly id: string }) => id)).toEqual(
      events.map(({ id }: { readonly id: string }) => id).toSorted(),
    )
    expect(raws).toEqual([{ eventCount: 1011, newestIncluded: 1000 }])
  })

  test('contains payloads of at most 4 MiB', async (context) => {
    const testEngine = await playDigest(driver, context)
    // Each character has two bytes.
    const payload = JSON.stringify({ name: 'ü'.repeat(512 * 1024 - 100) })
    await testEngine.copy(6, { job: { status: 'merged', mergedIntoId: testEngine.job.id }, run: { payload } })
    await testEngine.advanceTo(testEngine.clock.now() + 2 * hourMs)
    const { events, eventCount } = await readResult(testEngine)
    expect([events.length, eventCount]).toEqual([4, 7])
  })
})

describe.each(bothDrivers)('waits that cannot be ended, on %s', (driver) => {
  test('do not delay other waits, and are tried again', async (context) => {
    const testEngine = await playDigest(driver, context)
    const { clock, faults, engine, job } = testEngine
    const earlier = { dueAt: (job.dueAt ?? 0) - 1, bucket: 'other', outputs: '{' }
    await testEngine.copy(101, { job: earlier })
    clock.advance(2 * hourMs)
    expect(await engine.sweep()).toBe(1)
    expect([await testEngine.statesOf('a'), faults.length]).toEqual(['completed: completed', 101])
    expect(faults[0]).toMatchObject({ jobId: expect.any(String), err: expect.any(SyntaxError) })
    engine.start()
    context.onTestFinished(() => engine.stop(1000))
    while (faults.length < 202) await pause(2)
    await pause(50)
    expect(faults.length).toBe(202)
    const { db } = testEngine.store
    await db.updateTable('jobs').set({ outputs: '{}' }).where('outputs', '=', '{').execute()
    clock.advance(1000)
    while (await db.selectFrom('jobs').select('id').where('status', '=', 'delayed').executeTakeFirst()) await pause(2)
    expect(faults.length).toBe(202)
  })
})
