import { expect, test } from 'vitest'
import type { LaneName } from '../../queue/lane-name.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { playEngine } from '../played-engine.fixture.ts'

const steps = [
  { stepId: 'wait', type: 'delay' },
  { stepId: 'text', type: 'sms' },
] as const

test.for(drivers)('the work of a deleted environment is dropped (%s)', async (driver, context) => {
  const testEngine = await playEngine(driver, context, { steps })
  await testEngine.play('a')
  await testEngine.store.db.deleteFrom('environments').execute()
  await new Promise((resolve) => setTimeout(resolve, 510))
  await testEngine.play('b')
  await testEngine.advanceTo(testEngine.clock.now() + 2 * 3_600_000)
  expect(testEngine.asked).toEqual(['a.wait'])
  expect(await testEngine.messages()).toEqual([])
  const runs = await testEngine.store.db.selectFrom('runs').select('transactionId').execute()
  expect(runs).toEqual([{ transactionId: 'a' }])
})

test.for(drivers)('work whose lane has a name of an earlier version is processed (%s)', async (driver, context) => {
  const testEngine = await playEngine(driver, context, { steps })
  await testEngine.play('a')
  for (const lane of ['webhook 1', `inbound-mail ${testEngine.target.environmentId} https://app.test/`]) {
    const job = testEngine.store.db.updateTable('jobs').set({ status: 'queued' }).where('stepId', '=', 'text')
    const { id } = await job.returning('id').executeTakeFirstOrThrow()
    await testEngine.store.transaction((tx) => testEngine.queue.add(tx, [{ kind: 'job', id, lane: lane as LaneName }]))
    await testEngine.drain()
  }
  expect(testEngine.asked).toEqual(['a.wait', 'a.text', 'a.text'])
})
