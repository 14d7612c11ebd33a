import { describe, expect, test } from 'vitest'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { refused } from '../fake-bridge.fixture.ts'
import { createLedEngine, type LedEngine } from '../next/led-runs.fixture.ts'
import { playEngine } from '../played-engine.fixture.ts'
import type { Program } from '../program-bridge.fixture.ts'

const message = () => ({ body: 'b' })
const hour = () => ({ amount: 1, unit: 'hours' })

/** A handler that fails until it is fixed. */
function createBroken(handle: () => Record<string, unknown> = message) {
  const broken = {
    isBroken: true,
    handle() {
      if (broken.isBroken) throw new Error('broken')
      return handle()
    },
  }
  return broken
}

async function repeatFrom({ engine, target }: Pick<LedEngine, 'engine' | 'target'>, runId: string, stepId: string) {
  const result = await engine.repeatFromStep({ environmentId: target.environmentId, runId, stepId })
  return typeof result === 'string' ? result : (result?.transactionId ?? '')
}

describe.each(bothDrivers)('a run that starts from a step, on %s,', (driver) => {
  const play = async (testEngine: LedEngine, program: Program, stepId: string, repair: () => void) => {
    const first = await testEngine.play(program)
    repair()
    testEngine.bridge.ran.length = 0
    const transactionId = await repeatFrom(testEngine, first.id, stepId)
    await testEngine.drain()
    return { first, again: await testEngine.runOf(transactionId) }
  }

  test('copies the results before the step, and sends nothing before it again', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const broken = createBroken()
    const program: Program = async ({ step }) => {
      const { answer } = await step('ask', 'custom', () => ({ answer: 42 }))
      await step('mail', 'email', message)
      await step('text', 'sms', broken.handle)
      await step('tell', 'chat', () => ({ body: `${answer}` }))
    }
    const { first, again } = await play(testEngine, program, 'text', () => {
      broken.isBroken = false
    })
    expect(first).toMatchObject({ status: 'failed', steps: 'ask:completed mail:completed text:failed tell:completed' })
    expect(again).toMatchObject({
      status: 'completed',
      steps: 'ask:completed mail:completed text:completed tell:completed',
    })
    expect(testEngine.bridge.ran).toEqual(['text', 'tell'])
    const messages = await testEngine.store.db
      .selectFrom('messages')
      .select(['runId', 'content'])
      .orderBy('id')
      .execute()
    expect(messages.map(({ runId, content }) => [runId, JSON.parse(content ?? '')])).toEqual([
      [first.id, 'b'],
      [first.id, '42'],
      [again.id, 'b'],
      [again.id, '42'],
    ])
    expect(again.lines.filter((line) => line === 'Result was copied from an earlier run')).toHaveLength(2)
  })

  test('keeps the results of parallel steps', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const broken = createBroken()
    const program: Program = async ({ step }) => {
      await Promise.all([step('mail', 'email', message), step('text', 'sms', broken.handle)])
      await step('tell', 'chat', message)
    }
    const { again } = await play(testEngine, program, 'text', () => {
      broken.isBroken = false
    })
    expect(again.status).toBe('completed')
    expect(testEngine.bridge.ran).toEqual(['text', 'tell'])
  })

  test('does not use the result of a delay that was skipped because the function returned', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const program: Program = async ({ step }) => {
      void step('wait', 'delay', hour).then(() => step('late', 'email', message))
      await step('text', 'sms', message)
    }
    const { first, again } = await play(testEngine, program, 'text', () => undefined)
    expect(first).toMatchObject({ status: 'completed', steps: 'wait:skipped text:completed' })
    expect(again.status).toBe('completed')
    expect(testEngine.bridge.ran.sort()).toEqual(['text', 'wait'])
  })

  test('knows whether the message of a copied step has been read since', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const program: Program = async ({ step }) => {
      const { read } = await step('bell', 'in_app', message)
      await step('mail', 'email', () => ({ body: `read ${read}` }))
    }
    const first = await testEngine.play(program)
    const transactionId = await repeatFrom(testEngine, first.id, 'mail')
    await testEngine.drain()
    const second = await testEngine.runOf(transactionId)
    await testEngine.store.db
      .updateTable('messages')
      .set({ seen: 1, read: 1 })
      .where('channel', '=', 'in_app')
      .execute()
    await repeatFrom(testEngine, second.id, 'mail')
    await testEngine.drain()
    const mails = await testEngine.store.db
      .selectFrom('messages')
      .select('content')
      .where('channel', '=', 'email')
      .execute()
    expect(mails.map(({ content }) => JSON.parse(content ?? '')).sort()).toEqual([
      'read false',
      'read false',
      'read true',
    ])
  })

  test('needs an ended run that started the step', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const name = await testEngine.add(async ({ step }) => {
      await step('mail', 'email', message)
      await step('wait', 'delay', hour)
      await step('tell', 'chat', message)
    })
    const transactionId = await testEngine.begin(name)
    await testEngine.drain()
    const { id } = await testEngine.runOf(transactionId)
    expect(await repeatFrom(testEngine, id, 'mail')).toBe('The run has not ended. Cancel it, or wait until it ends.')
    await testEngine.cancel(transactionId)
    expect(await repeatFrom(testEngine, id, 'tell')).toBe(
      'The run never started the step "tell". Choose a started step: "mail", "wait".',
    )
    expect(
      await testEngine.engine.repeatFromStep({ environmentId: 'other', runId: id, stepId: 'mail' }),
    ).toBeUndefined()
  })

  test('is not created if the earlier run was removed in the meantime', async (context) => {
    const testEngine = await createLedEngine(driver, context)
    const name = await testEngine.add(({ step }) => step('mail', 'email', message))
    const { transactionId = '' } =
      (await testEngine.trigger({ name, to: 'anna', startFrom: { runId: 'gone', stepId: 'mail' } })) ?? {}
    await testEngine.drain()
    const trigger = await testEngine.store.db
      .selectFrom('triggers')
      .select(['status', 'error'])
      .where('transactionId', '=', transactionId)
      .executeTakeFirstOrThrow()
    expect(trigger.status).toBe('failed')
    expect(trigger.error).toContain('no longer exists, so its results cannot be copied')
    expect(testEngine.bridge.ran).toEqual([])
  })

  describe('and follows listed steps,', () => {
    const steps = [
      { stepId: 'ask', type: 'custom' },
      { stepId: 'mail', type: 'email', parallelGroup: 1 },
      { stepId: 'text', type: 'sms', parallelGroup: 1 },
      { stepId: 'tell', type: 'chat' },
    ] as const

    const startPlayed = async (context: Parameters<typeof playEngine>[1]) => {
      let isBroken = true
      const testEngine = await playEngine(driver, context, {
        steps,
        answer: ({ stepId }) => (isBroken && stepId === 'text' ? refused('StepExecutionFailedError') : undefined),
      })
      await testEngine.play('first')
      const runId = await testEngine.runIdOf('first')
      isBroken = false
      return { testEngine, runId }
    }

    test('runs the step and those after it', async (context) => {
      const { testEngine, runId } = await startPlayed(context)
      const before = testEngine.asked.length
      const transactionId = await repeatFrom(testEngine, runId, 'text')
      await testEngine.drain()
      expect(await testEngine.statesOf(transactionId)).toBe('completed: completed completed completed completed')
      expect(testEngine.asked.slice(before)).toEqual(['first.text', 'first.tell'])
    })

    test('is not created if the workflow no longer has the step', async (context) => {
      const { testEngine, runId } = await startPlayed(context)
      await testEngine.store.db.updateTable('workflows').set({ steps: '[]', next: 0 }).execute()
      const listed = steps.filter(({ stepId }) => stepId !== 'text').map((step) => ({ id: step.stepId, ...step }))
      await testEngine.store.db
        .updateTable('workflows')
        .set({ steps: JSON.stringify(listed) })
        .execute()
      const transactionId = await repeatFrom(testEngine, runId, 'text')
      await testEngine.drain()
      const { error } = await testEngine.store.db
        .selectFrom('triggers')
        .select('error')
        .where('transactionId', '=', transactionId)
        .executeTakeFirstOrThrow()
      expect(error).toContain('The workflow no longer has the step \\"text\\".')
    })
  })
})
