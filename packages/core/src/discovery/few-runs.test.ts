import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Answer, ask, askBridge, silent } from '../call-bridge.fixture.ts'
import { createBridge } from '../http/create-bridge.ts'
import { workflow } from '../workflow/workflow.ts'

// biome-ignore lint/suspicious/noExplicitAny: manifests of any shape.
type Data = any

const discover = async (tested: Parameters<typeof ask>[0]): Promise<Data> =>
  (await ask(tested, { action: 'discover' })).body.workflows[0]
const body = { body: 'x' }
const hidden = ['hid', 'den'].join('')

describe('the runs of discovery', () => {
  const payloadSchema = z.object({
    plan: z.enum(['free', 'pro', 'team']),
    vip: z.boolean(),
    note: z.string().optional(),
    total: z.number(),
    status: z.string(),
    items: z.array(z.object({ sku: z.string(), count: z.number() })),
    by: z.union([z.object({ type: z.literal('card') }), z.object({ type: z.literal('cash') })]),
  })
  type Context = { step: Data; payload: z.infer<typeof payloadSchema>; subscriber: Data }

  it.each<[string, (context: Context) => unknown]>([
    ['an enum', ({ payload }) => payload.plan === 'team'],
    ['a boolean', ({ payload }) => !payload.vip],
    ['an optional field', ({ payload }) => payload.note === undefined],
    ['a union', ({ payload }) => payload.by.type === 'cash'],
    ['no item', ({ payload }) => payload.items.length === 0],
    ['two items', ({ payload }) => payload.items.length > 1],
    ['a large number', ({ payload }) => payload.total > 5000],
    ['a text of the function', ({ payload }) => payload.status === 'paid'],
    ['a negative number', ({ payload }) => payload.total < -5],
    [
      'a negative case',
      ({ payload }) => {
        switch (payload.total) {
          case -7:
            return true
          default:
            return false
        }
      },
    ],
    ['a range', ({ payload }) => payload.total >= 50 && payload.total < 60],
    ['many items', ({ payload }) => payload.items.length > 10],
    ['a field of an item', ({ payload }) => payload.items.some(({ sku }) => sku === 'gift')],
    ['a list of texts', ({ payload }) => ['open', 'late'].includes(payload.status)],
    ['a beginning', ({ payload }) => payload.status.startsWith('ORD-')],
    ['the recipient', ({ subscriber }) => subscriber.locale === 'de' && subscriber.phone],
    ['three at once', ({ payload }) => payload.vip && payload.plan === 'pro' && payload.status === 'sent'],
  ])('reach a step that depends on %s', async (_name, isMet) => {
    const make = new Function(
      `return async (context) => { if ((${String(isMet)})(context)) await context.step.sms('met', () => ({ body: 'x' })) }`,
    )
    for (const options of [{ payloadSchema }, {}]) {
      const { steps } = await discover(workflow('w', make(), options))
      expect(steps.filter(({ reached }: Data) => reached !== false)).toHaveLength(1)
    }
  })

  it('try more items of a list, even if many other values are to be tried', async () => {
    const { steps } = await discover(
      workflow('w', async ({ step, payload }: Data) => {
        if (payload.name.startsWith('gold')) await step.sms('gold', () => body)
        for (const id of ['one', 'two']) {
          const { result } = await step.custom(`try-${id}`, () => ({ a: 1 }), { onFailure: 'return' })
          if (result?.tier === 'pro') break
        }
        await Promise.all(payload.items.map((_: Data, at: number) => step.sms(`item-${at}`, () => body)))
      }),
    )
    const ids = steps.map(({ stepId }: Data) => stepId)
    expect(ids.slice(0, 5)).toEqual(['gold', 'try-one', 'try-two', 'item-0', 'item-1'])
  })

  it('are limited to 32, plus one repetition of the first', async () => {
    let runs = 0
    const fields = Array.from({ length: 60 }, (_, index) => `field${index}`)
    const tested = workflow('w', async ({ step, payload }) => {
      runs++
      for (const field of fields) if (payload[field]) await step.sms(`on-${field}`, () => body)
      if (payload['kind'] === hidden) await step.sms('never', () => body)
    })
    const { steps } = await discover(tested)
    expect(runs).toBeLessThanOrEqual(33)
    expect(steps.filter(({ reached }: Data) => reached !== false)).toHaveLength(60)
  })

  it('are two for a function that reads nothing', async () => {
    let runs = 0
    await discover(
      workflow('w', async ({ step }) => {
        runs++
        await step.sms('a', () => body)
      }),
    )
    expect(runs).toBe(2)
  })

  it('are at most four for a function that awaits other work', async () => {
    let runs = 0
    await discover(
      workflow('w', async ({ step, payload }) => {
        runs++
        await new Promise((resolve) => setTimeout(resolve, 2))
        for (const field of ['a', 'b', 'c', 'd', 'e']) if (payload[field]) await step.sms(field, () => body)
      }),
    )
    expect(runs).toBe(4)
  })
})

