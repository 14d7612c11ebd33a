import { describe, expect, test, vi } from 'vitest'
import { type Answer, askBridge, flow, gives, silent } from '../call-bridge.fixture.ts'
import { createBridge } from '../http/create-bridge.ts'
import type { Step } from '../workflow/steps/step-kinds.ts'

type Run = (context: { step: Step; payload: Record<string, unknown> }) => unknown

interface Asked {
  readonly step?: string
  readonly state?: Readonly<Record<string, unknown>>
  readonly taken?: readonly string[]
  readonly wait?: number
  readonly [field: string]: unknown
}

const throws = (): never => {
  throw new Error('no')
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function play(run: Run, options: object = {}): (asked?: Asked) => Promise<Answer> {
  const bridge = createBridge({ workflows: [flow(run)], strictAuthentication: false, logger: silent, ...options })
  return ({ taken = [], ...asked } = {}) =>
    askBridge(bridge, { workflow: 'flow', next: true, taken: taken.map((stepId) => ({ stepId })), ...asked } as never)
}

/** Summarizes which steps a reply returns. */
function handed({ body }: Answer): unknown {
  if (body.done) return 'done'
  if (body.step) return `ran ${body.step.stepId}`
  return body.open?.map(({ stepId }: { stepId: string }) => stepId) ?? body.code
}

const two: Run = async ({ step }) => {
  await step.custom('a', gives('a'))
  await step.custom('b', gives('b'))
}

describe('the next steps', () => {
  test('executes the only open step, then the one after it, then reports the run as done', async () => {
    const next = play(two)
    const first = await next()
    expect(first.body).toMatchObject({
      step: { stepId: 'a', type: 'custom' },
      outputs: { id: 'a' },
      providers: {},
      options: { skip: false },
      metadata: { status: 'success', error: false },
    })
    expect(handed(await next({ state: { a: {} } }))).toBe('ran b')
    expect((await next({ state: { b: {}, a: {} } })).body).toEqual({
      done: true,
      metadata: { status: 'success', error: false, duration: expect.any(Number) },
    })
  })

  test('returns several open steps without executing one', async () => {
    const handler = vi.fn(() => ({}))
    const ids = Array.from({ length: 120 }, (_, index) => `s${index}`)
    const next = play(({ step }) => Promise.all(ids.map((id) => step.custom(id, handler))))
    const { body } = await next()
    expect(body.open).toEqual(ids.map((stepId) => ({ stepId, type: 'custom' })))
    expect(handler).not.toHaveBeenCalled()
  })

  test('returns an open step alongside a returned one, without executing it', async () => {
    const handler = vi.fn(() => ({}))
    const next = play(({ step }) => Promise.all([step.custom('a', handler), step.custom('b', handler)]))
    expect(handed(await next({ taken: ['a'] }))).toEqual(['b'])
    expect(handler).not.toHaveBeenCalled()
    expect(handed(await next({ taken: ['a', 'b'] }))).toEqual([])
  })

  test('treats a step called without await as open', async () => {
    const next = play(({ step }) => void step.custom('a', gives('a')))
    expect(handed(await next())).toBe('ran a')
    expect(handed(await next({ state: { a: {} } }))).toBe('done')
  })

  test.each([0, 1, 2, 17, 50])(
    'runs each item of a loop of %i items with computed ids once, in order',
    async (count) => {
      const items = Array.from({ length: count }, (_, index) => index)
      const next = play(async ({ step, payload }) => {
        for (const item of payload['items'] as number[]) await step.custom(`item-${item}`, gives(`item-${item}`))
      })
      const ran: string[] = []
      for (;;) {
        const state = Object.fromEntries(ran.toReversed().map((id) => [id, {}]))
        const { body } = await next({ payload: { items }, state })
        if (body.done) break
        ran.push(body.step.stepId)
      }
      expect(ran).toEqual(items.map((item) => `item-${item}`))
    },
  )

  test('names the step in the error of its schema, so that the run continues', async () => {
    const next = play(({ step, payload }) =>
      step.custom('a', gives('a'), { outputSchema: (payload['schema'] ?? {}) as never }),
    )
    const { status, body } = await next({ payload: { schema: 5 } })
    expect([status, body.code, body.data]).toEqual([
      500,
      'WorkflowDiscoveryFailedError',
      { stepId: 'a', type: 'custom', errors: [expect.stringContaining('the option outputSchema cannot be used')] },
    ])
  })

  test('reports a missing step id as StepNotFoundError without next', async () => {
    const next = play(two)
    const answer = await next({ next: undefined })
    expect([answer.status, answer.body.code]).toEqual([404, 'StepNotFoundError'])
  })

  test.each([
    ['next', 'yes', '/next'],
    ['taken', [{}], '/taken/0/stepId'],
    ['taken', ['a'], '/taken/0'],
    ['wait', -1, '/wait'],
    ['wait', '1', '/wait'],
    ['stepControls', { a: 1 }, '/stepControls/a'],
    ['describe', [1], '/describe/0'],
    ['final', 'yes', '/final'],
    ['runId', 1, '/runId'],
  ])('rejects an invalid %s with its path', async (field, value, path) => {
    const bridge = createBridge({ workflows: [flow(two)], strictAuthentication: false, logger: silent })
    const { status, body } = await askBridge(bridge, { workflow: 'flow', next: true, [field]: value } as never)
    expect([status, body.code, body.data[0].path]).toEqual([400, 'RequestBodyInvalidError', path])
  })

  test('passes saved controls to the executed step', async () => {
    const next = play(({ step }) => step.custom('a', (controls) => ({ controls })))
    const { body } = await next({ stepControls: { a: { subject: 'S' }, b: { subject: 'other' } } })
    expect(body.outputs).toEqual({ controls: { subject: 'S' } })
  })

  test.each<[string, Run, string | undefined]>([
    ['of a handler', ({ step }) => step.custom('a', throws), 'a'],
    [
      'of the function while a handler runs',
      ({ step }) => Promise.race([step.custom('a', () => sleep(40).then(() => ({}))), sleep(10).then(throws)]),
      'a',
    ],
    ['of the function before its first step', throws, undefined],
  ])('names the reached step to the hook onError for an error %s', async (_where, run, stepId) => {
    const onError = vi.fn()
    await play(run, { hooks: { onError } })()
    await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce())
    expect(onError.mock.calls[0]?.[1]).toMatchObject({ workflowId: 'flow', stepId })
  })

  test('derives the idempotency key from run and step only, in both forms', async () => {
    const run: Run = ({ step }) => step.custom('a', (_, { idempotencyKey }) => ({ idempotencyKey }))
    const next = play(run)
    const keyOf = async (asked: Asked): Promise<unknown> => (await next(asked)).body.outputs.idempotencyKey
    const key = await keyOf({ runId: 'r1' })
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(await keyOf({ runId: 'r1', jobId: 'j', step: 'a', payload: { x: 1 } })).toBe(key)
    expect(await keyOf({ runId: 'r2' })).not.toBe(key)
  })

  test('returns requested manifests with the steps that the run called', async () => {
    const next = play(two)
    expect((await next({ describe: ['a', 'b', 'x'] })).body.metadata.steps).toMatchObject([
      { stepId: 'a', type: 'custom', controls: { schema: {} } },
    ])
    const { metadata } = (await next({ state: { b: {}, a: {} }, describe: ['b'] })).body
    expect(metadata.steps).toMatchObject([{ stepId: 'b' }])
    expect((await next()).body.metadata).not.toHaveProperty('steps')
  })

  test('a schema that cannot be published does not fail a call whose step has run', async () => {
    const mute = { '~standard': { version: 1, vendor: 'mute', validate: (value: unknown) => ({ value }) } } as const
    const next = play(({ step }) => step.custom('a', gives('a'), { outputSchema: mute as never }))
    const { status, body } = await next({ describe: ['a'] })
    expect([status, body.outputs, body.metadata?.steps]).toEqual([200, { id: 'a' }, undefined])
  })

  test('reports that a step skipped itself, and still returns the step', async () => {
    const next = play(({ step }) => step.custom('a', gives('a'), { skip: () => true }))
    expect((await next()).body).toMatchObject({ step: { stepId: 'a' }, outputs: {}, options: { skip: true } })
  })
})

