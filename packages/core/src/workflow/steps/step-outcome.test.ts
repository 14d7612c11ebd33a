import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { type Answer, askBridge, silent } from '../../call-bridge.fixture.ts'
import { createBridge } from '../../http/create-bridge.ts'
import { novu } from '../../novu.ts'
import type { FailureOptions, OutcomeOf } from '../kinds/outcome.ts'
import type { RetryOptions } from '../kinds/retries.ts'
import type { ResultOf, SentResult } from '../kinds/signature.ts'
import { workflow } from '../workflow.ts'
import type { Step } from './step-kinds.ts'

const message = () => ({ body: 'b' })
const error = { code: 'StepExecutionFailedError', message: 'Step "load" failed: down', data: { stack: 's' } }

/** Asks for the next step with stored results by step id: outputs, or a status with an error. */
function play(
  run: (step: Step) => unknown,
  state: Readonly<Record<string, object>> = {},
  options: FailureOptions = {},
): Promise<Answer> {
  const bridge = createBridge({
    workflows: [workflow('flow', ({ step }) => run(step as Step) as Promise<unknown>, options)],
    strictAuthentication: false,
    logger: silent,
  })
  const stored = Object.entries(state).map(([stepId, one]) => ({ stepId, outputs: {}, ...one }))
  return bridge
    .handle({
      method: 'POST',
      url: '/?action=execute&workflowId=flow',
      header: (name) => (name === 'content-type' ? 'application/json' : undefined),
      readBody: () => ({
        bytes: new TextEncoder().encode(JSON.stringify({ next: true, taken: [], state: stored })),
        exact: true,
      }),
    })
    .then(({ status, body }) => ({ status, body: JSON.parse(body) }))
}

describe('a step that returns its failure', () => {
  test('returns the status and the result of a completed step', async () => {
    let seen: unknown
    const { body } = await play(
      async (step) => {
        seen = await step.custom('load', () => ({ rate: 1 }), { onFailure: 'return' })
      },
      { load: { outputs: { rate: 2 }, state: { status: 'completed' } } },
    )
    expect(JSON.parse(JSON.stringify(seen))).toEqual({ status: 'completed', result: { rate: 2 } })
    expect(body).not.toHaveProperty('handled')
  })

  test('returns the error of a failed step, and the reply names the step', async () => {
    let seen: unknown
    const { body } = await play(
      async (step) => {
        seen = await step.custom('load', () => ({ rate: 1 }), { onFailure: 'return' })
      },
      { load: { state: { status: 'failed', error } } },
    )
    expect(JSON.parse(JSON.stringify(seen))).toEqual({
      status: 'failed',
      error: { code: 'StepExecutionFailedError', message: 'Step "load" failed: down' },
    })
    expect(body).toMatchObject({ done: true, handled: ['load'] })
  })

  test.each([
    [{ status: 'skipped' }, 'skipped'],
    [{ status: 'canceled' }, 'canceled'],
    [{ status: 'merged' }, 'skipped'],
  ])('returns no result for %j', async (state, status) => {
    let seen: unknown
    const { body } = await play(
      async (step) => {
        seen = await step.sms('text', message, { onFailure: 'return' })
      },
      { text: { state } },
    )
    expect(JSON.parse(JSON.stringify(seen))).toEqual({ status })
    expect(body).not.toHaveProperty('handled')
  })

  test('is not named without the option', async () => {
    const { body } = await play((step) => step.sms('text', message), { text: { state: { status: 'failed', error } } })
    expect(body).toMatchObject({ done: true })
    expect(body).not.toHaveProperty('handled')
  })

  test.each([undefined, null, 'text', { code: 7 }])('has an error if the service stored %j', async (stored) => {
    let seen: OutcomeOf<unknown> | undefined
    await play(
      async (step) => {
        seen = await step.sms('text', message, { onFailure: 'return' })
      },
      { text: { state: { status: 'failed', error: stored } } },
    )
    expect(seen).toMatchObject({ error: { code: 'StepExecutionFailedError', message: 'The step failed.' } })
  })

  test('is listed with the steps that follow each of its outcomes', async () => {
    const flow = workflow('flow', async ({ step }) => {
      const load = await step.custom('load', () => ({ rate: 1 }), { onFailure: 'return' })
      if (load.status === 'failed') await step.sms(`sorry-${load.error.code.length > 0}`, message)
      else if (load.status === 'completed') await step.sms('rate', message)
    })
    const bridge = createBridge({ workflows: [flow], strictAuthentication: false, logger: silent })
    const { body } = await askBridge(bridge, { action: 'discover' })
    const ids = body.workflows[0].steps.map(({ stepId }: { stepId: string }) => stepId)
    expect(ids.toSorted()).toEqual(['load', 'rate', 'sorry-true'])
  })

  test('accepts only two values', async () => {
    const { body } = await play((step) => step.sms('text', message, { onFailure: 'ignore' as never }))
    expect(body.message).toContain('Step "text": the option onFailure must be one of fail, return; got "ignore".')
    const run = async (): Promise<void> => undefined
    expect(() => workflow('flow', run, { onFailure: 'ignore' as never })).toThrow('the option onFailure must be')
  })
})

