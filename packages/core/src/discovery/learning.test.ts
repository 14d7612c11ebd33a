import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type Answer, askBridge, flow } from '../call-bridge.fixture.ts'
import { createBridge } from '../http/create-bridge.ts'
import type { Step } from '../workflow/steps/step-kinds.ts'
import { type WorkflowDefinition, workflow } from '../workflow/workflow.ts'

const sms = (step: Step, id: string): Promise<unknown> => step.sms(id, () => ({ body: id }))
// This text is not in the source of any function, so no sample equals it.
const secret = ['qu', 'ux'].join('')

interface Bridge {
  readonly warn: ReturnType<typeof vi.fn>
  ask(asked: object): Promise<Answer>
  list(): Promise<string[]>
  warnings(): Promise<{ code: string; message: string }[]>
}

function bridgeOf(tested: WorkflowDefinition): Bridge {
  const warn = vi.fn()
  const logger = { warn, error: () => undefined }
  const bridge = createBridge({ workflows: [tested], strictAuthentication: false, logger, timeoutMs: 3000 })
  const ask = (asked: object): Promise<Answer> => askBridge(bridge, { workflow: tested.id, ...asked })
  const discover = async (): Promise<Answer['body']> => (await ask({ action: 'discover' })).body.workflows[0]
  return {
    warn,
    ask,
    list: async () => (await discover()).steps.map(({ stepId }: { stepId: string }) => stepId),
    warnings: async () => (await discover()).warnings,
  }
}

const hidden = flow(async ({ step, payload }) => {
  await sms(step, 'first')
  if (payload['kind'] === secret) await sms(step, 'many')
  await sms(step, 'last')
})

describe('a step that is only known from the source text', () => {
  const written = flow(async ({ step, payload }) => {
    await sms(step, 'first')
    if (payload['kind'] === secret) await step.sms('rare', () => ({ body: 'rare' }))
    for (const id of ['last']) await sms(step, id)
  })

  it('is listed last, and blocks steps that wait for it while it is open, even after a run has reached it', async () => {
    const bridge = bridgeOf(written)
    expect(await bridge.list()).toEqual(['first', 'last', 'rare'])
    for (let count = 0; count < 2; count++) {
      const { status, body } = await bridge.ask({ step: 'last', payload: { kind: secret }, state: { first: {} } })
      expect([status, body.code, body.data.stepId]).toEqual([400, 'ExecutionStateCorruptError', 'rare'])
    }
    const state = { rare: {}, first: {} }
    expect((await bridge.ask({ step: 'last', payload: { kind: secret }, state })).body.outputs).toEqual({
      body: 'last',
    })
    expect((await bridge.ask({ step: 'rare', payload: {}, state: { last: {}, first: {} } })).body.options).toEqual({
      skip: true,
    })
  })
})