describe('a step that is only known from the source text', () => {
  const order = workflow('order', async ({ step, payload }) => {
    await step.inApp('first', () => body)
    if (payload['kind'] === hidden)
      await step.email('mail', () => ({ subject: 's', body: 'b' }), { controlSchema: z.object({ a: z.string() }) })
    for (const [index] of [1, 2].entries()) await step.sms(`item-${index}`, () => body)
    if (payload['kind'] === hidden) await step.push('push', () => ({ subject: 's', body: 'b' }))
    await step.sms('last', () => body)
  })

  it('is listed in its position, with a warning that says how to reach it', async () => {
    const { steps, complete, warnings } = await discover(order)
    expect(steps.map(({ stepId, reached, conditional }: Data) => [stepId, reached, conditional])).toEqual([
      ['first', undefined, true],
      ['item-0', undefined, true],
      ['item-1', undefined, true],
      ['mail', false, true],
      ['push', false, true],
      ['last', undefined, true],
    ])
    expect(steps[3]).toMatchObject({ type: 'email', controls: { schema: {} } })
    expect(new Set(steps.map(({ parallelGroup }: Data) => parallelGroup)).size).toBe(6)
    expect(complete).toBe(false)
    expect(warnings.map(({ code }: Data) => code)).toEqual(['StepNotReached', 'DiscoveryIncomplete'])
    expect(warnings[0].message).toMatch(/"mail", "push".*samples: \[\{ payload: \{ … \} \}\]/)
  })

  it('runs like any other, and then has its controls listed', async () => {
    const bridge = createBridge({ workflows: [order], strictAuthentication: false, logger: silent })
    const call = (asked: object): Promise<Answer> => askBridge(bridge, { workflow: 'order', ...asked })
    const list = async (): Promise<Data> => (await call({ action: 'discover' })).body.workflows[0].steps
    await list()
    const state = { 'item-1': 'skipped', 'item-0': 'skipped', first: 'skipped' }
    const asked = { step: 'mail', controls: { a: 'x' }, state }
    expect((await call({ ...asked, payload: {} })).body).toMatchObject({
      options: { skip: true },
      metadata: { reached: false },
    })
    const { status, body: reply } = await call({ ...asked, payload: { kind: hidden } })
    expect([status, reply.options, reply.metadata.warnings]).toEqual([200, { skip: false }, undefined])
    const mail = (await list()).find(({ stepId }: Data) => stepId === 'mail')
    expect([mail.reached, mail.controls.schema.properties]).toEqual([undefined, { a: { type: 'string' } }])
  })
})

