import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type Answer, type Ask, ask, flow } from '../call-bridge.fixture.ts'
import type { Step } from '../workflow/steps/step-kinds.ts'
import { type WorkflowDefinition, workflow } from '../workflow/workflow.ts'

const preview = (definition: WorkflowDefinition, asked: Ask = {}): Promise<Answer> =>
  ask(definition, { action: 'preview', step: 'show', ...asked })

/** Returns the payload with which a workflow with this schema is previewed. */
async function payloadOf(payloadSchema: unknown, asked: Ask = {}): Promise<unknown> {
  const definition = workflow(
    'shown',
    async ({ step, payload }) => {
      await step.custom('show', () => ({ payload }))
    },
    { payloadSchema: payloadSchema as z.ZodType },
  )
  const { status, body } = await preview(definition, asked)
  expect([status, body.message]).toEqual([200, undefined])
  return body.outputs.payload
}

const text = { type: 'string' }

describe('the payload of a preview', () => {
  const fields: readonly [name: string, schema: unknown, expected: unknown][] = [
    ['a default', { type: 'string', default: 'Ada' }, 'Ada'],
    ['a default before an example', { type: 'number', default: 3, examples: [9] }, 3],
    ['an example', { type: 'string', examples: ['Ada', 'Ben'] }, 'Ada'],
    ['an example of an object', { type: 'object', properties: { a: text }, examples: [{ a: 'A' }] }, { a: 'A' }],
    ['a default of an object', { type: 'object', properties: { a: text }, default: { a: 'A' } }, { a: 'A' }],
    ['an example of a list', { type: 'array', items: text, examples: [['A', 'B', 'C']] }, ['A', 'B', 'C']],
    ['a default of a list', { type: 'array', items: text, default: [] }, []],
    ['the first of an enum', { enum: ['gold', 'silver'] }, 'gold'],
    ['a constant', { const: 7 }, 7],
    ['a text named after the property', text, 'field'],
    ['a text of a length', { type: 'string', minLength: 8, maxLength: 9 }, 'fieldxxx'],
    ['a number', { type: 'number' }, 1],
    ['a number in its bounds', { type: 'integer', minimum: 10, maximum: 20 }, 10],
    ['a number above a bound', { type: 'integer', exclusiveMinimum: 10 }, 11],
    ['a boolean', { type: 'boolean' }, true],
    ['the default of a boolean', { type: 'boolean', default: false }, false],
    ['what is there of a nullable', { type: ['null', 'string'] }, 'field'],
    [
      'the branch of a union',
      { anyOf: [{ type: 'object', properties: { id: text } }, { type: 'null' }] },
      { id: 'id' },
    ],
    ['two items of a list', { type: 'array', items: text }, ['field', 'field-2']],
    ['as many items as must be', { type: 'array', items: text, minItems: 3 }, ['field', 'field-2', 'field-3']],
    ['as many items as may be', { type: 'array', items: text, maxItems: 1 }, ['field']],
    ['an email address', { type: 'string', format: 'email' }, 'user@example.com'],
    ['a URL', { type: 'string', format: 'uri' }, 'https://example.com/'],
    ['a time', { type: 'string', format: 'date-time' }, '2026-01-01T12:00:00.000Z'],
    ['a date', { type: 'string', format: 'date' }, '2026-01-01'],
    ['a UUID', { type: 'string', format: 'uuid' }, '00000000-0000-4000-8000-000000000001'],
    ['nothing of an open object', { type: 'object' }, {}],
  ]
  it.each(fields)('%s', async (_name, schema, expected) => {
    expect(await payloadOf({ type: 'object', properties: { field: schema }, required: ['field'] })).toEqual({
      field: expected,
    })
    // An optional property is included as well.
    expect(await payloadOf({ type: 'object', properties: { field: schema } })).toEqual({ field: expected })
  })

  it('is shown completely, with optional properties at every depth and named list items', async () => {
    const schema = z.object({
      id: z.string(),
      vip: z.boolean().optional(),
      note: z.string().nullable().optional(),
      orders: z.array(z.object({ sku: z.string(), count: z.number().int().min(1).optional() })).optional(),
      address: z.object({ city: z.string().optional() }).optional(),
    })
    expect(await payloadOf(schema)).toEqual({
      id: 'id',
      vip: true,
      note: 'note',
      orders: [
        { sku: 'sku', count: 1 },
        { sku: 'sku-2', count: 2 },
      ],
      address: { city: 'city' },
    })
  })

  it('is the given data with missing required values filled in, at every depth', async () => {
    const schema = {
      type: 'object',
      required: ['id', 'address', 'orders'],
      properties: {
        id: text,
        note: text,
        plan: { type: 'string', default: 'free' },
        orders: { type: 'array', items: { type: 'object', properties: { sku: text, url: text }, required: ['url'] } },
        address: { type: 'object', properties: { city: text, zip: text } },
        tags: { type: 'array', items: text },
      },
    }
    const payload = { address: { city: 'Ulm' }, tags: ['a'], orders: [{ sku: '1' }, { url: 'x' }], more: { x: null } }
    expect(await payloadOf(schema, { payload })).toEqual({
      ...payload,
      id: 'id',
      plan: 'free',
      orders: [{ sku: '1', url: 'https://example.com/' }, { url: 'x' }],
    })
    expect(await payloadOf(schema, { payload: { note: 'n' } })).toEqual({
      ...{ note: 'n', id: 'id', plan: 'free', address: {}, orders: expect.any(Array) },
    })
    expect(await payloadOf(schema, { payload: JSON.parse('{"__proto__":{"admin":true}}') })).not.toHaveProperty('admin')
  })

  it('keeps a given union, and fills in its branch', async () => {
    const card = z.object({ kind: z.literal('card'), last4: z.string() })
    const bank = z.object({ kind: z.literal('bank'), iban: z.string(), note: z.string().optional() })
    const schema = z.object({ pay: z.union([card, bank]), vip: z.boolean().optional() })
    expect(await payloadOf(schema, { payload: { pay: { kind: 'bank' } } })).toEqual({
      pay: { kind: 'bank', iban: 'iban' },
    })
  })

  it.each<[string, Record<string, unknown>, (context: never) => Promise<unknown>, unknown]>([
    [
      'a redirect',
      { url: { type: 'string' } },
      async ({ step, payload }: { step: Step; payload: { url?: string } }) => {
        const { url } = payload
        await step.inApp('show', () => ({ body: 'x', ...(url && { redirect: { url } }) }))
      },
      { body: 'x' },
    ],
    [
      'a schedule',
      { cron: { type: 'string' } },
      async ({ step, payload }: { step: Step; payload: { cron?: string } }) => {
        await step.digest('show', () => ({ cron: payload.cron ?? '0 18 * * *' }))
      },
      { cron: '0 18 * * *' },
    ],
  ])('supports an optional field for %s, sent or not', async (_name, properties, run, expected) => {
    const definition = workflow('shown', run as never, {
      payloadSchema: { type: 'object', properties: { ...properties, id: text } } as never,
    })
    // Without input, all values are samples and must pass the validation of the step's output.
    expect((await preview(definition)).status).toBe(200)
    expect((await preview(definition, { payload: { id: '7' } })).body.outputs).toMatchObject(expected as object)
  })

  it('is transformed by the schema', async () => {
    const schema = z.object({ at: z.string().transform((value) => `at ${value}`), n: z.coerce.number().default(4) })
    expect(await payloadOf(schema)).toEqual({ at: 'at at', n: 4 })
    expect(await payloadOf(schema, { payload: { at: 'noon', n: '5' } })).toEqual({ at: 'at noon', n: 5 })
  })

  it('equals the provided data if there is no schema', async () => {
    expect(await payloadOf(undefined, { payload: { any: ['thing'] } })).toEqual({ any: ['thing'] })
    expect(await payloadOf(undefined)).toEqual({})
  })

  it.each<[string, unknown, unknown]>([
    [
      'an example for a pattern',
      {
        type: 'object',
        properties: { id: { type: 'string', pattern: '^ORD-\\d{6}$', examples: ['ORD-111111'] } },
        required: ['id'],
      },
      'ORD-111111',
    ],
    ['a pattern without an example', z.object({ id: z.string().regex(/^ORD-\d{6}$/) }), 'id'],
    [
      'a transform after a pattern with an example',
      z.object({
        id: z
          .string()
          .regex(/^ORD-\d{6}$/)
          .meta({ examples: ['ORD-111111'] })
          .transform((id) => id.length),
      }),
      10,
    ],
    ['a check that nothing passes', z.object({ id: z.string() }).refine(() => false), 'id'],
  ])('is a matching sample, if there is one: %s', async (_name, schema, id) => {
    expect(await payloadOf(schema)).toEqual({ id })
  })

  it.each([
    ['a wrong type', { id: 7 }, '/id'],
    ['a wrong type deep down', { id: 'x', address: { zip: [] } }, '/address/zip'],
    ['a text that does not match', { id: 'x', code: 'abc' }, '/code'],
    ['no object', 'text', ''],
  ])('is rejected if the given data does not match: %s', async (_name, payload, path) => {
    const schema = z.object({
      id: z.string(),
      code: z.string().regex(/^\d+$/).optional(),
      address: z.object({ zip: z.string() }).optional(),
    })
    const definition = workflow(
      'shown',
      async ({ step }) => {
        await step.custom('show', () => ({}))
      },
      { payloadSchema: schema },
    )
    const { status, body } = await preview(definition, { payload })
    expect([status, body.code]).toEqual([400, 'WorkflowPayloadInvalidError'])
    expect(body.data).toMatchObject([{ path }])
  })
})

