import { workflow } from '@trestle/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Answer } from '../call.ts'
import { echoQuery, event, stored, workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

const tail = { ran: 0 }
const unread = { seen: true, read: false, lastSeenDate: null, lastReadDate: null }

const swallows = workflow('swallows', async ({ step }) => {
  try {
    await step.custom('fails', () => {
      throw new Error('from the handler')
    })
  } catch {
    tail.ran++
  } finally {
    tail.ran++
  }
  tail.ran++
  await step.custom('after', () => ({}))
})

const races = workflow('races', async ({ step }) => {
  await Promise.race([step.custom('first', () => ({ a: 1 })), step.custom('second', () => ({ a: 2 }))])
  await step.custom('last', () => ({ a: 3 }))
})

const conditional = workflow(
  'conditional',
  async ({ step, payload }) => {
    if (payload.vip) await step.sms('vip', () => ({ body: 'vip' }))
    await step.email('mail', () => ({ subject: 's', body: 'b' }))
  },
  { payloadSchema: z.object({ vip: z.boolean() }) },
)

const waits = workflow('waits', async ({ step, payload }) => {
  await new Promise((resolve) => setTimeout(resolve, 5))
  await step.custom('later', () => ({ got: payload }))
})

const defaults = workflow(
  'defaults',
  async ({ step, payload, controls, env }) => {
    await step.custom('tell', (own) => ({ payload, controls, env, own }), {
      controlSchema: z.object({
        greeting: z.string().default('Hello {{ subscriber.firstName }}'),
        count: z.number().default(1),
      }),
    })
  },
  {
    payloadSchema: z.object({ name: z.string().default('nobody') }),
    controlSchema: z.object({ tone: z.enum(['plain', 'loud']).default('plain') }),
    envSchema: z.object({ region: z.string().default('eu') }),
  },
)

const html = workflow('html', async ({ step }) => {
  const dangerous = '<p onclick="x()">Tom &amp; Jerry<script>alert(1)</script></p>'
  await step.email('clean', () => ({ subject: 'Tom & Jerry <3', body: dangerous }))
  await step.email('raw', () => ({ subject: 's', body: dangerous }), { disableOutputSanitization: true })
  await step.sms('text', () => ({ body: '<b>Tom & Jerry</b>' }))
})

const doubled = workflow('doubled', async ({ step }) => {
  await step.custom('once', () => ({}))
  await step.custom('twice', () => ({}))
  await step.custom('twice', () => ({}))
  await step.custom('end', () => ({}))
})

const digested = workflow('digested', async ({ step }) => {
  await step.digest('collect', () => ({ amount: 1, unit: 'hours' }))
  await step.email('mail', ({ subject }) => ({ subject, body: 'b' }), {
    controlSchema: z.object({ subject: z.string().default('{{ steps.collect.events.size }} new') }),
  })
})

const own = [digested, ...workflows, swallows, races, conditional, waits, defaults, html, doubled]

/** Running a step: protocol 5. */
export function running(mount: Mount): void {
  describe('running a step', () => {
    const site = useSite(mount, { workflows: own, timeoutMs: 1500 })
    const execute = (workflowId: string, stepId: string, body: object = {}): Promise<Answer> =>
      site.call({ query: { action: 'execute', workflowId, stepId }, body: { ...event, ...body } })
    const preview = (workflowId: string, stepId: string, body: object = {}): Promise<Answer> =>
      site.call({ query: { action: 'preview', workflowId, stepId }, body: { ...event, ...body } })
    const order = { id: '7' }
    const done = { duration: 1 }

    test('the first step needs no state', async () => {
      const { status, json } = await execute('order', 'inbox', { payload: order })
      expect([status, json.outputs]).toEqual([200, { body: 'Order 7' }])
    })

    test.each([
      ['mail', []],
      ['mail', [stored('inbox', unread)]],
      ['wait', []],
      ['mail', [stored('wait', done)]],
    ])('step %s with an earlier one missing: ExecutionStateCorruptError', async (stepId, state) => {
      const { status, json } = await execute('order', stepId, { payload: order, state })
      expect([status, json.code]).toEqual([400, 'ExecutionStateCorruptError'])
      expect(json.data).toEqual({ workflowId: 'order', stepId: expect.any(String) })
    })

    test('the newest of two entries for one step counts', async () => {
      const read = (value: boolean): object =>
        stored('inbox', { seen: true, read: value, lastSeenDate: null, lastReadDate: null })
      const skip = async (...state: object[]): Promise<unknown> =>
        (await execute('order', 'mail', { payload: order, state: [...state, stored('wait', done)] })).json.options.skip
      expect(await skip(read(true), read(false))).toBe(true)
      expect(await skip(read(false), read(true))).toBe(false)
    })

    test('entries for unknown steps and for the requested one are ignored', async () => {
      const state = [stored('nobody', { a: 1 }), stored('inbox', { wrong: 1 })]
      expect((await execute('order', 'inbox', { payload: order, state })).status).toBe(200)
    })

    test.each(['skipped', 'canceled', 'failed', 'delayed', 'no status anyone knows'])(
      'status %s leads to the empty result of the kind',
      async (status) => {
        const ids = ['in-app', 'digest', 'delay', 'throttle', 'email', 'sms', 'push', 'chat', 'tool', 'http-request']
        const { json } = await execute('every-kind', 'seen', {
          state: ids.map((id) => ({ ...stored(id, { damaged: true }, status), state: { status, error: { any: 1 } } })),
        })
        expect(json.outputs).toEqual({
          inbox: { seen: false, read: false, lastSeenDate: null, lastReadDate: null },
          digest: { events: [], eventCount: 0 },
          delay: { duration: 0 },
          throttle: { throttled: false },
          mail: {},
          fetched: {},
        })
      },
    )

    test('a stored result that fails its schema: ExecutionStateResultInvalidError', async () => {
      const state = [stored('inbox', { seen: 'yes' })]
      const { status, json } = await execute('order', 'wait', { payload: order, state })
      expect([status, json.code]).toEqual([400, 'ExecutionStateResultInvalidError'])
      expect(json.data).toMatchObject({ stepId: 'inbox', type: 'in_app' })
      expect(json.data.issues[0].path).toMatch(/^\//)
    })

    test('a failing step is reported, and no catch, finally or later code runs', async () => {
      tail.ran = 0
      const { status, json } = await execute('swallows', 'fails')
      expect([status, json.code]).toEqual([502, 'StepExecutionFailedError'])
      expect(json.message).toContain('from the handler')
      expect(json.data.stack).toContain('from the handler')
      expect(json.data.stack).not.toMatch(/[\s(]\/[^\s)]*\//)
      expect(tail.ran).toBe(0)
    })

    test.each([
      ['left', []],
      ['right', []],
      ['right', [stored('left')]],
    ])('parallel step %s runs without results of the others', async (stepId, state) => {
      const { status, json } = await execute('branches', stepId, { payload: { urgent: false }, state })
      expect([status, json.outputs.body]).toEqual([200, stepId])
    })

    test('a join needs all of its branches', async () => {
      const { json } = await execute('branches', 'urgent', { payload: { urgent: true }, state: [stored('left')] })
      expect([json.code, json.data.stepId]).toEqual(['ExecutionStateCorruptError', 'right'])
    })

    test('a race needs one of its branches', async () => {
      expect((await execute('races', 'last', { state: [stored('second')] })).json.outputs).toEqual({ a: 3 })
      expect((await execute('races', 'last')).json.code).toBe('ExecutionStateCorruptError')
    })

    test('a step whose condition is false is skipped', async () => {
      const { status, json } = await execute('conditional', 'vip', { payload: { vip: false } })
      expect([status, json]).toMatchObject([200, { outputs: {}, providers: {}, options: { skip: true } }])
      const mail = await execute('conditional', 'mail', { payload: { vip: false } })
      expect(mail.json.outputs.subject).toBe('s')
    })

    test('an unknown step: StepNotFoundError', async () => {
      const { status, json } = await execute('conditional', 'nobody', { payload: { vip: true } })
      expect([status, json.code, json.data]).toEqual([404, 'StepNotFoundError', null])
      expect((await execute('echo', '')).json.code).toBe('StepNotFoundError')
    })

    test('a workflow can await things other than steps', async () => {
      const { status, json } = await execute('waits', 'later', { payload: { a: 1 } })
      expect([status, json.outputs]).toEqual([200, { got: { a: 1 } }])
    })

    test('a repeated id in a run: StepAlreadyExistsError', async () => {
      const state = [stored('once'), stored('twice')]
      const { status, json } = await execute('doubled', 'end', { state })
      expect([status, json.code, json.data]).toEqual([
        409,
        'StepAlreadyExistsError',
        { workflowId: 'doubled', stepId: 'twice' },
      ])
    })

    test('payload, controls and env have their defaults; templates are rendered', async () => {
      const { json } = await execute('defaults', 'tell', {
        subscriber: { firstName: 'Ada' },
        controls: { count: '{{ 2 | plus: 3 }}' },
      })
      expect(json.outputs).toEqual({
        payload: { name: 'nobody' },
        controls: { tone: 'plain' },
        env: { region: 'eu' },
        own: { greeting: 'Hello Ada', count: 5 },
      })
    })

    test('HTML is sanitized in HTML fields, and nothing else is changed', async () => {
      const clean = (await execute('html', 'clean')).json.outputs
      expect(clean.subject).toBe('Tom & Jerry <3')
      expect(clean.body).toContain('Tom &amp; Jerry')
      expect(clean.body).not.toMatch(/script|onclick/)
      expect((await execute('html', 'raw', { state: [stored('clean')] })).json.outputs.body).toContain('<script>')
      const text = await execute('html', 'text', { state: [stored('clean'), stored('raw')] })
      expect(text.json.outputs.body).toBe('<b>Tom & Jerry</b>')
    })

    test('the idempotency key is the same only for the same run and step', async () => {
      const key = async (body: object): Promise<string> =>
        (await site.call({ query: echoQuery, body })).json.outputs.idempotencyKey
      expect(await key({ ...event, jobId: 'job-1' })).toBe(await key({ ...event, payload: { b: 2 }, jobId: 'job-1' }))
      expect(await key(event)).toBe(await key(event))
      expect(await key(event)).not.toBe(await key({ ...event, payload: { a: 1 } }))
      expect(await key(event)).not.toBe(await key({ ...event, subscriber: { subscriberId: 's' } }))
      expect(await key(event)).not.toBe(await key({ ...event, state: [stored('x')] }))
    })

    test('a preview fills in missing values, ignores skip, and is repeatable', async () => {
      const first = await preview('order', 'mail')
      expect(first.status).toBe(200)
      expect(first.json.options).toEqual({ skip: false })
      expect(first.json.outputs.subject).toMatch(/^Order ./)
      const { metadata: _first, ...one } = first.json
      const { metadata: _second, ...two } = (await preview('order', 'mail')).json
      expect(two).toEqual(one)
    })

    test('templates in a preview use the sample results of earlier steps', async () => {
      const { json } = await preview('digested', 'mail')
      expect(json.outputs.subject).toMatch(/^[1-9]\d* new$/)
    })

    test('given values have priority over samples in a preview', async () => {
      const read = stored('inbox', { seen: true, read: true, lastSeenDate: null, lastReadDate: null })
      const { json } = await preview('order', 'mail', { payload: order, state: [read] })
      expect([json.outputs.subject, json.options.skip]).toEqual(['Order 7', false])
    })
  })
}
