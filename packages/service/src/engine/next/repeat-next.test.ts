import { describe, expect, test } from 'vitest'
import { bothDrivers } from '../../store/stores.fixture.ts'
import type { Program, ProgramCall } from '../program-bridge.fixture.ts'
import { createGate, createLedEngine, type LedEngine } from './led-runs.fixture.ts'

const hour = () => ({ amount: 1, unit: 'hours' })
const message = () => ({ body: 'b' })
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const failure = (code: string, status = 500) => ({ failure: { code, status, message: 'no', data: null } })
const hasTaken = ({ stepId, event }: ProgramCall) => stepId === undefined && (event.taken ?? []).length > 0

const waits: Program = async ({ step }) => {
  await step('wait', 'delay', hour)
  await step('mail', 'email', message)
}

/** Waits until the only remaining work is delayed. */
async function settle({ store }: LedEngine): Promise<void> {
  const find = () =>
    store.db.selectFrom('queueItems').select('id').where('kind', '!=', 'repeat-next').executeTakeFirst()
  while (await find()) await later(2)
}

async function play(testEngine: LedEngine, program: Program) {
  const transactionId = await testEngine.begin(await testEngine.add(program))
  await settle(testEngine)
  return testEngine.runOf(transactionId)
}

async function endWaits(testEngine: LedEngine): Promise<void> {
  testEngine.clock.advance(2 * 3_600_000)
  await testEngine.engine.sweep()
  await settle(testEngine)
}

const repeat = ({ engine }: LedEngine, runId: string, failures: number) =>
  engine.handle({
    ...{ kind: 'repeat-next', id: `${runId}/${failures}`, lane: 'e/l', attempts: 1 },
    complete: async () => undefined,
  })

async function findRepetitions({ store }: LedEngine) {
  const items = await store.db
    .selectFrom('queueItems')
    .select(['subject', 'dueAt', 'createdAt'])
    .where('kind', '=', 'repeat-next')
    .orderBy('id')
    .execute()
  return items.map(({ subject, dueAt, createdAt }) => [subject.split('/')[1], (dueAt - createdAt) / 1000])
}

describe.each(bothDrivers)('a failed call for the next steps of a run that waits, on %s,', (driver) => {
  test.each([
    ['UnknownBridgeRequestError', 500],
    ['BridgeAuthenticationFailed', 401],
    ['ECONNREFUSED', 400],
    ['WorkflowNotFoundError', 404],
  ])('does not end the run: %s', async (code, status) => {
    const ends: (() => unknown)[] = []
    const context = { onTestFinished: (end: () => unknown) => ends.unshift(end), skip: () => undefined }
    const testEngine = await createLedEngine(driver, context as never)
    testEngine.bridge.onCall = (call) => (hasTaken(call) ? failure(code, status) : undefined)
    const run = await play(testEngine, waits)
    for (const failures of [1, 2]) {
      await repeat(testEngine, run.id, failures)
      await settle(testEngine)
    }
    const { status: after, steps, ownLines } = await testEngine.runOf(run.transactionId)
    expect([after, steps, ownLines.length]).toEqual(['running', 'wait:delayed', 3])
    expect(ownLines[0]).toEqual({
      detail: 'Call for the next steps failed and is repeated',
      raw: expect.stringContaining(code),
    })
    await endWaits(testEngine)
    const { status: last, steps: all } = await testEngine.runOf(run.transactionId)
    expect([last, all]).toEqual(['completed', 'wait:completed mail:completed'])
    for (const end of ends) await end()
  })

  test('is repeated with a growing delay, so that the other branches continue', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    let isBack = false
    testEngine.bridge.onCall = (call) => (hasTaken(call) && !isBack ? failure('BridgeAuthenticationFailed') : undefined)
    const run = await play(testEngine, async ({ step }) => {
      // Simulates a branch that reaches its step late.
      const late = async () => (isBack ? step('now', 'email', message) : undefined)
      await Promise.all([step('wait', 'delay', hour), late()])
    })
    expect(run.steps).toBe('wait:delayed')
    await repeat(testEngine, run.id, 1)
    await settle(testEngine)
    // The work of the first failure has been done, and is outdated.
    await repeat(testEngine, run.id, 1)
    await repeat(testEngine, run.id, 2)
    await settle(testEngine)
    expect(await findRepetitions(testEngine)).toEqual([
      ['1', 5],
      ['2', 10],
      ['3', 20],
    ])
    expect((await testEngine.runOf(run.transactionId)).steps).toBe('wait:delayed')
    isBack = true
    await repeat(testEngine, run.id, 3)
    await settle(testEngine)
    expect((await testEngine.runOf(run.transactionId)).steps).toBe('wait:delayed now:completed')
  })

  test('does not count for the call after the wait', async (context) => {
    const testEngine = await createLedEngine(driver, context, { engine: { callsPerWorkflow: 1 } })
    let away = 2
    testEngine.bridge.onCall = (call) => (hasTaken(call) && away-- > 0 ? failure('ECONNRESET') : undefined)
    const run = await play(testEngine, waits)
    await repeat(testEngine, run.id, 1)
    await settle(testEngine)
    const [held, gate] = [createGate(), createGate()]
    testEngine.bridge.onCall = async () => {
      held.open()
      await gate.opened
    }
    const { workflowIdentifier } = await testEngine.store.db
      .selectFrom('runs')
      .select('workflowIdentifier')
      .executeTakeFirstOrThrow()
    await testEngine.begin(workflowIdentifier)
    await held.opened
    // Its call is due, and has to wait for that of the other run.
    await repeat(testEngine, run.id, 2)
    testEngine.clock.advance(2 * 3_600_000)
    await testEngine.engine.sweep()
    const columns = testEngine.store.db.selectFrom('runs').select(['next', 'nextFailures']).where('id', '=', run.id)
    expect(await columns.executeTakeFirst()).toEqual({ next: 'due', nextFailures: 0 })
    let isReset = false
    testEngine.bridge.onCall = ({ event }) => {
      if (event.runId !== run.id || isReset) return undefined
      isReset = true
      return failure('ECONNRESET')
    }
    gate.open()
    await settle(testEngine)
    expect(isReset).toBe(true)
    expect((await testEngine.runOf(run.transactionId)).steps).toBe('wait:completed mail:completed')
  })

  test('is repeated at once if the wait has ended in the meantime', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    let asks = 0
    testEngine.bridge.onCall = async (call) => {
      if (!hasTaken(call) || asks++ > 0) return undefined
      testEngine.clock.advance(2 * 3_600_000)
      await testEngine.engine.sweep()
      return failure('UnknownBridgeRequestError')
    }
    const run = await play(testEngine, waits)
    expect([run.status, run.steps]).toEqual(['completed', 'wait:completed mail:completed'])
    expect(await findRepetitions(testEngine)).toEqual([])
  })

  test('does not end the run if its result cannot be stored', async (context) => {
    const testEngine = await createLedEngine(driver, context, { faults: [] })
    testEngine.bridge.onCall = (call) => {
      if (!hasTaken(call)) return undefined
      const record = { url: 'u\0', request: {}, reply: {}, status: 200, durationMs: 0, attempts: [] }
      return { reply: { done: true, metadata: {} }, record }
    }
    const run = await play(testEngine, waits)
    expect([run.status, run.steps, run.ownLines.map(({ detail }) => detail)]).toEqual([
      'running',
      'wait:delayed',
      ['Call for the next steps failed and is repeated'],
    ])
    await endWaits(testEngine)
    expect((await testEngine.runOf(run.transactionId)).status).toBe('completed')
  })
})