describe('a step that discovery has missed', () => {
  const asked = { step: 'last', payload: { kind: secret }, state: { first: {} } }

  it('is reported if it blocks another step, and then listed so that it no longer does', async () => {
    const bridge = bridgeOf(hidden)
    expect(await bridge.list()).toEqual(['first', 'last'])
    expect((await bridge.warnings()).map(({ code }) => code)).toEqual(['DiscoveryIncomplete'])
    const blocked = await bridge.ask(asked)
    expect([blocked.status, blocked.body.code, blocked.body.data.stepId]).toEqual([
      400,
      'ExecutionStateCorruptError',
      'many',
    ])
    expect(blocked.body.message).toMatch(/sync again/)
    expect(bridge.warn.mock.calls.flat()).toContainEqual(
      expect.stringMatching(/a run reached step "many", which discovery did not/),
    )
    expect(await bridge.list()).toEqual(['first', 'many', 'last'])
    expect(await bridge.warnings()).toContainEqual({
      code: 'StepNotListed',
      message: expect.stringMatching(/"many".*sync again/),
    })
    const many = await bridge.ask({ ...asked, step: 'many' })
    expect(many.body.outputs).toEqual({ body: 'many' })
    expect((await bridge.ask({ ...asked, state: { many: {}, first: {} } })).body.outputs).toEqual({ body: 'last' })
    // The condition of the step is false for other data.
    expect((await bridge.ask({ step: 'many', payload: {}, state: { first: {} } })).body.options).toEqual({ skip: true })
  })

  it('is named in the reply of the run that reached it, and logged once', async () => {
    const bridge = bridgeOf(hidden)
    await bridge.list()
    const replies = [await bridge.ask({ ...asked, step: 'many' }), await bridge.ask({ ...asked, step: 'many' })]
    expect(replies.map(({ body }) => body.metadata.warnings)).toEqual([
      [{ code: 'StepNotListed', message: expect.stringMatching(/"many"/) }],
      undefined,
    ])
    expect(bridge.warn.mock.calls.flat().filter((text) => String(text).includes('"many"'))).toHaveLength(1)
  })

  it('is listed even if it was reached before the first discover', async () => {
    const bridge = bridgeOf(hidden)
    await bridge.ask({ ...asked, step: 'many' })
    expect(await bridge.list()).toEqual(['first', 'many', 'last'])
  })

  it('is not skipped while an earlier step waits, even if no discovery run contains both', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const bridge = bridgeOf(
      flow(async ({ step }) => {
        await sms(step, 'first')
        const gate = (await step.custom('gate', () => ({}), {
          outputSchema: z.object(Object.fromEntries(names.map((name) => [name, z.boolean()]))),
        })) as Record<string, boolean>
        // Long enough to count as other work even on a busy machine.
        await new Promise((resolve) => setTimeout(resolve, 25))
        if (names.every((name, index) => gate[name] === (index % 2 === 0))) await sms(step, 'many')
        await sms(step, 'last')
      }),
    )
    expect(await bridge.list()).toEqual(['first', 'gate', 'last'])
    const gate = Object.fromEntries(names.map((name, index) => [name, index % 2 === 0]))
    await bridge.ask({ step: 'many', state: { gate, first: {} } })
    expect(await bridge.list()).toContain('many')
    for (const state of [{}, { first: {} }]) {
      const { status, body } = await bridge.ask({ step: 'many', state })
      expect([status, body.code]).toEqual([400, 'ExecutionStateCorruptError'])
    }
  })

  it('is remembered with its schemas, up to fifty steps', async () => {
    const bridge = bridgeOf(
      flow(async ({ step, payload }) => {
        const id = String(payload['id'])
        if (id.length === 0 || !id.startsWith(secret)) return
        await step.custom(id, () => ({ n: 1 }), {
          outputSchema: z.object({ n: z.number() }),
          skip: () => payload['x'] as never,
        })
      }),
    )
    await bridge.list()
    for (let n = 0; n < 60; n++) await bridge.ask({ step: `${secret}${n}`, payload: { id: `${secret}${n}` } })
    const { body } = await bridge.ask({ action: 'discover' })
    expect(body.workflows[0].steps).toHaveLength(50)
    expect(body.workflows[0].steps[0].outputs.schema).toMatchObject({ properties: { n: { type: 'number' } } })
  })
})

const list = z.array(z.object({ id: z.string() }))
interface Context {
  readonly step: Step
  readonly payload: { items: { id: string }[]; total: number; status: string }
  readonly subscriber: { locale?: string | null; data?: Record<string, unknown> }
  readonly env: Record<string, unknown>
}

