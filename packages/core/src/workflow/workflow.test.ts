import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ask } from '../call-bridge.fixture.ts'
import { workflow } from './workflow.ts'

const described = workflow(
  'order-shipped',
  async ({ step, controls, env, context, actor }) => {
    await step.custom('seen', () => ({ controls, env, context, actor: actor ?? null }))
    await step.email('mail', (own) => ({ subject: own.subject, body: 'x' }), {
      controlSchema: z.object({
        subject: z
          .string()
          .default(
            '{{ workflow.workflowId }}|{{ workflow.name }}|{{ workflow.description }}|{{ workflow.tags | join: "+" }}|{{ workflow.severity }}',
          ),
      }),
    })
  },
  {
    name: 'Order shipped',
    description: 'Tells where the order is.',
    tags: ['shop', 'orders'],
    severity: 'high',
    preferences: {
      all: { enabled: true, readOnly: true },
      channels: { email: { enabled: true }, inApp: { enabled: false } },
    },
    controlSchema: z.object({
      greeting: z.string().default('Hello'),
      nested: z.object({ n: z.number() }).default({ n: 1 }),
    }),
    envSchema: z.object({ region: z.string(), limit: z.coerce.number().default(5) }),
  },
)
const bare = workflow('bare', async ({ step, controls, env, context }) => {
  await step.custom('seen', () => ({ controls, env, context }))
  await step.sms('text', (own) => ({ body: String(own['body']) }))
})
const env = { region: 'eu', limit: '7' }
const context = { tenant: { id: 'acme', data: { plan: 'pro' } } }

describe('the description of a workflow', () => {
  it('is published completely', async () => {
    const { body } = await ask([described, bare], { action: 'discover' })
    const [full, plain] = body.workflows
    expect(full).toMatchObject({
      workflowId: 'order-shipped',
      name: 'Order shipped',
      description: 'Tells where the order is.',
      tags: ['shop', 'orders'],
      severity: 'high',
      preferences: {
        all: { enabled: true, readOnly: true },
        channels: { email: { enabled: true }, in_app: { enabled: false } },
      },
      controls: { schema: { properties: { greeting: { type: 'string', default: 'Hello' } } } },
      env: { schema: { properties: { region: { type: 'string' } }, required: ['region'] } },
    })
    expect(plain).toMatchObject({
      tags: [],
      severity: 'none',
      preferences: {},
      ...{ payload: { schema: {} }, controls: { schema: {} }, env: { schema: {} } },
    })
    expect(plain).not.toHaveProperty('name')
    expect(plain).not.toHaveProperty('description')
  })

  it.each(['execute', 'preview'])('is available to its templates as the variable workflow: %s', async (action) => {
    const { body } = await ask(described, { action, step: 'mail', env, state: { seen: {} } })
    expect(body.outputs.subject).toBe('order-shipped|Order shipped|Tells where the order is.|shop+orders|high')
    const text = '{{ workflow.workflowId }}|{{ workflow.name }}|{{ workflow.severity }}'
    const plain = await ask(bare, { action, step: 'text', controls: { body: text }, state: { seen: {} } })
    expect(plain.body.outputs.body).toBe('bare||none')
  })
})

describe('a workflow function receives', () => {
  it.each(['execute', 'preview'])(
    'controls with defaults, env by its schema, contexts and actor: %s',
    async (action) => {
      const { body } = await ask(described, { action, step: 'seen', env, context, actor: { subscriberId: 'boss' } })
      expect(body.outputs).toMatchObject({
        controls: { greeting: 'Hello', nested: { n: 1 } },
        env: { region: 'eu', limit: 7 },
        context,
        actor: { subscriberId: 'boss' },
      })
    },
  )

  it('the environment unchanged without a schema, and no controls', async () => {
    const { body } = await ask(bare, { step: 'seen', env, context })
    expect(body.outputs).toEqual({ controls: {}, env, context })
  })

  it('never the controls of a step as those of the workflow', async () => {
    const { body } = await ask(described, { step: 'seen', env, controls: { greeting: 'Bye' } })
    expect(body.outputs.controls.greeting).toBe('Hello')
  })

  it.each(['execute', 'preview', 'discover'])('no controls if a required one has no default: %s', async (action) => {
    const controlSchema = z.object({ greeting: z.string().default('Hello'), sender: z.string() })
    const incomplete = workflow('incomplete', ({ step, controls }) => step.custom('seen', () => ({ controls })), {
      controlSchema,
    })
    const { status, body } = await ask(incomplete, { action, step: 'seen' })
    expect([status, body.code]).toEqual([500, 'WorkflowDiscoveryFailedError'])
    expect(body.message).toMatch(/"incomplete": each field of the controlSchema needs a default .*\/sender/)
  })

  it('no environment that its schema rejects', async () => {
    const { status, body } = await ask(described, { step: 'seen', env: { limit: 1 } })
    expect([status, body.code]).toEqual([400, 'RequestBodyInvalidError'])
    expect(body.data).toMatchObject([{ path: '/env/region' }])
  })
})