describe('inactivity', () => {
  const behindIo: Run = ({ step }) => {
    void (async () => {
      await sleep(20)
      await step.custom('late', gives('late'))
    })()
  }

  test('is determined only after the I/O of an unawaited branch within the wait, so the step after it is found', async () => {
    expect(handed(await play(behindIo)({ wait: 500 }))).toBe('ran late')
  })

  test('without a wait loses such a step, and the log and onError name it', async () => {
    const error = vi.fn()
    const onError = vi.fn()
    const next = play(behindIo, { logger: { ...silent, error }, hooks: { onError } })
    expect(handed(await next())).toBe('done')
    await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce())
    expect(String(onError.mock.calls[0]?.[0])).toContain(
      '"late" was called after the workflow function had ended: await it',
    )
    expect(onError.mock.calls[0]?.[1]).toMatchObject({ stepId: undefined })
    expect(error.mock.calls).toEqual([[expect.anything(), 'Workflow "flow" failed after its answer was determined.']])
  })

  test('causes no report of a late call to a step that has a result, or of a late call alongside returned steps', async () => {
    const onError = vi.fn()
    const next = play(behindIo, { hooks: { onError } })
    expect(handed(await next({ state: { late: {} } }))).toBe('done')
    expect(handed(await next({ taken: ['other'] }))).toBe('done')
    await sleep(60)
    expect(onError).not.toHaveBeenCalled()
  })

  test('is determined only after the I/O of a branch parallel to a waiting step, so the step after it is found', async () => {
    const next = play(({ step }) =>
      Promise.all([
        step.delay('d', () => ({ amount: 1, unit: 'days' })),
        (async () => {
          await sleep(20)
          await step.custom('now', gives('now'))
        })(),
      ]),
    )
    expect(handed(await next({ taken: ['d'], wait: 500 }))).toEqual(['now'])
    expect(handed(await next({ taken: ['d'] }))).toEqual([])
  })

  test('does not fail a run that continues after I/O and then awaits a returned step', async () => {
    const next = play(async ({ step }) => {
      const handedOut = step.delay('d', () => ({ amount: 1, unit: 'days' }))
      await sleep(20)
      await step.custom('a', gives('a'))
      await handedOut
    })
    expect(handed(await next({ taken: ['d'], state: { a: {} }, wait: 50 }))).toEqual([])
  })

  test('is not needed for I/O before the only step, which is awaited anyway', async () => {
    const next = play(async ({ step }) => {
      await sleep(50)
      await step.custom('a', gives('a'))
    })
    expect(handed(await next())).toBe('ran a')
  })

  test('ends before the deadline even if the wait is longer', async () => {
    const next = play(() => sleep(1), { timeoutMs: 300 })
    expect(handed(await next({ wait: 5000 }))).toBe('done')
  })

  test('does not occur before the deadline if I/O takes longer, and the 504 names the workflow function', async () => {
    const next = play(() => sleep(400), { timeoutMs: 100 })
    const { status, body } = await next()
    expect([status, body.data]).toEqual([504, { timeoutMs: 100 }])
    expect(body.message).toContain('the workflow function')
    expect(body.message).not.toContain('step ""')
  })
})

