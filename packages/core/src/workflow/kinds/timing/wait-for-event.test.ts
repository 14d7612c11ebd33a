import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { type Answer, ask, askBridge, silent } from '../../../call-bridge.fixture.ts'
import { createBridge } from '../../../http/create-bridge.ts'
import { novu } from '../../../novu.ts'
import type { Step } from '../../steps/step-kinds.ts'
import { workflow } from '../../workflow.ts'

const timeout = { amount: 15, unit: 'minutes' } as const
const wait = { event: 'incident.acknowledged', match: { incidentId: 'i-1' }, timeout }
const by = z.object({ by: z.string().min(2), at: z.coerce.date().optional() })

function play(run: (step: Step) => Promise<unknown>, state: object = {}, options: object = {}): Promise<Answer> {
  const flow = workflow('flow', ({ step }) => run(step))
  const bridge = createBridge({ workflows: [flow], strictAuthentication: false, logger: silent, ...options })
  return askBridge(bridge, { workflow: 'flow', next: true, taken: [], state } as never)
}

describe('the handler', () => {
  test('returns the event, the fields to compare and the timeout', async () => {
    const { body } = await play((step) => step.waitForEvent('ack', () => wait))
    expect(body).toMatchObject({ step: { stepId: 'ack', type: 'wait_for_event' }, outputs: wait })
    expect(body.outputs).not.toHaveProperty('schema')
  })

  test('also sends the schema of the payload', async () => {
    const { body } = await play((step) => step.waitForEvent('ack', () => wait, { schema: by }))
    expect(body.outputs).toMatchObject({ ...wait, schema: { type: 'object', required: ['by'] } })
  })

  test.each<[string, object, string, string]>([
    ['no timeout', { event: 'e' }, '', 'timeout'],
    ['a negative timeout', { event: 'e', timeout: { amount: -1, unit: 'hours' } }, '/timeout/amount', '0'],
    ['an unknown unit', { event: 'e', timeout: { amount: 1, unit: 'years' } }, '/timeout/unit', 'seconds'],
    ['an empty name', { event: '', timeout }, '/event', '1 to 255 characters'],
    ['a name with a line break', { event: 'a\nb', timeout }, '/event', 'control characters'],
    ['match that is a list', { event: 'e', timeout, match: [] }, '/match', 'object'],
    ['a field of match that is undefined', { event: 'e', timeout, match: { id: undefined } }, '/match/id', 'undefined'],
    ['its own schema', { event: 'e', timeout, schema: {} }, '/schema', 'unknown'],
  ])('fails with %s', async (_what, output, path, message) => {
    const { status, body } = await play((step) => step.waitForEvent('ack', () => output as never))
    expect([status, body.code]).toEqual([400, 'ExecutionStateOutputInvalidError'])
    const texts = body.data.issues.map((issue: { path: string; message: string }) => `${issue.path} ${issue.message}`)
    expect(texts.join()).toContain(message)
    expect(texts.join()).toContain(path)
  })
})

describe('the result', () => {
  const results = async (stored: unknown, options: object = {}): Promise<unknown> => {
    let seen: unknown
    const answer = await play(
      async (step) => {
        seen = await step.waitForEvent('ack', () => wait, options)
      },
      { ack: stored },
    )
    return answer.body.done ? { ...(seen as object) } : answer.body.code
  }

  test('has the payload if the event was received, and null otherwise', async () => {
    expect(await results({ received: true, payload: { by: 'ada' } })).toMatchObject({
      received: true,
      payload: { by: 'ada' },
    })
    expect(await results({ received: false, payload: null })).toMatchObject({ received: false, payload: null })
    expect(await results('failed')).toMatchObject({ received: false, payload: null })
    expect(await results({ received: true })).toBe('ExecutionStateResultInvalidError')
  })

  test('is parsed with the schema of the payload', async () => {
    const stored = { received: true, payload: { by: 'ada', at: '2026-01-01T00:00:00Z', more: 1 } }
    expect(await results(stored, { schema: by })).toMatchObject({
      payload: { by: 'ada', at: new Date('2026-01-01T00:00:00Z') },
    })
    expect(await results({ received: false, payload: null }, { schema: by })).toMatchObject({ received: false })
    expect(await results({ received: true, payload: { by: 'x' } }, { schema: by })).toBe(
      'ExecutionStateResultInvalidError',
    )
  })

  test('is published with the schema of the payload, with its definitions at the root', async () => {
    const tree = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    } as const
    const flow = workflow('flow', async ({ step }) => {
      await step.waitForEvent('ack', () => wait, { schema: tree as never })
    })
    const { body } = await ask(flow, { action: 'discover' })
    const [{ results: published }] = body.workflows[0].steps
    expect(published.schema.$defs).toHaveProperty('node')
    expect(published.schema.oneOf).toMatchObject([
      { properties: { received: { const: true }, payload: { type: 'object' } } },
      { properties: { received: { const: false }, payload: { type: 'null' } } },
    ])
  })

  test('is narrowed by received', () => {
    const typed = async (step: Step): Promise<void> => {
      const { received, payload } = await step.waitForEvent('ack', () => wait, { schema: by })
      if (received) expectTypeOf(payload).toEqualTypeOf<{ by: string; at?: Date | undefined }>()
      else expectTypeOf(payload).toEqualTypeOf<null>()
      const any = await step.waitForEvent('any', () => ({ event: 'e', timeout }))
      if (any.received) expectTypeOf(any.payload).toEqualTypeOf<Record<string, unknown>>()
      // @ts-expect-error without a timeout
      await step.waitForEvent('a', () => ({ event: 'e' }))
      // @ts-expect-error a field to compare may be undefined
      await step.waitForEvent('b', () => ({ event: 'e', timeout, match: { id: undefined } }))
      // @ts-expect-error an unknown field
      await step.waitForEvent('c', () => ({ event: 'e', timeout, matches: {} }))
      // @ts-expect-error an unknown unit
      await step.waitForEvent('d', () => ({ event: 'e', timeout: { amount: 1, unit: 'years' } }))
    }
    expect(typed).toBeTypeOf('function')
  })
})

test('other kinds of steps reject the schema option', async () => {
  const { body } = await play((step) => step.custom('a', () => ({}), { schema: by } as never))
  expect(body.message).toContain('the option schema is not allowed')
})

test('a workflow that waits for an event cannot be synced with a service that supports only listed steps', async () => {
  const flow = workflow('flow', async ({ step }) => {
    await step.waitForEvent('ack', () => wait)
  })
  const { status, body } = await ask(flow, { action: 'discover', options: { service: novu } })
  expect([status, body.code]).toEqual([500, 'WorkflowDiscoveryFailedError'])
  expect(body.message).toContain('step "ack" waits for an event')
})
