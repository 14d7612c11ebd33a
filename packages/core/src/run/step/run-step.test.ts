import { createHmac } from '@trestle/protocol'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type Ask, ask, flow, gives, silent } from '../../call-bridge.fixture.ts'
import type { HandlerContext, SkipContext } from '../../workflow/kinds/signature.ts'
import { workflow } from '../../workflow/workflow.ts'
import { toIdempotencyKey } from './idempotency-key.ts'

const controlSchema = z.object({ subject: z.string().default('Order {{ payload.id }}'), count: z.number().default(1) })

describe('the requested step', () => {
  const order: string[] = []
  const tested = flow(({ step }) =>
    step.email(
      'T',
      (controls) => {
        order.push('handler')
        return { subject: controls.subject, body: '<p onclick="x()">hi</p><script>x()</script>' }
      },
      {
        controlSchema,
        skip: (controls, { payload, subscriber, state }) => {
          order.push(`skip ${controls.subject} ${payload['id']} ${subscriber.subscriberId} ${Object.keys(state)}`)
          return payload['id'] === 'skipped'
        },
        providers: {
          sendgrid: ({ controls, outputs }) => {
            order.push('provider')
            return { ipPoolName: `${controls.count} ${outputs.body}` }
          },
        },
      },
    ),
  )
  const event: Ask = {
    step: 'T',
    payload: { id: 7 },
    subscriber: { subscriberId: 'ada' },
    state: { a: {}, T: { stale: 1 } },
  }

  it('resolves controls, evaluates skip, runs the handler, sanitizes, runs the providers', async () => {
    order.length = 0
    const { body } = await ask(tested, event)
    expect(order).toEqual(['skip Order 7 7 ada a', 'handler', 'provider'])
    expect(body.outputs).toEqual({ subject: 'Order 7', body: '<p>hi</p>' })
    expect(body.providers).toEqual({ sendgrid: { ipPoolName: '1 <p>hi</p>' } })
    expect(body.options).toEqual({ skip: false })
    const message = expect.stringMatching(
      /step "T" was sanitized.* attribute "onclick" \(1:1\), element "script" \(1:24\)\. /,
    )
    const warnings = [{ code: 'HtmlSanitized', message }]
    expect(body.metadata).toEqual({ status: 'success', error: false, duration: expect.any(Number), warnings })
  })

  it('reports removed HTML in a preview, and nothing if nothing was removed', async () => {
    const { body } = await ask(tested, { ...event, action: 'preview' })
    expect(body.metadata.removed).toEqual([
      { kind: 'attribute', name: 'onclick', line: 1, column: 1 },
      { kind: 'element', name: 'script', line: 1, column: 24 },
    ])
    const clean = flow(({ step }) => step.inApp('T', () => ({ body: '<p>hi</p>' })))
    for (const action of ['preview', 'execute'] as const)
      expect(Object.keys((await ask(clean, { step: 'T', action })).body.metadata)).toEqual([
        'status',
        'error',
        'duration',
      ])
  })

  it('is skipped if skip returns true: empty outputs, no handler, no provider', async () => {
    order.length = 0
    const { body } = await ask(tested, { ...event, payload: { id: 'skipped' } })
    expect(order).toHaveLength(1)
    expect([body.outputs, body.providers, body.options]).toEqual([{}, {}, { skip: true }])
  })

  it('applies the service’s values over the defaults', async () => {
    const { body } = await ask(tested, { ...event, controls: { subject: '{{ subscriber.subscriberId | upcase }}' } })
    expect(body.outputs.subject).toBe('ADA')
  })

  it('does not sanitize plain text, or any text if that is disabled', async () => {
    const raw = flow(({ step }) =>
      step.email('T', () => ({ subject: '<b>Tom & Jerry <3</b>', body: '<p onclick="x()">hi</p>' }), {
        disableOutputSanitization: true,
      }),
    )
    expect((await ask(raw, { step: 'T' })).body.outputs).toEqual({
      subject: '<b>Tom & Jerry <3</b>',
      body: '<p onclick="x()">hi</p>',
    })
  })

  it('rejects an output field that is not allowed', async () => {
    const { body } = await ask(
      flow(({ step }) => step.sms('T', () => ({ body: 'x', bdoy: 'y' }) as never)),
      { step: 'T' },
    )
    expect(body).toMatchObject({
      code: 'ExecutionStateOutputInvalidError',
      data: { stepId: 'T', type: 'sms', issues: [{ path: '/bdoy' }] },
    })
  })

  it.each(['#', 'orders', '//evil.test', 'mailto:ada@example.com'])('validates redirects: %s', async (url) => {
    const led = flow(({ step }) => step.inApp('T', () => ({ body: 'x', redirect: { url } })))
    const { body } = await ask(led, { step: 'T' })
    expect(body.data.issues).toEqual([
      { path: '/redirect/url', message: 'must be a URL like "https://example.com/orders" or a path like "/orders"' },
    ])
  })

  it('rejects an override for an unknown provider before its handler runs', async () => {
    const handler = vi.fn(() => ({ body: 'x' }))
    const tried = flow(({ step }) => step.sms('T', handler, { providers: { sendgrid: () => ({}) } as never }))
    expect((await ask(tried, { step: 'T' })).body.code).toBe('ProviderNotFoundError')
    expect(handler).not.toHaveBeenCalled()
  })

  it('gives an override a copy of the outputs', async () => {
    const greedy = flow(({ step }) =>
      step.sms('T', () => ({ body: 'x' }), {
        providers: {
          twilio: ({ outputs }) => {
            ;(outputs as { body: string }).body = 'changed'
            return {}
          },
        },
      }),
    )
    expect((await ask(greedy, { step: 'T' })).body.outputs).toEqual({ body: 'x' })
  })
})

