import { workflow } from '@trestle/core'
import { describe, expect, test, vi } from 'vitest'
import { testBridge } from '../test-bridge.ts'
import '../../vitest.ts'

const logger = { warn: () => undefined, error: () => undefined }
const message = () => ({ body: 'b' })

/** Creates a handler that fails the given number of times. */
const failing = (times: number) => {
  let left = times
  return vi.fn(() => {
    if (left-- > 0) throw new Error('not now')
    return { ok: true }
  })
}

describe('a failing step', () => {
  test('is called again after its backoff, with the same key, and completes', async () => {
    const keys: string[] = []
    const handler = failing(2)
    const flow = workflow('flow', async ({ step }) => {
      const call = (_: unknown, { idempotencyKey }: { readonly idempotencyKey: string }) => {
        keys.push(idempotencyKey)
        return handler()
      }
      const { ok } = await step.custom('load', call, { retries: 3, backoff: { amount: 1, unit: 'minutes' } })
      if (ok) await step.sms('text', message)
    })
    const run = await testBridge({ workflows: [flow], logger }).run(flow)
    expect(run).toHaveCompleted()
    expect(run).toHaveSent('sms')
    expect(run.steps['load']).toMatchObject({ status: 'completed', attempts: 3, waitMs: 180_000 })
    expect(new Set(keys).size).toBe(1)
    expect(run.steps['text']).not.toHaveProperty('attempts')
  })

  test('has sent its message when the last attempt ended', async () => {
    const send = failing(1)
    const mail = () => ({ subject: `${send().ok}`, body: 'b' })
    const flow = workflow('flow', async ({ step }) => {
      const mailed = step.email('mail', mail, { retries: 1, backoff: { amount: 1, unit: 'minutes' } })
      await Promise.all([mailed, step.sms('text', message)])
    })
    const run = await testBridge({ workflows: [flow], logger, now: 0 }).run(flow)
    expect(run).toHaveSent('email', {}, { at: 60_000 })
    expect(run).not.toHaveSent('email', {}, { at: 0 })
    expect(run).toHaveSentOnly(['sms', {}, { at: 0 }], ['email', {}, { at: 60_000 }])
  })

  test('fails permanently after its retries, and the code receives its status', async () => {
    const handler = failing(9)
    const flow = workflow(
      'flow',
      async ({ step }) => {
        const load = await step.custom('load', handler)
        if (load._ctx.state.status === 'failed') await step.sms('sorry', message)
      },
      { retries: 2, backoff: { amount: 1, unit: 'hours', factor: 1 } },
    )
    const run = await testBridge({ workflows: [flow], logger }).run(flow)
    expect(run).toHaveFailed('load', { code: 'StepExecutionFailedError' })
    expect(run).toHaveSent('sms')
    expect(run.steps['load']).toMatchObject({ attempts: 3, waitMs: 7_200_000 })
    expect(handler).toHaveBeenCalledTimes(3)
  })

  test('does not fail the run if the step returns its failure', async () => {
    const handler = failing(9)
    const flow = workflow('flow', async ({ step }) => {
      const options = { onFailure: 'return', retries: 1 } as const
      const load = await step.custom('load', handler, options)
      if (load.status === 'failed') await step.sms('sorry', () => ({ body: load.error.message }))
      const other = await step.custom('other', () => ({ n: 1 }), options)
      if (other.status === 'completed') await step.custom('seen', () => ({ n: other.result.n }))
    })
    const run = await testBridge({ workflows: [flow], logger }).run(flow)
    expect(run).toHaveCompleted()
    expect(run.errors).toEqual([])
    expect(run).toHaveSent('sms', { body: expect.stringContaining('not now') })
    expect(run.steps['load']).toMatchObject({
      status: 'failed',
      attempts: 2,
      error: { code: 'StepExecutionFailedError' },
    })
    expect(run.steps['seen']?.result).toEqual({ n: 1 })
  })

  test.each(['run-driven', 'listed'] as const)(
    'returns its failure by default of the workflow: %s',
    async (service) => {
      const flow = workflow(
        'flow',
        async ({ step }) => {
          const load = await step.custom('load', failing(1))
          if (load.status === 'failed') await step.sms('sorry', () => ({ body: load.error.message }))
        },
        { onFailure: 'return' },
      )
      const run = await testBridge({ workflows: [flow], logger, service }).run(flow)
      expect(run).toHaveSent('sms', { body: expect.stringContaining('not now') })
      // A service that follows a list does not know which failures are handled.
      expect(run.status).toBe(service === 'run-driven' ? 'completed' : 'failed')
    },
  )

  test('does not fail the run if a throttle ends it', async () => {
    const flow = workflow('flow', async ({ step }) => {
      await step.custom('load', failing(9), { onFailure: 'return' })
      await step.throttle('limit', () => ({ type: 'fixed', amount: 1, unit: 'hours', threshold: 1 }))
      await step.sms('text', message)
    })
    const triggers = [{ payload: {} }]
    const run = await testBridge({ workflows: [flow], logger }).run(flow, { triggers })
    const runs = [run, ...run.others]
    expect(runs.map(({ status, errors }) => ({ status, errors }))).toEqual(
      runs.map(() => ({ status: 'completed', errors: [] })),
    )
    expect(runs.map(({ steps }) => steps['limit']?.status)).toEqual(['completed', 'skipped'])
  })

  test('fails the run if another step returns its failure', async () => {
    const flow = workflow('flow', async ({ step }) => {
      await step.custom('handled', failing(1), { onFailure: 'return' })
      await step.custom('failed', failing(1))
    })
    const run = await testBridge({ workflows: [flow], logger }).run(flow)
    expect(run.status).toBe('failed')
    expect(run.errors.map(({ stepId }) => stepId)).toEqual(['failed'])
  })

  test('does not block other branches', async () => {
    const handler = failing(1)
    const flow = workflow('flow', async ({ step }) => {
      const slow = step.custom('slow', handler, { retries: 1, backoff: { amount: 1, unit: 'hours' } })
      const fast = step.delay('wait', () => ({ amount: 1, unit: 'minutes' })).then(() => step.sms('text', message))
      await Promise.all([slow, fast])
    })
    const run = await testBridge({ workflows: [flow], logger }).run(flow)
    expect(run).toHaveCompleted()
    expect(run.steps['text']?.startedAt).toBe(new Date(Date.parse(run.startedAt) + 60_000).toISOString())
  })

  test.each<[string, object]>([
    ['without retries', {}],
    ['with none, though the workflow has them', { retries: 0 }],
  ])('is called once %s', async (what, options) => {
    const handler = failing(1)
    const flow = workflow(
      'flow',
      async ({ step }) => void (await step.custom('load', handler, options)),
      what === 'without retries' ? {} : { retries: 5 },
    )
    const run = await testBridge({ workflows: [flow], logger }).run(flow)
    expect(run).toHaveFailed('load')
    expect(handler).toHaveBeenCalledTimes(1)
  })

  test('is called once if its output is invalid, because a retry would not help', async () => {
    const handler = vi.fn(() => ({ nobody: 1 }))
    const flow = workflow('flow', async ({ step }) => void (await step.sms('text', handler as never, { retries: 5 })))
    const run = await testBridge({ workflows: [flow], logger }).run(flow)
    expect(run).toHaveFailed('text', { code: 'ExecutionStateOutputInvalidError' })
    expect(handler).toHaveBeenCalledTimes(1)
  })

  test.each([
    [{ retries: 21 }, 'retries must be a whole number from 0 to 20'],
    [{ retries: 1.5 }, 'retries must be'],
    [{ backoff: { amount: 1, unit: 'days' } }, 'backoff must be an object with amount, unit'],
    [{ backoff: { amount: -1, unit: 'hours' } }, 'backoff must be'],
    [{ backoff: { amount: 1, unit: 'hours', factor: 0.5 } }, 'backoff must be'],
    [{ backoff: { amount: 1, unit: 'hours', jitter: 1 } }, 'backoff must be'],
  ])('%j is rejected', async (options, text) => {
    expect(() => workflow('flow', async () => undefined, options as never)).toThrow(text)
    const flow = workflow('flow', async ({ step }) => void (await step.sms('text', message, options as never)))
    await expect(testBridge({ workflows: [flow], logger }).run(flow)).rejects.toThrow(text)
  })
})