describe('failures', () => {
  const boom: Run = ({ step }) => {
    void step.custom('a', gives('a'))
    throw new Error('boom')
  }

  test('are reported after open steps have run and returned steps are finished', async () => {
    const next = play(boom)
    expect(handed(await next())).toBe('ran a')
    expect(handed(await next({ taken: ['a'] }))).toEqual([])
    const { status, body } = await next({ state: { a: {} } })
    expect([status, body.code]).toEqual([502, 'WorkflowExecutionFailedError'])
    expect(body.message).toContain('boom')
  })

  test('in one branch do not lose the step of another', async () => {
    const next = play(({ step }) =>
      Promise.all([
        step.custom('a', gives('a')),
        (async () => {
          throw new Error('boom')
        })(),
      ]),
    )
    expect(handed(await next())).toBe('ran a')
    expect(handed(await next({ state: { a: {} } }))).toBe('WorkflowExecutionFailedError')
  })

  test.each<[string, string, Run]>([
    ['a handler that throws', 'StepExecutionFailedError', ({ step }) => step.custom('a', throws)],
    [
      'a handler that hangs',
      'StepExecutionTimeoutError',
      ({ step }) => step.custom('a', () => new Promise<never>(() => undefined)),
    ],
    ['a wrong output', 'ExecutionStateOutputInvalidError', ({ step }) => step.custom('a', () => 1 as never)],
    [
      'a wrong control',
      'ExecutionStateControlInvalidError',
      ({ step }) =>
        step.custom('a', gives('a'), {
          controlSchema: { type: 'object', properties: { n: { type: 'number', default: 'x' } } } as never,
        }),
    ],
    [
      'an unknown provider',
      'ProviderNotFoundError',
      ({ step }) => step.sms('a', () => ({ body: 'b' }), { providers: { pigeon: () => ({}) } as never }),
    ],
  ])('%s names the step', async (_name, code, run) => {
    const { body } = await play(run, { timeoutMs: 100 })()
    expect(body).toMatchObject({ code, data: { stepId: 'a', type: expect.any(String) } })
  })
})

