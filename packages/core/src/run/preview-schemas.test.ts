import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Answer, type Ask, ask } from '../call-bridge.fixture.ts'
import type { Schema } from '../schema/schema-types.ts'
import { workflow } from '../workflow/workflow.ts'

/** Calls a workflow whose step "s" returns its payload. */
const askOf = (payloadSchema: unknown, asked: Ask): Promise<Answer> =>
  ask(
    workflow(
      'w',
      async ({ step, payload }) => {
        await step.custom('s', () => ({ payload }))
      },
      { payloadSchema: payloadSchema as Schema },
    ),
    { step: 's', ...asked },
  )

describe('a schema with rules that JSON Schema cannot express', () => {
  const schema = v.object({ a: v.pipe(v.string(), v.trim(), v.toUpperCase(), v.brand('a')) })

  it('is discovered, previewed and run', async () => {
    const discovery = await askOf(schema, { action: 'discover' })
    expect(discovery.body.workflows[0].payload.schema).toMatchObject({ properties: { a: { type: 'string' } } })
    expect((await askOf(schema, { action: 'preview' })).body.outputs).toEqual({ payload: { a: 'A' } })
    const run = await askOf(schema, { payload: { a: ' x ' } })
    expect(run.body.outputs).toEqual({ payload: { a: 'X' } })
  })

  it('does not prevent a call from detecting an unreached step', async () => {
    const tested = workflow(
      'w',
      async ({ step, payload }) => {
        if (payload.a === 'YES') await step.custom('s', () => ({}))
      },
      { payloadSchema: schema },
    )
    const { status, body } = await ask(tested, { step: 's', payload: { a: 'no' } })
    expect([status, body.options?.skip]).toEqual([200, true])
  })
})

describe('a schema that cannot be converted to JSON', () => {
  const unshown = { code: 'WorkflowDiscoveryFailedError', message: expect.stringContaining('"/when"') }

  it('fails a preview in the same way as discovery', async () => {
    for (const schema of [z.object({ when: z.date() }), v.object({ when: v.date() })]) {
      const { status, body } = await askOf(schema, { action: 'preview' })
      expect([status, body]).toEqual([500, expect.objectContaining(unshown)])
    }
  })

  it('fails a preview after the step whose result it describes', async () => {
    for (const outputSchema of [z.object({ when: z.date() }), v.object({ when: v.date() })] as unknown as Schema[]) {
      const tested = workflow('w', async ({ step }) => {
        await step.custom('load', () => ({}) as never, { outputSchema: outputSchema as never })
        await step.custom('s', () => ({}))
      })
      const { body } = await ask(tested, { action: 'preview', step: 's' })
      expect(body).toMatchObject(unshown)
      expect(body.message).toContain('"load"')
    }
  })
})

describe('a payload that the library accepts but its JSON Schema does not', () => {
  const schema = z.object({ id: z.string(), due: z.coerce.date(), n: z.coerce.number() })

  it('is completed with missing values, and otherwise unchanged', async () => {
    const { status, body } = await askOf(schema, { action: 'preview', payload: { due: '2026-05-05', n: '7' } })
    expect([status, body.outputs?.payload]).toEqual([200, { id: 'id', due: '2026-05-05T00:00:00.000Z', n: 7 }])
  })

  it('is completed with missing values, even if the library would replace missing ones', async () => {
    const lenient = z.object({ name: z.preprocess((given) => given ?? 'nobody', z.string()), n: z.number() })
    const { body } = await askOf(lenient, { action: 'preview', payload: { n: 1 } })
    expect(body.outputs?.payload).toEqual({ name: 'name', n: 1 })
  })

  it('causes only the errors that the library reports', async () => {
    const wrong = { id: 5, due: '2026-05-05', n: '7' }
    for (const action of ['preview', 'execute']) {
      const { body } = await askOf(schema, { action, payload: wrong })
      expect([body.code, body.data]).toEqual([
        'WorkflowPayloadInvalidError',
        [{ path: '/id', message: 'must be a string' }],
      ])
    }
  })
})