describe('a custom step', () => {
  const outputSchema = z.object({ at: z.iso.datetime().transform((text) => new Date(text)) })

  it("sends the returned value, and gives later steps the schema's output", async () => {
    const tested = flow(async ({ step }) => {
      const { at } = await step.custom('a', () => ({ at: '2026-01-01T00:00:00.000Z' }), { outputSchema })
      await step.custom('T', () => ({ year: at.getUTCFullYear() }))
    })
    const first = await ask(tested, { step: 'a' })
    expect(first.body.outputs).toEqual({ at: '2026-01-01T00:00:00.000Z' })
    expect((await ask(tested, { step: 'T', state: { a: first.body.outputs } })).body.outputs).toEqual({ year: 2026 })
  })

  it('keeps everything without a schema', async () => {
    const value = { a: [1, { b: null }], 'ü/~': 'x' }
    expect(
      (
        await ask(
          flow(({ step }) => step.custom('T', () => value)),
          { step: 'T' },
        )
      ).body.outputs,
    ).toEqual(value)
  })
})

describe('earlier results', () => {
  it.each(['skipped', 'canceled', 'failed', 'delayed', 'a status of tomorrow'])(
    'with status %s are empty',
    async (status) => {
      const tested = flow(async ({ step }) => {
        const inbox = await step.inApp('in-app', () => ({ body: 'x' }))
        const digest = await step.digest('digest', () => ({ amount: 1, unit: 'hours' }))
        const delay = await step.delay('delay', () => ({ amount: 1, unit: 'hours' }))
        const throttle = await step.throttle('throttle', () => ({ type: 'fixed', amount: 1, unit: 'hours' }))
        const custom = await step.custom('custom', gives('x'))
        await step.custom('T', () => ({ inbox, digest, delay, throttle, custom, status: custom._ctx.state.status }))
      })
      const state = { 'in-app': status, digest: status, delay: status, throttle: status, custom: status }
      expect((await ask(tested, { step: 'T', state })).body.outputs).toEqual({
        inbox: { seen: false, read: false, lastSeenDate: null, lastReadDate: null },
        digest: { events: [], eventCount: 0 },
        delay: { duration: 0 },
        throttle: { throttled: false },
        custom: {},
        status,
      })
    },
  )

  it('contain their context, which never appears in JSON or in outputs', async () => {
    let context: unknown
    const tested = flow(async ({ step }) => {
      const earlier = await step.custom('a', gives('a'))
      context = earlier._ctx
      await step.custom('T', () => ({ ...earlier, text: JSON.stringify(earlier) }))
    })
    const { body } = await ask(tested, { step: 'T', state: { a: { id: 'a' } } })
    expect(context).toMatchObject({ timestamp: expect.any(Number), state: { status: 'completed', error: false } })
    expect(body.outputs).toEqual({ id: 'a', text: '{"id":"a"}' })
  })

  const forms: readonly (readonly [form: string, transform: (value: { id: string }) => object])[] = [
    ['plain', (value) => value],
    ['frozen', (value) => Object.freeze(value)],
    ['a frozen list', ({ id }) => Object.freeze([id])],
  ]
  it.each(forms)('contain their context if they are %s', async (_form, transform) => {
    const tested = flow(async ({ step }) => {
      const earlier = await step.custom('a', () => ({ id: 'a' }), {
        outputSchema: z.object({ id: z.string() }).transform(transform),
      })
      await step.custom('T', () => ({ status: earlier._ctx.state.status, json: JSON.stringify(earlier) }))
    })
    const { body } = await ask(tested, { step: 'T', state: { a: { id: 'a' } } })
    expect(body.outputs).toEqual({ status: 'completed', json: JSON.stringify(transform({ id: 'a' })) })
  })

  it.each(['execute', 'preview'])('have no context in templates and in skip: %s', async (action) => {
    let seen: unknown
    const skip = (_controls: unknown, { state }: SkipContext): boolean => {
      seen = state
      return false
    }
    const tested = flow(async ({ step }) => {
      const totals = await step.custom('totals', gives('x'))
      if (totals._ctx.state.status === 'completed') await step.custom('T', (controls) => controls, { skip })
    })
    const controls = { text: '{% for pair in steps.totals %}{{ pair[0] }} {% endfor %}' }
    const asked = { action, step: 'T', controls, state: { totals: { eur: 1, usd: 2 } } }
    expect((await ask(tested, asked)).body.outputs).toEqual({ text: 'eur usd ' })
    if (action === 'preview') expect((await ask(tested, { ...asked, state: {} })).body.outputs).toEqual({ text: '' })
    if (action === 'execute') expect(seen).toEqual({ totals: { eur: 1, usd: 2 } })
  })

  it('are available to templates by step id', async () => {
    const tested = flow(async ({ step }) => {
      await step.digest('d', () => ({ amount: 1, unit: 'hours' }))
      await step.custom('T', (controls) => controls)
    })
    const events = [{ id: '1', time: '2026-01-01T00:00:00.000Z', payload: {} }]
    const controls = { size: '{{ steps.d.events.size }} of {{ steps.d.eventCount }}' }
    expect((await ask(tested, { step: 'T', controls, state: { d: { events, eventCount: 1 } } })).body.outputs).toEqual({
      size: '1 of 1',
    })
  })
})

