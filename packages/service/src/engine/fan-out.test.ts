import Database from 'libsql'
import { expect, test, vi } from 'vitest'
import { blankSubscriber } from '../store/blank-rows.ts'
import { createLedEngine, type LedEngine } from './next/led-runs.fixture.ts'
import type { Program } from './program-bridge.fixture.ts'

const tell: Program = async ({ step }) => void (await step('tell', 'in_app'))
const steps = [{ stepId: 'tell', type: 'in_app' }] as const

async function addSubscribers({ store, target }: LedEngine, count: number): Promise<void> {
  const { environmentId } = target
  for (let index = 0; index < count; index++) {
    const [id, subscriberId] = [`s${String(index).padStart(6, '0')}`, `x${index}`]
    const row = { ...blankSubscriber, id, environmentId, subscriberId, createdAt: 0, updatedAt: 0 }
    await store.db.insertInto('subscribers').values(row).execute()
  }
}

const broadcast = ({ engine, target }: LedEngine, name: string) =>
  engine.accept({ environmentId: target.environmentId, kind: 'broadcast', requests: [{ name, payload: {} }] })

test('a run of a fan-out costs few statements', async (context) => {
  const made = await createLedEngine('sqlite', context, { concurrency: 64 })
  await addSubscribers(made, 256)
  const name = await made.add(tell, steps)
  const statement = Object.getPrototypeOf(new Database(':memory:').prepare('select 1'))
  const spies = [vi.spyOn(statement, 'all'), vi.spyOn(statement, 'run')]
  context.onTestFinished(() => void vi.restoreAllMocks())
  await broadcast(made, name)
  let done: readonly unknown[] = []
  while (done.length < 256) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    done = await made.store.db.selectFrom('runs').select('id').where('status', '=', 'completed').execute()
  }
  const count = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  expect(count / 256).toBeLessThan(13)
})