describe('the default of a workflow', () => {
  const failed = { load: { state: { status: 'failed', error } }, text: { state: { status: 'failed', error } } }

  test('applies to every step', async () => {
    const seen: unknown[] = []
    const run = async (step: Step): Promise<void> => {
      seen.push(await step.custom('load', () => ({ rate: 1 })), await step.sms('text', message, { retries: 1 }))
    }
    const { body } = await play(run, failed, { onFailure: 'return' })
    expect(seen).toMatchObject([{ status: 'failed', error: { message: error.message } }, { status: 'failed' }])
    expect(body).toMatchObject({ done: true, handled: ['load', 'text'] })
  })

  test.each([
    ['return', 'fail', ['load']],
    ['fail', 'return', ['text']],
    ['return', undefined, ['load', 'text']],
  ] as const)('%s, and %s of the step', async (ofWorkflow, ofStep, handled) => {
    const run = async (step: Step): Promise<void> => {
      await step.custom('load', () => ({ rate: 1 }))
      await step.sms('text', message, { onFailure: ofStep })
    }
    expect((await play(run, failed, { onFailure: ofWorkflow })).body).toMatchObject({ done: true, handled })
  })

  test('is used for discovery and previews', async () => {
    const flow = workflow(
      'flow',
      async ({ step }) => {
        const load = await step.custom('load', () => ({ rate: 1 }))
        if (load.status === 'failed') await step.sms('sorry', message)
        else if (load.status === 'completed') await step.sms('rate', () => ({ body: `${typeof load.result.rate}` }))
      },
      { onFailure: 'return', samples: [{ results: { load: { rate: 3 } } }] },
    )
    const bridge = createBridge({ workflows: [flow], strictAuthentication: false, logger: silent })
    const { body } = await askBridge(bridge, { action: 'discover' })
    const ids = body.workflows[0].steps.map(({ stepId }: { stepId: string }) => stepId)
    expect(ids.toSorted()).toEqual(['load', 'rate', 'sorry'])
    const preview = await askBridge(bridge, { action: 'preview', workflow: 'flow', step: 'rate' })
    expect(preview.body.outputs).toEqual({ body: 'number' })
  })
})

describe('a service that runs the listed steps', () => {
  const warningsOf = async (options: RetryOptions & FailureOptions, ofStep: object, service?: typeof novu) => {
    const flow = workflow('flow', ({ step }) => (step as Step).sms('text', message, ofStep), options)
    const bridge = createBridge({ workflows: [flow], strictAuthentication: false, logger: silent, service })
    const { body } = await askBridge(bridge, { action: 'discover' })
    return body.workflows[0].warnings
  }

  test.each([
    [{ retries: 2 }, {}, 'the workflow sets retries.'],
    [{}, { onFailure: 'return', retries: 1 }, 'step "text" sets retries, onFailure.'],
    [
      { onFailure: 'return' },
      { backoff: { amount: 1, unit: 'hours' } },
      'the workflow sets onFailure; step "text" sets backoff.',
    ],
  ] as const)('is named in a warning about ignored options: %j, %j', async (ofWorkflow, ofStep, text) => {
    expect(await warningsOf(ofWorkflow, ofStep, novu)).toEqual([
      { code: 'FailureOptionsIgnored', message: expect.stringContaining(`Workflow "flow": ${text}`) },
    ])
    expect(await warningsOf(ofWorkflow, ofStep)).toEqual([])
  })

  test('causes no warning without such options', async () => {
    expect(await warningsOf({}, { skip: () => false }, novu)).toEqual([])
  })
})

