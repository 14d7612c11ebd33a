import { describe, expect, it, test, vi } from 'vitest'
import { z } from 'zod'
import { type Answer, type Ask, ask, flow, silent } from '../call-bridge.fixture.ts'
import { type WorkflowDefinition, workflow } from '../workflow/workflow.ts'

// biome-ignore lint/suspicious/noExplicitAny: the workflows read data that nothing describes.
type Data = any

const preview = (definition: WorkflowDefinition, asked: Ask = {}): Promise<Answer> =>
  ask(definition, { action: 'preview', step: 'show', ...asked })

/** Creates a workflow whose step returns what the function computes from data without a schema. */
const showing = (tell: (context: Data) => unknown): WorkflowDefinition =>
  workflow('shown', async (context: Data) => {
    await context.step.custom('show', () => ({ text: tell(context) }))
  })

/** Accepts only plain strings, like many libraries do. */
const strictly = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error('is no text')
  return value
}

describe('data without a schema', () => {
  test.each<[string, (context: Data) => unknown, unknown]>([
    ['a template', ({ payload: p }) => `Hi ${p.name}`, 'Hi name'],
    ['a sum of texts', ({ payload: p }) => 'Hi '.concat(p.name, '!'), 'Hi name!'],
    ['a field of a field', ({ payload: p }) => `Hi ${p.user.name}`, 'Hi name'],
    ['a field itself', ({ payload: p }) => p.user.name, 'name'],
    [
      'what its name promises',
      ({ payload: p }) => [p.avatarUrl, p.email],
      ['https://example.com/', 'user@example.com'],
    ],
    ['methods of texts', ({ payload: p }) => p.name.trim().toUpperCase(), 'NAME'],
    ['methods of dates', ({ payload: p }) => new Date(p.createdAt).toISOString(), '2026-01-01T12:00:00.000Z'],
    ['arithmetic', ({ payload: p }) => (p.price * 2).toFixed(2), '2.00'],
    ['a list', ({ payload: p }) => p.items.map((item: Data) => item.name), ['name', 'name-2']],
    ['a list of texts', ({ payload: p }) => p.tags.join(', '), 'tag, tag-2'],
    ['a loop', ({ payload: p }) => Array.from(p.orders, (order: Data) => `${order}`), ['order', 'order-2']],
    ['what was read of an object', ({ payload: p }) => [p.user.id && p.user], [{ id: 'id' }]],
    ['a copy', ({ payload: p }) => [p.user.name, structuredClone(p).user], ['name', { name: 'name' }]],
    ['variables', ({ env }) => `${env['REGION']}`, 'REGION'],
    ['contexts', ({ context }) => `${context.tenant.data.name}`, 'name'],
    ['fields of the recipient', ({ subscriber }) => `${subscriber.data.plan}`, 'plan'],
    ['a spread', ({ payload: p }) => ({ ...p, name: p.name }), { name: 'name' }],
  ])('is shown as readable text: %s', async (_name, tell, expected) => {
    const { status, body } = await preview(showing(tell))
    expect([status, body.message, body.outputs?.text]).toEqual([200, undefined, expected])
  })

  it('is not tried again as plain data if the function has read none of it', async () => {
    let runs = 0
    const run = async ({ step }: Data): Promise<void> => {
      await step.sms('show', () => {
        runs++
        throw new Error('is broken')
      })
    }
    expect((await preview(workflow('shown', run))).body.message).toContain('is broken')
    expect(runs).toBe(1)
  })

  it('is exactly the given data', async () => {
    const definition = showing(({ payload }) => [payload, payload.name ?? 'none'])
    expect((await preview(definition, { payload: { id: 7 } })).body.outputs.text).toEqual([{ id: 7 }, 'none'])
    const envDefinition = showing(({ env, context }) => [env, context, `${env['REGION']} ${env['name']}`])
    const { body } = await preview(envDefinition, { env: { name: 'Prod' }, context: { tenant: { id: 'acme' } } })
    expect(body.outputs.text).toEqual([
      expect.objectContaining({ name: 'Prod' }),
      { tenant: { id: 'acme' } },
      'REGION Prod',
    ])
  })

  it('is also shown in control templates', async () => {
    const definition = flow(({ step }) =>
      step.sms('show', ({ body }) => ({ body }), {
        controlSchema: z.object({ body: z.string().default('Hi {{ payload.user.name }}') }),
      }),
    )
    expect((await preview(definition)).body.outputs).toEqual({ body: 'Hi name' })
  })

  it('replaces missing results, and fills in missing parts of stored ones', async () => {
    const definition = flow(async ({ step }) => {
      const loaded = (await step.custom('load', () => ({ user: { name: 'Ann' } }))) as Data
      const name = loaded.user.name.trim()
      await step.sms('show', () => ({ body: name }))
    })
    expect((await preview(definition)).body.outputs).toEqual({ body: 'name' })
    expect((await preview(definition, { state: { load: { user: { name: ' Ann ' } } } })).body.outputs).toEqual({
      body: 'Ann',
    })
  })

  it('causes the handler’s failure if the app stored an unreadable value in it', async () => {
    const closed = new Proxy(
      {},
      {
        get() {
          throw new Error('closed')
        },
      },
    )
    const definition = showing(({ payload }) => {
      payload.closed = closed
      return strictly(payload.user.name)
    })
    const { body } = await preview(definition)
    expect([body.code, body.message]).toEqual(['StepExecutionFailedError', expect.stringContaining('is no text')])
  })

  it('causes only one handler run if the handler works with it', async () => {
    const handler = vi.fn(() => ({ body: 'x' }))
    await preview(workflow('w', async ({ step, payload }: Data) => payload.name && step.sms('show', handler)))
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('ends a loop over its values', async () => {
    const definition = workflow('w', async ({ step, payload }: Data) => {
      while (payload.busy) if (payload.stop === 'x7') break
      await step.sms('show', () => ({ body: 'x' }))
    })
    expect((await preview(definition)).body).toMatchObject({ outputs: { body: 'x' } })
  })
})

describe('a step that the default sample does not reach', () => {
  test.each<[string, WorkflowDefinition, string]>([
    [
      'a variable is compared',
      workflow('w', async ({ step, env }: Data) => {
        if (env['REGION'] === 'eu') await step.sms('show', () => ({ body: env['REGION'] }))
      }),
      'eu',
    ],
    [
      'the function throws on a sample text',
      workflow(
        'w',
        async ({ step, payload }) => {
          const amount = BigInt(payload.amount)
          await step.sms('show', () => ({ body: `${amount}` }))
        },
        { payloadSchema: z.object({ amount: z.string() }) },
      ),
      '0',
    ],
    [
      'a loop on a list would call one step twice',
      workflow('w', async ({ step }) => {
        const { score, flags } = await step.custom('risk', () => ({ score: 1, flags: [] }), {
          outputSchema: z.object({ score: z.number(), flags: z.array(z.enum(['new', 'vpn'])) }),
        })
        if (score > 80) await step.sms('show', () => ({ body: flags.join() }))
        for (const flag of flags) await step.custom(`flag-${flag}`, () => ({ flag }))
      }),
      'new',
    ],
    [
      'it is behind a result without a schema',
      flow(async ({ step }) => {
        const loaded = await step.custom('load', () => ({}))
        if (loaded['ok']) await step.sms('show', () => ({ body: 'ready' }))
      }),
      'ready',
    ],
  ])('is previewed with the sample that found it: %s', async (_name, definition, expected) => {
    await vi.waitFor(async () => {
      // On a busy machine the sample may be found later.
      const { status, body } = await preview(definition)
      expect([status, body.message, body.outputs?.body]).toEqual([200, undefined, expected])
      expect(body.metadata.warnings).toBeUndefined()
    }, 15_000)
  })

  it('is reported with the reason why it is not shown', async () => {
    const definition = flow(async ({ step, payload }) => {
      const loaded = await step.custom('load', () => ({}))
      if (loaded['ok'] && payload['ok']) await step.sms('show', () => ({ body: 'x' }))
    })
    const { body } = await preview(definition, { payload: { ok: false } })
    expect(body.options.skip).toBe(true)
    expect(body.metadata.warnings).toEqual([
      { code: 'PreviewNotReached', message: expect.stringMatching(/"show".*outputSchema/) },
    ])
  })

  it('fails with the first failure, reported once, if no sample helps', async () => {
    const onError = vi.fn()
    const definition = flow(async ({ step, payload }) => {
      if (payload) throw new Error('broken')
      await step.sms('show', () => ({ body: 'x' }))
    })
    const asked = {
      action: 'preview',
      step: 'show',
      options: { workflows: [definition], hooks: { onError }, logger: silent },
    }
    expect(await ask(definition, asked)).toMatchObject({ status: 502, body: { code: 'WorkflowExecutionFailedError' } })
    expect(onError).toHaveBeenCalledTimes(1)
  })
})