describe('the rest of a preview', () => {
  const flowing = workflow(
    'flowing',
    async ({ step, subscriber, env, controls, context, actor }) => {
      const digest = await step.digest('collect', () => ({ amount: 1, unit: 'hours' }))
      const inbox = await step.inApp('tell', () => ({ body: 'x' }))
      const place = await step.custom('find', () => ({ city: 'x' }), { outputSchema: z.object({ city: z.string() }) })
      const delay = await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
      const throttle = await step.throttle('hold', () => ({ type: 'fixed', amount: 1, unit: 'hours' }))
      await step.custom('show', (own) => ({
        digest,
        inbox,
        found: place,
        delay,
        throttle,
        subscriber,
        env,
        controls,
        context,
        actor,
        own,
      }))
    },
    {
      payloadSchema: z.object({ name: z.string() }),
      envSchema: z.object({ region: z.enum(['eu', 'us']) }),
      controlSchema: z.object({ greeting: z.string().default('Hello') }),
    },
  )

  it('has samples of everything the function reads', async () => {
    const { status, body } = await preview(flowing)
    expect([status, body.message]).toEqual([200, undefined])
    const { digest, ...rest } = body.outputs
    expect(rest).toMatchObject({
      inbox: { seen: true, read: true, lastSeenDate: '2026-01-01T12:00:00.000Z' },
      found: { city: 'city' },
      delay: { duration: expect.any(Number) },
      throttle: { throttled: true },
      subscriber: { subscriberId: 'subscriber-1', firstName: 'Ada', lastName: 'Lovelace', email: 'user@example.com' },
      env: { region: 'eu' },
      controls: { greeting: 'Hello' },
      context: {},
    })
    expect(digest.events.length).toBeGreaterThan(1)
    expect(digest.eventCount).toBe(digest.events.length)
    for (const event of digest.events)
      expect(event).toMatchObject({ id: expect.any(String), payload: { name: /name/ } })
    expect(new Set(digest.events.map(({ id }: { id: string }) => id)).size).toBe(digest.events.length)
  })

  it('prefers given data, deeply', async () => {
    const { body } = await preview(flowing, {
      state: { find: { city: 'Ulm' }, tell: { read: false }, wait: { duration: 5 } },
      subscriber: { firstName: 'Ben', data: { plan: 'pro' } },
      env: { region: 'us', more: 1 },
      context: { tenant: { id: 'acme', data: {} } },
      actor: { subscriberId: 'boss' },
    })
    expect(body.outputs).toMatchObject({
      found: { city: 'Ulm' },
      inbox: { seen: true, read: false },
      delay: { duration: 5 },
      subscriber: { firstName: 'Ben', lastName: 'Lovelace', data: { plan: 'pro' } },
      env: { region: 'us' },
      context: { tenant: { id: 'acme' } },
      actor: { subscriberId: 'boss' },
    })
  })

  it('shows a given digest with its own events', async () => {
    const events = [{ id: 'e1', time: '2026-05-05T05:05:05.000Z', payload: { name: 'Ann' } }]
    const { body } = await preview(flowing, { state: { collect: { events, eventCount: 1 } } })
    expect(body.outputs.digest).toEqual({ events, eventCount: 1 })
    const counted = await preview(flowing, { state: { collect: { events } } })
    expect(counted.body.outputs.digest.eventCount).toBe(1)
  })

  it('is not affected by changes that the function made in an earlier preview', async () => {
    const definition = workflow(
      'changing',
      async ({ step, payload, subscriber }) => {
        const { list } = await step.custom('before', () => ({ list: ['a'] }), {
          outputSchema: z.object({ list: z.array(z.string()) }),
        })
        const seen = structuredClone({ payload, subscriber: { ...subscriber, data: {} }, list })
        payload.tags.push('changed')
        list.push('changed')
        Object.assign(subscriber, { firstName: 'Changed' })
        await step.custom('show', () => ({ seen }))
      },
      { payloadSchema: z.object({ tags: z.array(z.string()) }) },
    )
    const first = await preview(definition)
    expect(first.body.outputs.seen).toMatchObject({ payload: { tags: ['tag', 'tag-2'] }, list: ['list', 'list-2'] })
    for (let count = 0; count < 3; count++) expect((await preview(definition)).body.outputs).toEqual(first.body.outputs)
  })

  it('is the same for equal calls, in any bridge', async () => {
    const answers = await Promise.all([preview(flowing), preview(flowing), preview(flowing)])
    const [first, ...others] = answers.map(({ body: { metadata: _metadata, ...rest } }) => JSON.stringify(rest))
    for (const other of others) expect(other).toBe(first)
  })

  it('renders given or default controls with the data of the function', async () => {
    const definition = workflow(
      'shown',
      async ({ step }) => {
        const place = await step.custom('find', () => ({ city: 'x' }), { outputSchema: z.object({ city: z.string() }) })
        await step.email('show', (controls) => ({ subject: controls.subject, body: place.city }), {
          controlSchema: z.object({
            subject: z.string().default('{{ payload.id }} for {{ subscriber.firstName }} in {{ steps.find.city }}'),
          }),
        })
      },
      { payloadSchema: z.object({ id: z.string() }) },
    )
    expect((await preview(definition)).body.outputs).toEqual({ subject: 'id for Ada in city', body: 'city' })
    const controls = { subject: '{{ steps.find.city }}' }
    const state = { find: { city: 'Ulm' } }
    expect((await preview(definition, { controls, state })).body.outputs).toEqual({ subject: 'Ulm', body: 'Ulm' })
  })
})

