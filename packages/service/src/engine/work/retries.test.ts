import type { RetryData } from '@trestle/protocol'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { BridgeFailure } from '../../bridge/bridge-call.ts'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { replied } from '../fake-bridge.fixture.ts'
import { createLedEngine, type LedEngine, type LedOptions } from '../next/led-runs.fixture.ts'
import { playEngine } from '../played-engine.fixture.ts'
import type { SentMessage } from '../port/channel-port.ts'
import { type Program, RetriedError } from '../program-bridge.fixture.ts'

const minuteMs = 60_000
const retry: RetryData = { retries: 2, backoffMs: minuteMs, backoffFactor: 2 }
const message = () => ({ body: 'b' })

/** Fails the given number of times, and then returns a message. */
function failing(times: number, data: Partial<RetryData> = retry) {
  let left = times
  return () => {
    if (left-- > 0) throw new RetriedError(data)
    return message()
  }
}

/** Runs steps that fail, and a message after them. */
const failsFirst =
  (ids: readonly string[]): Program =>
  async ({ step }) => {
    for (const id of ids) await step(id, 'email', failing(1, {}))
    await step('after', 'sms', message)
  }

const advance = (testEngine: LedEngine, ms: number) => testEngine.advanceTo(testEngine.clock.now() + ms)
const retryLines = (lines: readonly string[]) => lines.filter((line) => /retried|failed/.test(line))

