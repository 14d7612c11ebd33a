import { type WorkflowDefinition, workflow } from '@trestle/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { event, workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

const healthy = workflow('healthy', async ({ step }) => {
  await step.custom('works', () => ({ a: 1 }))
})
const throws = workflow('throws', () => {
  throw new Error('from the function')
})
const twinA = workflow('twin', async ({ step }) => {
  await step.custom('a', () => ({}))
})
const twinB = workflow('twin', async ({ step }) => {
  await step.custom('b', () => ({}))
})
const doubled = workflow('doubled', async ({ step }) => {
  await step.custom('same', () => ({}))
  await step.email('same', () => ({ subject: 's', body: 'b' }))
})
const noSchema = workflow(
  'no-schema',
  async ({ step }) => {
    await step.custom('unreached', () => ({}))
  },
  { payloadSchema: z.object({ at: z.bigint() }) },
)
const transforming = workflow(
  'transforming',
  async ({ step, payload }) => {
    await step.custom('tell', () => ({ count: payload.count, extra: payload.extra }))
  },
  { payloadSchema: z.object({ count: z.string().transform(Number), extra: z.any() }) },
)
const list = (...some: readonly WorkflowDefinition[]): readonly WorkflowDefinition[] => some

/** Discovery; one broken workflow does not affect others: protocol 4 and 6. */
export function discovery(mount: Mount): void {
  describe('discover', () => {
    const site = useSite(mount, { workflows })

    test('returns the workflows in their order, with all their fields', async () => {
      const { status, json } = await site.call({ query: { action: 'discover' } })
      expect([status, Object.keys(json)]).toEqual([200, ['workflows', 'agents', 'capabilities']])
      expect(json.agents).toEqual([])
      expect(json.workflows.map(({ workflowId }: { workflowId: string }) => workflowId)).toEqual([
        'echo',
        'order',
        'branches',
        'every-kind',
      ])
      expect(json.workflows[0]).toEqual({
        workflowId: 'echo',
        tags: [],
        severity: 'none',
        preferences: {},
        payload: { schema: {} },
        controls: { schema: {} },
        env: { schema: {} },
        steps: [expect.objectContaining({ stepId: 'tell', type: 'custom' })],
        complete: true,
        warnings: [],
      })
      const [, order] = json.workflows
      expect(order).toMatchObject({
        name: 'Order',
        description: 'An order is on its way.',
        tags: ['orders'],
        severity: 'high',
        preferences: { all: { enabled: true, readOnly: true }, channels: { email: { enabled: false } } },
        payload: { schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
      })
    })

    test('returns the steps, with all their fields and without source text', async () => {
      const { json } = await site.call({ query: { action: 'discover' } })
      const steps = json.workflows[1].steps
      expect(steps.map(({ stepId, type }: Record<string, unknown>) => `${stepId}:${type}`)).toEqual([
        'inbox:in_app',
        'wait:delay',
        'mail:email',
      ])
      expect(steps[2]).toEqual({
        stepId: 'mail',
        type: 'email',
        controls: { schema: expect.objectContaining({ type: 'object' }) },
        outputs: { schema: expect.objectContaining({ type: 'object' }) },
        results: { schema: expect.any(Object) },
        providers: [{ type: 'sendgrid', outputs: { schema: expect.any(Object) } }],
        options: { disableOutputSanitization: false },
        conditional: false,
        parallelGroup: 2,
      })
    })

    test('returns every kind of step by its wire name', async () => {
      const { json } = await site.call({ query: { action: 'discover' } })
      const types = json.workflows[3].steps.map(({ type }: { type: string }) => type)
      expect(types).toEqual([
        'in_app',
        'digest',
        'delay',
        'throttle',
        'email',
        'sms',
        'push',
        'chat',
        'tool',
        'http_request',
        'custom',
      ])
    })

    test('returns the warnings of each workflow, and none for valid ones', async () => {
      const { json } = await site.call({ query: { action: 'discover' } })
      expect(json.workflows.map(({ warnings }: Record<string, unknown>) => warnings)).toEqual(
        json.workflows.map(() => []),
      )
    })

    test('returns which steps are parallel and which are conditional', async () => {
      const { json } = await site.call({ query: { action: 'discover' } })
      const steps = json.workflows[2].steps.map(({ stepId, conditional, parallelGroup }: Record<string, unknown>) => [
        stepId,
        conditional,
        parallelGroup,
      ])
      expect(steps).toEqual([
        ['left', false, 0],
        ['right', false, 0],
        ['urgent', true, 1],
      ])
    })

    test('returns the same bytes each time', async () => {
      const first = await site.call({ query: { action: 'discover' } })
      expect((await site.call({ query: { action: 'discover' } })).text).toBe(first.text)
    })
  })

  describe('a schema with a transform next to a field that may be anything', () => {
    const site = useSite(mount, { workflows: [transforming] })
    test('is discovered', async () => {
      const { status, json } = await site.call({ query: { action: 'discover' } })
      expect([status, json.workflows?.[0]?.steps.length]).toEqual([200, 1])
    })
  })

  describe('source text', () => {
    const site = useSite(mount, { workflows, exposeCode: true })
    test('is returned if the option requests it', async () => {
      const { json } = await site.call({ query: { action: 'discover' } })
      expect(json.workflows[0].steps[0].code).toContain('idempotencyKey')
    })
  })

  describe('broken workflows', () => {
    const site = useSite(mount, { workflows: list(healthy, throws, twinA, twinB, doubled, noSchema) })
    const query = (workflowId: string, stepId: string, action = 'execute') => ({ action, workflowId, stepId })

    test('the first failure determines the response, which lists all failures and the healthy workflows', async () => {
      const { status, json } = await site.call({ query: { action: 'discover' } })
      expect([status, json.code]).toEqual([500, 'WorkflowDiscoveryFailedError'])
      expect(json.message).toContain('from the function')
      expect(json.data.errors.map(({ workflowId, code }: Record<string, unknown>) => [workflowId, code])).toEqual([
        ['throws', 'WorkflowDiscoveryFailedError'],
        ['twin', 'WorkflowAlreadyExistsError'],
        ['doubled', 'StepAlreadyExistsError'],
        ['no-schema', 'WorkflowDiscoveryFailedError'],
      ])
      for (const error of json.data.errors)
        expect(Object.keys(error)).toEqual(['workflowId', 'code', 'message', 'data'])
      expect(json.data.workflows.map(({ workflowId }: { workflowId: string }) => workflowId)).toEqual(['healthy'])
    })

    test('healthy workflows still run', async () => {
      expect((await site.call({ signature: null })).status).toBe(200)
      for (const action of ['execute', 'preview'])
        expect((await site.call({ query: query('healthy', 'works', action), body: event })).json.outputs).toEqual({
          a: 1,
        })
    })

    test('two workflows with the same id cause 409 for that id', async () => {
      for (const action of ['execute', 'preview']) {
        const { status, json } = await site.call({ query: query('twin', 'a', action), body: event })
        expect([status, json.code, json.data]).toEqual([409, 'WorkflowAlreadyExistsError', { workflowId: 'twin' }])
      }
    })

    test('the response is not cached', async () => {
      const { status } = await site.call({ query: { action: 'discover' } })
      expect(status).toBe(500)
    })
  })

  describe('duplicates only', () => {
    const twins = useSite(mount, { workflows: list(healthy, twinA, twinB) })
    const steps = useSite(mount, { workflows: list(healthy, doubled) })
    test('two workflows with the same id', async () => {
      const { status, json } = await twins.call({ query: { action: 'discover' } })
      expect([status, json.code, json.data.workflowId]).toEqual([409, 'WorkflowAlreadyExistsError', 'twin'])
    })
    test('two steps with the same id', async () => {
      const { status, json } = await steps.call({ query: { action: 'discover' } })
      expect([status, json.code]).toEqual([409, 'StepAlreadyExistsError'])
      expect(json.data).toMatchObject({ workflowId: 'doubled', stepId: 'same' })
    })
  })
}