describe('sample data and literals', () => {
  const cases: readonly [string, (context: Context) => Promise<unknown>][] = [
    [
      'a length of digest events',
      async ({ step }) => {
        const digest = await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
        if (digest.events.length > 2) await sms(step, 'found')
      },
    ],
    [
      'a length beyond ten',
      async ({ step, payload }) => {
        if (payload.items.length > 10) await sms(step, 'found')
      },
    ],
    [
      'a negative number',
      async ({ step, payload }) => {
        if (payload.total < 0) await sms(step, 'found')
      },
    ],
    [
      'a range',
      async ({ step, payload }) => {
        if (payload.total > 3 && payload.total < 10) await sms(step, 'found')
      },
    ],
    [
      'a plain text',
      async ({ step, payload }) => {
        if (payload.status === 'paid') await sms(step, 'found')
      },
    ],
    [
      'a locale',
      async ({ step, subscriber }) => {
        if (subscriber.locale === 'de') await sms(step, 'found')
      },
    ],
    [
      'a field of the recipient without a schema',
      async ({ step, subscriber }) => {
        if (subscriber.data?.['plan'] === 'pro') await sms(step, 'found')
      },
    ],
    [
      'an environment variable',
      async ({ step, env }) => {
        if (env['REGION'] === 'eu') await sms(step, 'found')
      },
    ],
    [
      'a result without a schema',
      async ({ step }) => {
        const loaded = await step.custom('load', () => ({}))
        if (loaded['state'] === 'ready') await sms(step, 'found')
      },
    ],
    [
      'a status',
      async ({ step }) => {
        const sent = await step.sms('sent', () => ({ body: '' }))
        if (sent._ctx.state.status === 'failed') await sms(step, 'found')
      },
    ],
    [
      'two texts and a number together',
      async ({ step, payload, subscriber }) => {
        if (payload.status === 'paid' && subscriber.locale === 'de' && payload.total > 100) await sms(step, 'found')
      },
    ],
  ]
  it.each(cases)('reach %s', async (_name, run) => {
    const payloadSchema = z.object({ items: list, total: z.number(), status: z.string() })
    expect(await bridgeOf(workflow('flow', run as never, { payloadSchema })).list()).toContain('found')
    expect(await bridgeOf(workflow('flow', run as never)).list()).toContain('found')
  })

  const untyped: readonly [string, Parameters<typeof flow>[0]][] = [
    ['===', async ({ step, payload }) => payload['kind'] === 'a' && sms(step, 'found')],
    [
      'switch',
      async ({ step, payload }) => {
        switch (payload['kind']) {
          case 'a':
            return sms(step, 'other')
          case 'b':
            return sms(step, 'found')
        }
      },
    ],
    ['typeof', async ({ step, payload }) => typeof payload['kind'] === 'string' && sms(step, 'found')],
  ]
  it.each(untyped)('reach a step without a schema: %s', async (_name, run) => {
    expect(await bridgeOf(flow(run)).list()).toContain('found')
  })
})

describe('warnings', () => {
  const codesOf = async (tested: WorkflowDefinition): Promise<string[]> =>
    (await bridgeOf(tested).warnings()).map(({ code }) => code)

  it('are published, and can be empty', async () => {
    expect(await codesOf(flow(({ step }) => step.sms('a', () => ({ body: 'a' }))))).toEqual([])
  })

  it.each<[string, string, Parameters<typeof flow>[0], RegExp]>([
    ['a workflow without steps', 'NoStepsFound', async () => undefined, /started no step/],
    [
      'conditions that nothing meets',
      'NoStepsFound',
      async ({ step, payload }) => payload['x'] === secret && sms(step, 'a'),
      /payloadSchema/,
    ],
    [
      'a delay that is not awaited',
      'StepNotAwaited',
      async ({ step }) => {
        void step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
        await sms(step, 'a')
      },
      /await step\.delay\('wait'/,
    ],
    [
      'an order that depends on data',
      'StepOrderDependsOnData',
      async ({ step, payload }) => {
        for (const id of payload['turned'] ? ['b', 'a'] : ['a', 'b']) await sms(step, id)
      },
      /"a", "b"|"b", "a"/,
    ],
  ])('name the problem: %s', async (_name, code, run, message) => {
    const bridge = bridgeOf(flow(run))
    expect(await bridge.warnings()).toContainEqual({ code, message: expect.stringMatching(message) })
    expect(bridge.warn.mock.calls.flat()).toContainEqual(expect.stringMatching(message))
  })

  it.each<[string, Parameters<typeof flow>[0]]>([
    [
      'a race with a delay',
      async ({ step }) => {
        await Promise.race([sms(step, 'a'), step.delay('wait', () => ({ amount: 1, unit: 'hours' }))])
      },
    ],
    [
      'a delay that is awaited later',
      async ({ step }) => {
        const wait = step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
        await sms(step, 'a')
        await wait
      },
    ],
    ['a delay that is returned', ({ step }) => step.delay('wait', () => ({ amount: 1, unit: 'hours' }))],
    [
      'ids that are counted',
      async ({ step, payload }) => {
        for (const [index] of (payload['items'] as unknown[]).entries()) await sms(step, `item-${index}`)
      },
    ],
    [
      'parallel branches of different lengths',
      async ({ step, payload }) => {
        const branch = async (id: string, long: unknown): Promise<void> => {
          if (long) await sms(step, `${id}-more`)
          await sms(step, `${id}-1`)
          await sms(step, `${id}-2`)
        }
        await Promise.all([branch('a', payload['x']), branch('b', payload['y'])])
      },
    ],
  ])('are not given for %s', async (_name, run) => {
    const codes = await codesOf(flow(run))
    expect(codes.filter((code) => code !== 'DiscoveryIncomplete')).toEqual([])
  })
})