describe('a dispatched step', () => {
  test('is executed by its id, with the controls from the call', async () => {
    const next = play(({ step }) =>
      Promise.all([step.custom('a', (controls) => ({ controls })), step.custom('b', gives('b'))]),
    )
    const { body } = await next({ step: 'a', taken: ['a', 'b'], controls: { x: 1 } })
    expect(body).toMatchObject({ outputs: { controls: { x: 1 } }, options: { skip: false } })
    expect(body.metadata).not.toHaveProperty('open')
  })

  test('is awaited after I/O, even if a step without a result comes before it for other data', async () => {
    const next = play(async ({ step, payload }) => {
      const first = (): unknown => step.custom('first', gives('first'))
      const then = (): unknown => step.custom('a', gives('a'))
      if (payload['parallel']) await Promise.all([first(), sleep(600).then(then)])
      else {
        await first()
        await then()
      }
    })
    const asked = { step: 'a', payload: { parallel: true } }
    expect((await next({ ...asked, taken: ['a', 'first'] })).body).toMatchObject({ outputs: { id: 'a' } })
  })

  test('that is not reached is reported as not reached, and not as skipped by itself', async () => {
    const next = play(async ({ step, payload }) => {
      if (payload['yes']) await step.custom('a', gives('a'))
    })
    const { status, body } = await next({ step: 'a' })
    expect([status, body.options, body.metadata.reached]).toEqual([200, { skip: true }, false])
    expect((await next({ step: 'a', payload: { yes: true } })).body.metadata).not.toHaveProperty('reached')
  })

  test('that a deployment removed is reported as not reached, not as not found', async () => {
    const { status, body } = await play(two)({ step: 'gone', state: { b: {}, a: {} } })
    expect([status, body.metadata?.reached]).toEqual([200, false])
  })
})

test('lists at most 50 other open steps in the reply for one step', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `s${index}`)
  const next = play(({ step }) => Promise.all(ids.map((id) => step.custom(id, gives(id)))))
  const { metadata } = (await next({ next: undefined, step: 's3' })).body
  expect(metadata.open).toEqual(
    ids
      .filter((id) => id !== 's3')
      .slice(0, 50)
      .map((stepId) => ({ stepId, type: 'custom' })),
  )
})

describe('the final step', () => {
  const isFinal = async (run: Run, asked: Asked = {}): Promise<unknown> => {
    const { body } = await play(run)({ final: true, ...asked })
    return [handed({ body } as Answer), body.metadata?.final]
  }
  const message = (): { body: string } => ({ body: 'Hello' })

  test.each<[string, Run, Asked, unknown]>([
    ['a single message', ({ step }) => step.sms('a', message), {}, ['ran a', true]],
    ['the first of two steps', two, {}, ['ran a', undefined]],
    ['the second of two steps', two, { state: { a: {} } }, ['ran b', true]],
    ['a step without await', ({ step }) => void step.custom('a', gives('a')), {}, ['ran a', true]],
    [
      'a condition on its result that is false',
      async ({ step }) => {
        const { id } = (await step.custom('a', gives('a'))) as Record<string, unknown>
        if (id === 'b') await step.sms('b', message)
      },
      {},
      ['ran a', true],
    ],
    [
      'a condition on its result that is true',
      async ({ step }) => {
        const { id } = (await step.custom('a', gives('a'))) as Record<string, unknown>
        if (id === 'a') await step.sms('b', message)
      },
      {},
      ['ran a', undefined],
    ],
    [
      'an in-app message that has not been read',
      async ({ step }) => {
        const { read } = await step.inApp('a', message)
        if (!read) await step.sms('b', message)
      },
      {},
      ['ran a', undefined],
    ],
    ['a step that skips itself', ({ step }) => step.sms('a', message, { skip: () => true }), {}, ['ran a', undefined]],
    [
      'a wait',
      ({ step }) => step.delay('a', () => ({ type: 'regular', amount: 1, unit: 'hours' })),
      {},
      ['ran a', undefined],
    ],
    [
      'a function that throws afterwards',
      async ({ step }) => {
        await step.sms('a', message)
        throw new Error('no')
      },
      {},
      ['ran a', undefined],
    ],
    [
      'a function that awaits something else',
      async ({ step }) => {
        await sleep(1)
        await step.sms('a', message)
      },
      {},
      ['ran a', undefined],
    ],
    ['a call that does not ask', ({ step }) => step.sms('a', message), { final: undefined }, ['ran a', undefined]],
    [
      'many stored results',
      async ({ step }) => {
        for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) await step.custom(id, gives(id))
      },
      { state: Object.fromEntries('hgfedcba'.split('').map((id) => [id, {}])) },
      ['ran i', undefined],
    ],
  ])('%s', async (_, run, asked, expected) => {
    expect(await isFinal(run, asked)).toEqual(expected)
  })

  test('is found without running a handler, and on unchanged data', async () => {
    const handler = vi.fn(() => ({ body: 'Hello' }))
    const run: Run = async ({ step, payload }) => {
      payload['count'] = Number(payload['count']) + 1
      await step.sms('a', handler)
      if (payload['count'] === 2) await step.sms('b', handler)
    }
    expect(await isFinal(run, { payload: { count: 0 } })).toEqual(['ran a', true])
    expect(await isFinal(run, { payload: { count: 1 } })).toEqual(['ran a', undefined])
    expect(handler).toHaveBeenCalledTimes(2)
  })
})
