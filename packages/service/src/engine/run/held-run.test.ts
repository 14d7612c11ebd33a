import { describe, expect, test } from 'vitest'
import type { Session, Store } from '../../store/store.ts'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { createLedEngine } from '../next/led-runs.fixture.ts'
import type { Program } from '../program-bridge.fixture.ts'
import { holdRuns } from './held-run.ts'

const waits: Program = async ({ step }) => {
  await step('wait', 'delay', () => ({ amount: 1, unit: 'hours' }))
  await step('after', 'email', () => ({ body: 'b' }))
}

/** A session that does something after its first query. */
function afterFirstQuery({ db }: Store, work: () => Promise<unknown>): Session {
  let isFirst = true
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (name !== 'executeQuery') return value.bind(target)
      return async (...given: unknown[]) => {
        const result: unknown = await Reflect.apply(value, target, given)
        if (isFirst) {
          isFirst = false
          await work()
        }
        return result
      }
    },
  })
}

describe.each(bothDrivers)('claiming a run (%s)', (driver) => {
  test('does not call the bridge of a run that is canceled meanwhile, because its waits have not ended', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { store, clock } = testEngine
    const { id, transactionId } = await testEngine.play(waits)
    await store.db.updateTable('runs').set({ next: 'due' }).where('id', '=', id).execute()
    const session = afterFirstQuery(store, () => testEngine.cancel(transactionId))
    expect(await holdRuns(session, [id], clock.now())).toEqual([undefined])
    await testEngine.engine.handle({
      ...{ kind: 'next', id, lane: 'e/l', attempts: 1 },
      complete: async () => undefined,
    })
    expect(await testEngine.runOf(transactionId)).toMatchObject({ status: 'canceled', steps: 'wait:canceled' })
    const { nextClaim } = await store.db.selectFrom('runs').select('nextClaim').executeTakeFirstOrThrow()
    expect(nextClaim).toBeNull()
  })

  test('holds a run that is not canceled', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const { store, clock } = testEngine
    const { id } = await testEngine.play(waits)
    await store.db.updateTable('runs').set({ next: 'due' }).where('id', '=', id).execute()
    const [held] = await holdRuns(store.db, [id], clock.now())
    expect(held?.jobs.map(({ stepId, status }) => [stepId, status])).toEqual([['wait', 'delayed']])
  })
})