describe('the step of a preview', () => {
  it('is shown even if skip returns true', async () => {
    const skip = vi.fn(() => true)
    const definition = flow(({ step }) => step.sms('show', () => ({ body: 'x' }), { skip }))
    const { body } = await preview(definition)
    expect(body).toMatchObject({ outputs: { body: 'x' }, options: { skip: false } })
    expect(skip).not.toHaveBeenCalled()
  })

  it('uses the sample that reached it, if its condition is false for the default sample', async () => {
    const definition = workflow(
      'shown',
      async ({ step, payload }) => {
        if (!payload.vip && payload.kind === 'silver')
          await step.sms('show', () => ({ body: `${payload.kind}:${payload.vip}` }))
        if (payload.total > 1000) await step.sms('many', () => ({ body: String(payload.total) }))
      },
      {
        payloadSchema: z.object({ vip: z.boolean(), kind: z.enum(['gold', 'silver']), total: z.number() }),
      },
    )
    expect((await preview(definition)).body).toMatchObject({
      outputs: { body: 'silver:false' },
      options: { skip: false },
    })
    const many = await preview(definition, { step: 'many' })
    expect(Number(many.body.outputs.body)).toBeGreaterThan(1000)
    const digested = flow(async ({ step }) => {
      const { eventCount = 0 } = await step.digest('collect', () => ({ amount: 1, unit: 'hours' }))
      if (eventCount > 1000) await step.sms('show', () => ({ body: String(eventCount) }))
    })
    expect(Number((await preview(digested)).body.outputs.body)).toBeGreaterThan(1000)
    // The input must not be modified.
    const given = await preview(definition, { payload: { kind: 'gold' } })
    expect(given.body).toMatchObject({ outputs: {}, options: { skip: true } })
  })

  it('uses a sample for a provider that fails, and the results of the others', async () => {
    const definition = flow(({ step }) =>
      step.email('show', () => ({ subject: 's', body: 'b' }), {
        providers: {
          sendgrid: () => {
            throw new Error('no')
          },
          mailgun: () => ({ 'o:tag': ['x'] }) as never,
        },
      }),
    )
    const { status, body } = await preview(definition)
    expect(status).toBe(200)
    expect(body.providers.sendgrid).toBeTypeOf('object')
    expect(body.providers.mailgun).toBeTypeOf('object')
    expect(await ask(definition, { step: 'show' })).toMatchObject({
      status: 502,
      body: { code: 'ProviderExecutionFailedError' },
    })
  })

  it('fails with the error of its own handler', async () => {
    const definition = flow(({ step }) =>
      step.sms('show', () => {
        throw new Error('broken')
      }),
    )
    expect(await preview(definition)).toMatchObject({ status: 502, body: { code: 'StepExecutionFailedError' } })
  })

  it.each(['nope', undefined])('is not found: %s', async (step) => {
    const definition = flow(async ({ step: start }) => {
      await start.sms('other', () => ({ body: 'x' }))
    })
    const asked = { action: 'preview', ...(step !== undefined && { step }) }
    expect(await ask(definition, asked)).toMatchObject({ status: 404, body: { code: 'StepNotFoundError' } })
  })

  it('is shown after steps that a loop calls, and an endless loop does not end the call', async () => {
    const pages = flow(async ({ step }) => {
      for (let page = 0; ; page++) {
        const { more } = (await step.custom(`page-${page}`, () => ({ more: false }), {
          outputSchema: { type: 'object', properties: { more: { type: 'boolean' } }, required: ['more'] },
        })) as { more: boolean }
        if (!more) break
      }
      await step.sms('show', () => ({ body: 'x' }))
    })
    expect(await preview(pages)).toMatchObject({ status: 200, body: { outputs: { body: 'x' } } })
    const endless = flow(async ({ step }) => {
      for (let index = 0; ; index++) await step.custom(`n-${index}`, () => ({}))
    })
    expect(await preview(endless, { step: 'show' })).toMatchObject({
      status: 502,
      body: { code: 'WorkflowExecutionFailedError' },
    })
  })

  it('runs only its own handler', async () => {
    const other = vi.fn(() => ({ body: 'x' }))
    const definition = flow(async ({ step }) => {
      await step.sms('before', other)
      await step.sms('show', () => ({ body: 'x' }))
      await step.sms('after', other)
    })
    await preview(definition)
    expect(other).not.toHaveBeenCalled()
  })
})