describe('samples', () => {
  const payloadSchema = z.object({ total: z.number(), kind: z.string() })
  const run = async ({ step, payload, subscriber }: Data): Promise<void> => {
    const loaded = await step.custom('load', () => ({}))
    if (payload.kind === hidden) await step.sms('sample', () => ({ body: `${payload.kind} ${payload.total}` }))
    if (loaded.plan === hidden) await step.sms('result', () => ({ body: subscriber.firstName }))
  }
  const samples = [
    { payload: { total: 7, kind: hidden } },
    { results: { load: { plan: hidden } }, subscriber: { firstName: 'Eve' } },
  ]

  it('are run first, so that the steps they reach are listed completely', async () => {
    const { steps, warnings } = await discover(workflow('w', run, { payloadSchema, samples }))
    expect(steps.map(({ stepId, reached }: Data) => [stepId, reached])).toEqual([
      ['load', undefined],
      ['sample', undefined],
      ['result', undefined],
    ])
    expect(warnings).toEqual([])
  })

  it('are shown in a preview', async () => {
    const tested = workflow('w', run, { payloadSchema, samples })
    const preview = async (step: string, payload = {}): Promise<Data> =>
      (await ask(tested, { action: 'preview', step, payload })).body.outputs
    expect(await preview('sample')).toEqual({ body: `${hidden} 7` })
    expect(await preview('result')).toEqual({ body: 'Eve' })
    expect(await preview('sample', { total: 1, kind: hidden })).toEqual({ body: `${hidden} 1` })
  })

  it('are published as examples of the payload', async () => {
    const { payload } = await discover(workflow('w', run, { payloadSchema, samples }))
    expect(payload.schema.examples).toEqual([{ total: 7, kind: hidden }])
  })

  const envSchema = z.object({ region: z.enum(['eu', 'us']), limit: z.coerce.number() })
  const outputSchema = z.object({ rate: z.number(), day: z.string() })
  const rated = (sample: Data): Promise<Data> =>
    ask(
      workflow('w', ({ step }: Data) => step.custom('load', () => ({}), { outputSchema }), {
        envSchema,
        samples: [{}, sample],
      }),
      { action: 'discover' },
    )

  it.each<[string, Data, RegExp]>([
    ['variable', { env: { region: 'EU' } }, /the env of samples\[1\] does not match the envSchema\. \/region: /],
    [
      'result',
      { results: { load: { rate: '1.08' } } },
      /the result of step "load" in samples\[1\] does not match its schema\. \/rate: /,
    ],
  ])('must match the schema of a %s', async (_what, sample, message) => {
    const { status, body } = await rated(sample)
    expect([status, body.code]).toEqual([500, 'WorkflowDiscoveryFailedError'])
    expect(body.message).toMatch(message)
  })

  it('may contain only some variables and some fields of a result', async () => {
    expect((await rated({ env: { region: 'us' }, results: { load: { rate: 1.08 } } })).status).toBe(200)
  })

  it('must match the schema', async () => {
    const wrong = workflow('w', run, { payloadSchema, samples: [{ payload: { total: 'x', kind: 'y' } as never }] })
    const { status, body: reply } = await ask(wrong, { action: 'discover' })
    expect([status, reply.code]).toEqual([500, 'WorkflowDiscoveryFailedError'])
    expect(reply.message).toMatch(/samples\[0\] does not match the payloadSchema\. \/total/)
    expect(() => workflow('w', run, { samples: [{ body: {} }] as never })).toThrow(
      /samples must be a list of objects with payload/,
    )
  })
})

it('returns the same bytes alone and among many calls, without waiting for a slow function', async () => {
  const make = (id: string): ReturnType<typeof workflow> =>
    workflow(id, async ({ step, payload }) => {
      if (payload['a'] && payload['b'] === 'x') await step.sms('a', () => body)
      await Promise.all([step.sms('b', () => body), payload['c'] ? step.sms('c', () => body) : undefined])
    })
  const slow = (id: string): ReturnType<typeof workflow> =>
    workflow(id, async ({ step }) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await step.sms('a', () => body)
    })
  const alone = await discover(make('w'))
  const many = [
    ...Array.from({ length: 5 }, (_, index) => slow(`slow${index}`)),
    make('w'),
    ...[1, 2, 3].map((index) => make(`w${index}`)),
  ]
  const { body: all } = await ask(many, { action: 'discover' })
  expect(JSON.stringify(all.workflows[5])).toBe(JSON.stringify(alone))
})