describe.each(bothDrivers)('a failing step, on %s,', (driver) => {
  test('is retried after its backoff, and its run continues', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const handler = failing(2)
    const run = await testEngine.play(async ({ step }) => {
      await step('mail', 'email', handler)
      await step('after', 'sms', message)
    })
    expect([run.status, run.steps]).toEqual(['running', 'mail:delayed'])
    await advance(testEngine, minuteMs - 1)
    expect(testEngine.bridge.ran).toEqual(['mail'])
    await advance(testEngine, 1)
    expect(testEngine.bridge.ran).toEqual(['mail', 'mail'])
    await advance(testEngine, 2 * minuteMs - 1)
    expect(testEngine.bridge.ran).toEqual(['mail', 'mail'])
    await advance(testEngine, 1)
    const { status, steps, lines } = await testEngine.runOf(run.transactionId)
    expect([status, steps]).toEqual(['completed', 'mail:completed after:completed'])
    expect(retryLines(lines)).toEqual([
      'Step failed and is retried',
      'Step is retried',
      'Step failed and is retried',
      'Step is retried',
    ])
    const [job] = await testEngine.store.db.selectFrom('jobs').selectAll().where('stepId', '=', 'mail').execute()
    expect(job).toMatchObject({ attempts: 2, stage: null, error: null })
    expect(await testEngine.store.db.selectFrom('messages').select('id').execute()).toHaveLength(2)
  })

  test('does not fail its run if the bridge says that the function received the failure', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const metadata = { status: 'success', error: false, duration: 1 }
    testEngine.bridge.onCall = ({ stepId, event: { state = [] } }) =>
      stepId === undefined && state.some((one) => one.stepId === 'after')
        ? { reply: { done: true, handled: ['mail', 'after', 'unknown'], metadata } }
        : undefined
    const names = [
      [await testEngine.add(failsFirst(['mail'])), 'completed'],
      [await testEngine.add(failsFirst(['mail', 'other'])), 'failed'],
    ] as const
    for (const [name, end] of names) {
      const id = await testEngine.begin(name)
      await testEngine.drain()
      const { status, lines } = await testEngine.runOf(id)
      expect(status).toBe(end)
      expect(lines.filter((line) => line.includes('handled'))).toEqual(['Failure was handled by the workflow function'])
      const jobs = await testEngine.store.db
        .selectFrom('jobs')
        .innerJoin('runs', 'runs.id', 'jobs.runId')
        .select(['stepId', 'jobs.status', 'stage'])
        .where('runs.transactionId', '=', id)
        .orderBy('position')
        .execute()
      expect(jobs[0]).toEqual({ stepId: 'mail', status: 'failed', stage: 'handled' })
      expect(jobs.at(-1)).toEqual({ stepId: 'after', status: 'completed', stage: null })
    }
  })

  test('does not fail its run if its failure was handled before a throttle ends the run', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const name = await testEngine.add(async ({ step, handleFailure }) => {
      handleFailure('mail')
      await Promise.all([step('mail', 'email', failing(1, {})), step('other', 'custom')])
      await step('limit', 'throttle', () => ({ type: 'fixed', amount: 1, unit: 'hours', threshold: 1 }))
      await step('after', 'custom')
    })
    for (const steps of ['limit:completed after:completed', 'limit:skipped']) {
      const id = await testEngine.begin(name)
      await testEngine.drain()
      const run = await testEngine.runOf(id)
      expect([run.status, run.steps]).toEqual(['completed', `mail:failed other:completed ${steps}`])
      expect(run.lines.filter((line) => line.includes('handled'))).toHaveLength(1)
    }
  })

  const failure = { code: 'BridgeUnreachable', status: 502, message: 'connection refused', data: null }
  const send = (patch: SentMessage['patch']): LedOptions => ({
    channels: { isSent: ({ job }) => job.stepId === 'mail', send: async () => ({ patch, notes: [] }) },
    faults: [],
  })

  test.each<[string, LedOptions, { failure: BridgeFailure } | undefined, string]>([
    [
      'its delivery fails in the service',
      send({ status: 'sent', providerMessageId: 'no database\0stores it' }),
      undefined,
      'failed',
    ],
    ['the bridge is unreachable', {}, { failure }, 'failed'],
    // The message has the error; the step has done its work.
    ['a provider refuses its message for good', send({ status: 'error', errorId: 'refused' }), undefined, 'completed'],
  ])('passes its outcome to the function if %s', async (_what, options, outcome, status) => {
    const testEngine = await createLedEngine(driver, { onTestFinished, skip: () => undefined as never }, options)
    const metadata = { status: 'success', error: false, duration: 1 }
    testEngine.bridge.onCall = ({ stepId, event: { state = [] } }) => {
      if (stepId === 'mail') return outcome
      return stepId === undefined && state.some((one) => one.stepId === 'after')
        ? { reply: { done: true, handled: ['mail'], metadata } }
        : undefined
    }
    const run = await testEngine.play(async ({ step }) => {
      // Dispatched together, so that each is called by its id.
      await Promise.all([step('mail', 'email', message), step('other', 'custom')])
      await step('after', 'custom')
    })
    expect([run.status, run.steps]).toEqual(['completed', `mail:${status} other:completed after:completed`])
    const mailStep = testEngine.bridge.calls.at(-1)?.event.state?.find(({ stepId }) => stepId === 'mail')
    expect(mailStep?.state.status).toBe(status)
    if (outcome) expect(mailStep?.state.error).toMatchObject({ code: failure.code, message: failure.message })
  })

  test('fails permanently after its retries', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const handler = failing(9)
    const run = await testEngine.play(async ({ step }) => {
      await Promise.all([step('mail', 'email', handler), step('wait', 'delay', () => ({ amount: 1, unit: 'hours' }))])
      await step('after', 'sms', message)
    })
    await advance(testEngine, 2 * 60 * minuteMs)
    const { status, steps, lines } = await testEngine.runOf(run.transactionId)
    expect([status, steps]).toEqual(['failed', 'mail:failed wait:completed after:completed'])
    expect(testEngine.bridge.ran.filter((id) => id === 'mail')).toHaveLength(3)
    expect(retryLines(lines).at(-1)).toBe('Bridge execution failed')
    const [job] = await testEngine.store.db.selectFrom('jobs').select('error').where('stepId', '=', 'mail').execute()
    expect(job?.error).toContain('not now')
  })

  test('does not block other branches meanwhile', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const handler = failing(1)
    const program: Program = async ({ step }) => {
      const other = async () => {
        await step('a', 'custom', message)
        await step('b', 'custom', message)
      }
      await Promise.all([step('mail', 'email', handler), other()])
    }
    const run = await testEngine.play(program)
    expect(run.steps).toBe('mail:delayed a:completed b:completed')
    await advance(testEngine, minuteMs)
    expect((await testEngine.runOf(run.transactionId)).status).toBe('completed')
  })

  test('is not retried after a cancellation', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const run = await testEngine.play(async ({ step }) => void (await step('mail', 'email', failing(9))))
    expect(await testEngine.cancel(run.transactionId)).toBe(true)
    await advance(testEngine, 60 * minuteMs)
    expect((await testEngine.runOf(run.transactionId)).steps).toBe('mail:canceled')
    expect(testEngine.bridge.ran).toEqual(['mail'])
  })

  test('can be retried immediately by skipping the backoff', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const handler = failing(1)
    const run = await testEngine.play(async ({ step }) => void (await step('mail', 'email', handler)))
    const [job] = await testEngine.store.db.selectFrom('jobs').select('id').execute()
    const { environmentId } = testEngine.target
    expect(await testEngine.engine.skipWait({ environmentId, jobId: job?.id ?? '' })).toBe(true)
    await advance(testEngine, 0)
    expect((await testEngine.runOf(run.transactionId)).steps).toBe('mail:completed')
  })

  test('is also retried in a run that follows a list of steps', async (context) => {
    let left = 1
    const answer = () => {
      if (left-- <= 0) return replied(message())
      const data = { stepId: 'mail', type: 'email', ...retry }
      return { failure: { code: 'StepExecutionFailedError', status: 502, message: 'no', data } }
    }
    const steps = [
      { stepId: 'mail', type: 'email' },
      { stepId: 'text', type: 'sms' },
    ] as const
    const testEngine = await playEngine(driver, context, { steps, answer })
    await testEngine.play('one')
    expect(await testEngine.statesOf('one')).toBe('running: delayed pending')
    await testEngine.advanceTo(testEngine.clock.now() + minuteMs)
    expect(await testEngine.statesOf('one')).toBe('completed: completed completed')
  })
})