describe('strings in a sample', () => {
  const promised: readonly [string, RegExp][] = [
    ...(['url', 'avatarUrl', 'link', 'image_url', 'website'] as const).map((name): [string, RegExp] => [
      name,
      /^https:/,
    ]),
    ['contactEmail', /^[^@]+@[^@]+\.com$/],
    ['phone', /^\+\d+$/],
    ['createdAt', /^\d{4}-\d\d-\d\dT/],
    ['dueDate', /^\d{4}-\d\d-\d\d$/],
    ['themeColor', /^#[\da-f]{6}$/],
    ['currency', /^[A-Z]{3}$/],
    ['locale', /^[a-z]{2}-[A-Z]{2}$/],
    ['timeZone', /^UTC$/],
    ['title', /^title$/],
  ]
  it.each(promised)('match the meaning of the name: %s', async (name, pattern) => {
    const payload = (await payloadOf({ type: 'object', properties: { [name]: text }, required: [name] })) as object
    expect(Reflect.get(payload, name)).toMatch(pattern)
  })

  it('respect the limits of the schema first', async () => {
    expect(
      await payloadOf({
        type: 'object',
        properties: { url: { type: 'string', maxLength: 5 }, email: { type: 'string', pattern: '^[a-z]+$' } },
      }),
    ).toEqual({ url: 'url', email: 'email' })
  })
})
