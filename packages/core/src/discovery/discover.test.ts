import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ask, flow, gives } from '../call-bridge.fixture.ts'
import { createBridge } from '../http/create-bridge.ts'
import type { Step } from '../workflow/steps/step-kinds.ts'
import { type WorkflowDefinition, workflow } from '../workflow/workflow.ts'

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const sms = (step: Step, id: string): Promise<unknown> => step.sms(id, () => ({ body: id }))

async function stepsOf(
  tested: WorkflowDefinition,
): Promise<{ stepId: string; conditional: boolean; parallelGroup: number }[]> {
  const { status, body } = await ask(tested, { action: 'discover' })
  expect(body.message).toBeUndefined()
  expect(status).toBe(200)
  return body.workflows[0].steps
}

const idsOf = async (tested: WorkflowDefinition): Promise<string[]> =>
  (await stepsOf(tested)).map(({ stepId }) => stepId)

describe('discovery', () => {
  it('finds a plain sequence without conditions, each step in its own group', async () => {
    const steps = await stepsOf(
      flow(async ({ step }) => {
        await sms(step, 'a')
        await sms(step, 'b')
      }),
    )
    expect(steps.map(({ stepId, conditional, parallelGroup }) => [stepId, conditional, parallelGroup])).toEqual([
      ['a', false, 0],
      ['b', false, 1],
    ])
  })

  it('finds a condition deep inside recursive data', async () => {
    const comment = z.object({
      urgent: z.boolean(),
      get parent() {
        return comment.optional()
      },
    })
    const tested = workflow(
      'thread',
      async ({ step, payload }) => {
        if (payload.comment.parent?.parent?.parent?.urgent) await sms(step, 'deep')
      },
      { payloadSchema: z.object({ comment }) },
    )
    expect(await idsOf(tested)).toEqual(['deep'])
  })

  it('publishes a workflow as the protocol specifies', async () => {
    const { body } = await ask(
      workflow(
        'order',
        async ({ step }) => {
          await step.inApp('tell', () => ({ body: 'x' }), { disableOutputSanitization: true })
        },
        {
          payloadSchema: z.object({ id: z.string() }),
          name: 'Order',
          tags: ['shop'],
          severity: 'high',
          preferences: { all: { enabled: true, readOnly: false }, channels: { inApp: { enabled: false } } },
        },
      ),
      { action: 'discover' },
    )
    const [published] = body.workflows
    expect(published).toMatchObject({
      workflowId: 'order',
      name: 'Order',
      tags: ['shop'],
      severity: 'high',
      preferences: { all: { enabled: true, readOnly: false }, channels: { in_app: { enabled: false } } },
      payload: { schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
      controls: { schema: {} },
      env: { schema: {} },
    })
    expect(published).not.toHaveProperty('description')
    expect(published.steps[0]).toMatchObject({
      stepId: 'tell',
      type: 'in_app',
      controls: { schema: {} },
      providers: [],
      options: { disableOutputSanitization: true },
      conditional: false,
      parallelGroup: 0,
    })
    expect(published.steps[0]).not.toHaveProperty('code')
    expect(body.agents).toEqual([])
  })

  it('finds both branches of a condition on data with a schema', async () => {
    const tested = workflow(
      'f',
      async ({ step, payload }) => {
        if (payload.vip) await sms(step, 'vip')
        else await sms(step, 'plain')
        if (payload.kind === 'b') await sms(step, 'kind-b')
        if (payload.note) await sms(step, 'note')
        for (const item of payload.items) await sms(step, `item-${item.id}`)
        await sms(step, 'end')
      },
      {
        payloadSchema: z.object({
          vip: z.boolean(),
          kind: z.enum(['a', 'b', 'c']),
          note: z.string().optional(),
          items: z.array(z.object({ id: z.string() })),
        }),
      },
    )
    const steps = await stepsOf(tested)
    const flags = Object.fromEntries(steps.map(({ stepId, conditional }) => [stepId, conditional]))
    expect(flags).toMatchObject({
      vip: true,
      plain: true,
      'kind-b': true,
      note: true,
      'item-id': true,
      'item-id-2': true,
      end: false,
    })
    expect(steps.at(-1)?.stepId).toBe('end')
  })

  it('finds conditions on payloads without a schema, on results and on the subscriber', async () => {
    const tested = workflow('f', async ({ step, payload, subscriber }) => {
      const inbox = await step.inApp('tell', () => ({ body: 'x' }))
      if (!inbox.read) await sms(step, 'unread')
      if (payload['vip']) await sms(step, 'vip')
      if (subscriber.phone) await sms(step, 'phone')
      const digest = await step.digest('digest', () => ({ amount: 1, unit: 'hours' }))
      if (digest.events.length > 1) await sms(step, 'many')
    })
    expect((await idsOf(tested)).sort()).toEqual(['digest', 'many', 'phone', 'tell', 'unread', 'vip'])
  })

  it('detects which steps start in parallel', async () => {
    const steps = await stepsOf(
      flow(async ({ step }) => {
        await sms(step, 'first')
        await Promise.all([sms(step, 'a').then(() => sms(step, 'a2')), sms(step, 'b')])
        await sms(step, 'last')
      }),
    )
    const groups = Object.fromEntries(steps.map(({ stepId, parallelGroup }) => [stepId, parallelGroup]))
    expect(groups['a']).toBe(groups['b'])
    expect(new Set(Object.values(groups)).size).toBe(4)
    expect(steps.every(({ conditional }) => !conditional)).toBe(true)
  })

  it('ends loops over results for any loop condition', async () => {
    const schema = { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] } as const
    const until = flow(async ({ step }) => {
      for (let n = 0; ; n++) {
        const { done } = await step.custom(`poll-${n}`, () => ({ done: true }), { outputSchema: schema })
        if (done) break
      }
    })
    const whileMore = flow(async ({ step }) => {
      for (let n = 0, more = true; more; n++)
        more = !(await step.custom(`poll-${n}`, () => ({ done: true }), { outputSchema: schema })).done
    })
    const untyped = flow(async ({ step }) => {
      for (let n = 0, next: unknown = true; next; n++) next = (await step.custom(`page-${n}`, gives('x')))['next']
    })
    for (const tested of [until, whileMore, untyped]) expect((await idsOf(tested)).length).toBeLessThan(12)
  })

  it('tries a path again if a literal leads to it, even if other data already reached it', async () => {
    const tested = workflow('f', async ({ step, payload }) => {
      const waited = await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
      const count = (): number => payload['count'] as number
      if (!(count() > -5 && count() < 2)) return
      for (const at of (payload['items'] as readonly unknown[]).keys()) await sms(step, `item-${at}`)
      if (payload['text'] === 'gold' && !payload['flag']) await sms(step, 'gold')
      if (waited.duration > 2000 && payload['flag']) await sms(step, 'slow')
    })
    expect(await idsOf(tested)).toEqual(expect.arrayContaining(['gold', 'slow']))
  })

  it('passes the function a plain object whose fields can be listed, copied and set', async () => {
    const tested = workflow('f', async (context) => {
      const names = ['step', 'payload', 'subscriber', 'env', 'controls', 'context', 'actor', 'signal']
      const copy = { ...context }
      const { step, ...others } = context
      const isWhole = names.every((name) => Object.keys(copy).includes(name)) && Object.keys(others).length === 7
      const same = others.subscriber === context.subscriber && others.signal === context.signal
      Object.assign(context, { subscriber: { subscriberId: 'own' } })
      const isSet = context.subscriber.subscriberId === 'own'
      await sms(step, `${isWhole} ${same} ${isSet}`)
    })
    expect(await idsOf(tested)).toEqual(['true true true'])
  })

  it('never runs a handler or skip', async () => {
    const handler = vi.fn(() => ({ body: 'x' }))
    await idsOf(flow(({ step }) => step.sms('a', handler, { skip: handler as never })))
    expect(handler).not.toHaveBeenCalled()
  })

  it('returns the same bytes every time', async () => {
    const make = (): WorkflowDefinition =>
      workflow('f', async ({ step, payload }) => {
        if (payload['a']) await sms(step, 'a')
        await Promise.all([sms(step, 'b'), payload['c'] ? sms(step, 'c') : undefined])
      })
    const bodies = await Promise.all([1, 2, 3].map(() => ask(make(), { action: 'discover' })))
    expect(new Set(bodies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  })

  it('publishes the source text only on request', async () => {
    const tested = flow(({ step }) => step.sms('a', () => ({ body: 'secret text' })))
    const open = await ask(tested, { action: 'discover', options: { exposeCode: true } })
    expect(open.body.workflows[0].steps[0].code).toMatch(/secret text/)
    expect(open.body.workflows[0].code).toMatch(/step.sms/)
    const closed = await ask(tested, { action: 'discover' })
    expect(JSON.stringify(closed.body)).not.toMatch(/secret text/)
  })
})

describe('a workflow that cannot be discovered', () => {
  const healthy = flow(({ step }) => sms(step, 'a'), 'healthy')
  const broken: readonly [string, WorkflowDefinition, string, RegExp][] = [
    [
      'throws',
      flow(() => Promise.reject(new Error('boom')), 'broken'),
      'WorkflowDiscoveryFailedError',
      /boom\. Code outside handlers/,
    ],
    ['never ends', flow(() => wait(60_000), 'broken'), 'WorkflowDiscoveryFailedError', /did not end/],
    [
      'starts steps for ever without awaiting',
      flow(({ step }) => {
        for (let n = 0; ; n++) void sms(step, `s${n}`)
      }, 'broken'),
      'WorkflowDiscoveryFailedError',
      /more than 2000 steps/,
    ],
    [
      'starts steps for ever and catches everything',
      flow(async ({ step }) => {
        for (let n = 0; ; n++)
          try {
            await sms(step, `s${n}`)
          } catch {
            n++
          }
      }, 'broken'),
      'WorkflowDiscoveryFailedError',
      /more than 2000 steps/,
    ],
    [
      'reads sample data for ever',
      workflow(
        'broken',
        ({ payload }) => {
          for (;;) void (payload as { list: unknown[] }).list.map((x) => (x as { y: unknown }).y).filter((y) => `${y}`)
        },
        {},
      ),
      'WorkflowDiscoveryFailedError',
      /more than 20000 times/,
    ],
    [
      'calls one id twice',
      flow(({ step }) => Promise.all([sms(step, 'a'), sms(step, 'a')]), 'broken'),
      'StepAlreadyExistsError',
      /twice/,
    ],
    [
      'uses one id for two kinds',
      flow(
        ({ step, payload }) => (payload['x'] ? sms(step, 'a') : step.email('a', () => ({ subject: 's', body: 'b' }))),
        'broken',
      ),
      'StepAlreadyExistsError',
      /step "a" is sms in one run and email in another\. Give each step its own id\.$/,
    ],
    [
      'uses one id with two schemas',
      flow(
        ({ step, payload }) =>
          payload['x']
            ? step.custom('a', () => ({}), { outputSchema: { type: 'object', properties: { a: { type: 'string' } } } })
            : step.custom('a', () => ({}), { outputSchema: { type: 'object', properties: { b: { type: 'string' } } } }),
        'broken',
      ),
      'StepAlreadyExistsError',
      /"a" has different schemas in different runs\. Give each step its own id, and/,
    ],
    [
      'makes the schema of a step of data',
      flow(
        ({ step, payload }) =>
          step.custom(payload['x'] ? 'a' : 'a', () => ({}), {
            controlSchema: {
              type: 'object',
              properties: { a: { type: 'string', default: `${payload['x']}` } },
            } as const,
          }),
        'broken',
      ),
      'StepAlreadyExistsError',
      /different schemas in different runs\. .+ do not build its schemas from call data/,
    ],
    [
      'has a step without an id',
      flow(({ step }) => sms(step, ''), 'broken'),
      'WorkflowDiscoveryFailedError',
      /id of a step/,
    ],
    [
      'has an override for an unknown provider',
      flow(({ step }) => step.sms('a', () => ({ body: '' }), { providers: { nope: () => ({}) } as never }), 'broken'),
      'ProviderNotFoundError',
      /nope/,
    ],
  ]

  it.each(broken)('%s', async (_name, tested, code, message) => {
    const workflows = [healthy, tested]
    const discovered = await ask(workflows, { action: 'discover' })
    expect(discovered.body.code).toBe(code)
    expect(discovered.body.message).toMatch(message)
    expect(discovered.body.data.workflows.map(({ workflowId }: { workflowId: string }) => workflowId)).toEqual([
      'healthy',
    ])
    expect(discovered.body.data.errors).toMatchObject([{ workflowId: 'broken', code }])
    expect((await ask(workflows, { workflow: 'healthy', step: 'a' })).body.outputs).toEqual({ body: 'a' })
    expect((await ask(workflows, { action: 'health-check' })).status).toBe(200)
  })

  it('returns 409 only if two workflows share the id', async () => {
    const workflows = [flow(({ step }) => sms(step, 'a'), 'twin'), healthy, flow(({ step }) => sms(step, 'b'), 'twin')]
    for (const action of ['execute', 'preview'])
      expect((await ask(workflows, { action, workflow: 'twin', step: 'a' })).body).toMatchObject({
        code: 'WorkflowAlreadyExistsError',
        data: { workflowId: 'twin' },
      })
    const { status, body } = await ask(workflows, { action: 'discover' })
    expect([status, body.code, body.data.workflows.length]).toEqual([409, 'WorkflowAlreadyExistsError', 1])
    expect((await ask(workflows, { workflow: 'healthy', step: 'a' })).status).toBe(200)
  })

  it('is discovered again once the cause is fixed', async () => {
    let down = true
    const tested = flow(async ({ step }) => {
      if (down) throw new Error('refused')
      await sms(step, 'a')
    })
    const { createBridge } = await import('../http/create-bridge.ts')
    const { askBridge, silent } = await import('../call-bridge.fixture.ts')
    const bridge = createBridge({ workflows: [tested], strictAuthentication: false, logger: silent })
    expect((await askBridge(bridge, { action: 'discover' })).status).toBe(500)
    down = false
    expect((await askBridge(bridge, { action: 'discover' })).status).toBe(200)
  })
})

describe('warnings', () => {
  async function warningsOf(tested: WorkflowDefinition): Promise<string[]> {
    const warn = vi.fn()
    await ask(tested, { action: 'discover', options: { strictAuthentication: false, logger: { warn, error: warn } } })
    return warn.mock.calls.map(([, text]) => text).filter((text) => text.includes('Workflow "flow"'))
  }

  it('report code whose steps differ between runs', async () => {
    let count = 0
    expect(await warningsOf(flow(({ step }) => sms(step, `s${count++}`)))).toContainEqual(
      expect.stringMatching(/different steps/),
    )
  })

  it('report repeated ids only for a list with several items', async () => {
    const schema = z.object({ items: z.array(z.object({ kind: z.enum(['x', 'y']) })) })
    const tested = workflow(
      'flow',
      async ({ step, payload }) => {
        for (const { kind } of payload.items) await sms(step, kind)
      },
      { payloadSchema: schema },
    )
    expect(await warningsOf(tested)).toContainEqual(expect.stringMatching(/"x" was called twice for a list/))
  })

  it('are not given for a valid workflow', async () => {
    expect(await warningsOf(flow(({ step }) => step.sms('a', () => ({ body: 'a' }))))).toEqual([])
  })
})

describe('a discover that runs out of time', () => {
  let open: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const slow = workflow('slow', async ({ step }) => {
    await gate
    await sms(step, 'a')
  })
  const faulty = workflow('faulty', async () => {
    throw new Error('broken')
  })
  const discoverAll = async (...workflows: WorkflowDefinition[]) => {
    const options = {
      workflows,
      strictAuthentication: false,
      timeoutMs: 100,
      logger: { warn: vi.fn(), error: vi.fn() },
    }
    const response = await createBridge(options).fetch(new Request('http://x/?action=discover'))
    return { status: response.status, body: await response.json() }
  }

  it('reports whether a later call can succeed', async () => {
    expect((await discoverAll(slow)).body.data.continues).toBe(true)
    // On a busy machine, both can be late at first.
    await vi.waitFor(async () => expect((await discoverAll(faulty, slow)).body.data.continues).toBeUndefined(), 30_000)
    open()
    await vi.waitFor(async () => expect((await discoverAll(slow)).status).toBe(200), 30_000)
  })
})