describe('the idempotency key', () => {
  const read = async (asked: Ask): Promise<string> => {
    const tested = workflow('f', async ({ step }) =>
      step.custom(asked.step ?? 'T', (_controls, { idempotencyKey }: HandlerContext) => ({ idempotencyKey })),
    )
    return (await ask(tested, { step: 'T', ...asked })).body.outputs.idempotencyKey
  }

  it('is the job id if one was sent', async () => {
    expect(await read({ jobId: 'job-1' })).toBe('job-1')
  })

  it('is the same for the same run and step, and different otherwise', async () => {
    const base: Ask = { payload: { a: 1 }, subscriber: { subscriberId: 'ada' }, state: { x: {} } }
    const key = await read(base)
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(
      await read({ ...base, controls: { changed: 1 }, subscriber: { subscriberId: 'ada', firstName: 'Ada' } }),
    ).toBe(key)
    for (const other of [{ payload: { a: 2 } }, { subscriber: { subscriberId: 'bob' } }, { state: {} }, { step: 'U' }])
      expect(await read({ ...base, ...other })).not.toBe(key)
  })

  it('depends on the payload as it was sent, not on changes by the function', async () => {
    let count = 0
    const tested = flow(({ step, payload }) => {
      payload['seen'] = count++
      return step.custom('T', (_controls, context) => ({ key: context.idempotencyKey }))
    })
    const keys = [await ask(tested, { step: 'T' }), await ask(tested, { step: 'T' })].map(
      ({ body }) => body.outputs.key,
    )
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(keys[1]).toBe(keys[0])
    expect(await read({ jobId: '' })).toMatch(/^[0-9a-f]{64}$/)
  })

  it('and the signal survive rest and spread syntax', async () => {
    const tested = workflow('f', async ({ step, ...others }) => {
      const copy = { ...others }
      await step.custom('T', (_controls, { signal, ...rest }) => ({
        key: rest.idempotencyKey,
        own: signal instanceof AbortSignal,
        copied: copy.signal === signal,
        keys: Object.keys(rest),
      }))
    })
    const { body } = await ask(tested, { step: 'T', jobId: 'j1' })
    expect(body.outputs).toEqual({ key: 'j1', own: true, copied: true, keys: ['idempotencyKey'] })
  })

  it('is the same if the runtime’s hash function is asynchronous', async () => {
    const event = { body: new TextEncoder().encode('{"payload":{"a":1}}') }
    const scope = { workflow: { id: 'w' }, stepId: 's', event } as never as Parameters<typeof toIdempotencyKey>[0]
    expect(await toIdempotencyKey({ ...scope, hmac: createHmac(null) })).toBe(
      await toIdempotencyKey({ ...scope, hmac: createHmac() }),
    )
  })
})

describe('the hook onError', () => {
  it('receives the error and the response code, and its own errors are ignored', async () => {
    const thrown = new Error('boom')
    const onError = vi.fn(() => {
      throw new Error('the hook')
    })
    const error = vi.fn()
    const options = { strictAuthentication: false, hooks: { onError }, logger: { ...silent, error } }
    const { body } = await ask(
      flow(({ step }) => step.sms('T', () => Promise.reject(thrown))),
      { step: 'T', options },
    )
    expect(body.code).toBe('StepExecutionFailedError')
    const expectedReport = { action: 'execute', workflowId: 'flow', stepId: 'T', code: 'StepExecutionFailedError' }
    expect(onError).toHaveBeenCalledWith(
      thrown,
      expect.objectContaining(expectedReport),
      expect.objectContaining({ stepId: 'T' }),
    )
    expect(error).toHaveBeenCalledWith({ err: expect.any(Error) }, 'The hook onError failed.')
  })

  it('and the log receive a failure that did not affect the response', async () => {
    const error = vi.fn()
    const tested = flow(({ step }) => {
      void step.sms('T', () => ({ body: 'x' }))
      throw new Error('late')
    })
    await ask(tested, { step: 'T', options: { strictAuthentication: false, logger: { ...silent, error } } })
    expect(error).toHaveBeenCalledWith(
      { err: expect.objectContaining({ message: 'late' }) },
      expect.stringMatching(/while step "T" determined/),
    )
  })
})