test('the types follow the option', () => {
  const check = async (step: Step) => {
    const load = await step.custom('load', () => ({ rate: 1 }), { onFailure: 'return', retries: 2 })
    expectTypeOf(load).toEqualTypeOf<OutcomeOf<ResultOf<{ rate: number }>>>()
    // @ts-expect-error The step may have failed.
    load.result
    if (load.status === 'completed') expectTypeOf(load.result.rate).toEqualTypeOf<number>()
    if (load.status === 'failed') expectTypeOf(load.error.message).toEqualTypeOf<string>()
    const shaped = await step.custom('shaped', () => ({ n: 1 }), {
      onFailure: 'return',
      outputSchema: z.object({ n: z.number() }),
    })
    if (shaped.status === 'completed') expectTypeOf(shaped.result.n).toEqualTypeOf<number>()
    const digest = await step.digest('digest', () => ({ amount: 1, unit: 'hours' }), { onFailure: 'return' })
    if (digest.status === 'completed') expectTypeOf(digest.result.events.length).toEqualTypeOf<number>()
    const timeout = { amount: 1, unit: 'hours' } as const
    const wait = await step.waitForEvent('wait', () => ({ event: 'e', timeout }), {
      onFailure: 'return',
      schema: z.object({ by: z.string() }),
    })
    if (wait.status === 'completed' && wait.result.received)
      expectTypeOf(wait.result.payload.by).toEqualTypeOf<string>()
    const inbox = await step.inApp('inbox', message)
    expectTypeOf(inbox.read).toEqualTypeOf<boolean>()
    const plain = await step.custom('plain', () => ({ rate: 1 }), { retries: 2 })
    expectTypeOf(plain.rate).toEqualTypeOf<number>()
  }
  expect(check).toBeTypeOf('function')
})

test('the types follow the default of the workflow', () => {
  const payloadSchema = z.object({ id: z.string() })
  const target = workflow('target', async () => undefined)
  workflow(
    'flow',
    async ({ step, payload }) => {
      const load = await step.custom('load', () => ({ rate: 1 }))
      expectTypeOf(load).toEqualTypeOf<OutcomeOf<ResultOf<{ rate: number }>>>()
      const mail = await step.email('mail', () => ({ subject: payload.id, body: 'b' }), { skip: () => true })
      expectTypeOf(mail).toEqualTypeOf<OutcomeOf<SentResult>>()
      const digest = await step.digest('digest', () => ({ amount: 1, unit: 'hours' }))
      if (digest.status === 'completed')
        expectTypeOf(digest.result.events[0]?.payload).toEqualTypeOf<{ id: string } | undefined>()
      const timeout = { amount: 1, unit: 'hours' } as const
      const wait = await step.waitForEvent('wait', () => ({ event: 'e', timeout }))
      expectTypeOf(wait.status).toEqualTypeOf<'completed' | 'skipped' | 'canceled' | 'failed'>()
      const child = await step.trigger('child', () => ({ workflow: target, to: 'ada' }), { await: true })
      if (child.status === 'completed') expectTypeOf(child.result.runs.length).toEqualTypeOf<number>()
      const inbox = await step.inApp('inbox', message, { onFailure: 'fail' })
      expectTypeOf(inbox.read).toEqualTypeOf<boolean>()
    },
    { payloadSchema, onFailure: 'return' },
  )
  workflow(
    'other',
    async ({ step }) => {
      expectTypeOf((await step.custom('load', () => ({ rate: 1 }))).rate).toEqualTypeOf<number>()
      const kept = await step.inApp('inbox', message, { onFailure: 'return' })
      expectTypeOf(kept.status).toEqualTypeOf<'completed' | 'skipped' | 'canceled' | 'failed'>()
    },
    { onFailure: 'fail' },
  )
})
