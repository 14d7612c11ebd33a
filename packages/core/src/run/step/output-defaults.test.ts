import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod3'
import { ask } from '../../call-bridge.fixture.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import type { Schema } from '../../schema/schema-types.ts'
import { workflow } from '../../workflow/workflow.ts'

const jsonSchema = {
  type: 'object',
  properties: {
    n: { type: 'number', default: 3 },
    deep: { type: 'object', properties: { t: { default: 'x' } }, default: {} },
  },
} as const

const stored = async (outputSchema: Schema, returned: object): Promise<unknown> => {
  const flow = workflow('w', async ({ step }) => {
    await step.custom('s', () => returned as never, { outputSchema: outputSchema as never })
  })
  return (await ask(flow, { workflow: 'w', step: 's' })).body.outputs
}

describe('defaults of an outputSchema', () => {
  test.each<[string, Schema, object, object]>([
    ['JSON Schema', jsonSchema, {}, { n: 3, deep: { t: 'x' } }],
    ['JSON Schema, what was returned wins', jsonSchema, { n: 5, deep: {} }, { n: 5, deep: { t: 'x' } }],
    ['Zod', z.object({ n: z.number().default(3) }), {}, { n: 3 }],
    ['Zod 3', z3.object({ n: z3.number().default(3) }) as never, {}, { n: 3 }],
    ['Valibot', v.object({ n: v.optional(v.number(), 3) }) as never, {}, { n: 3 }],
    [
      'Zod, a transform is not run',
      z.object({ at: z.string().transform((text) => text.length), n: z.number().default(3) }),
      { at: 'abc' },
      { at: 'abc', n: 3 },
    ],
    [
      'Zod, a default that is no input is left out',
      z.object({
        at: z
          .string()
          .transform((text) => text.length)
          .default(7),
      }),
      {},
      {},
    ],
    ['Zod, unknown keys stay', z.object({ n: z.number().default(3) }), { more: 1 }, { more: 1, n: 3 }],
    ['asynchronous', z.object({ n: z.number().default(3) }).refine(async () => true), {}, { n: 3 }],
  ])('%s: are in what is stored', async (_name, schema, returned, expected) => {
    expect(await stored(schema, returned)).toEqual(expected)
  })

  test('whatever fits is stored so that it fits again, and nothing of it is lost', async () => {
    const schema = z.object({
      a: z.number().default(1),
      b: z.string().optional(),
      c: z.array(z.object({ d: z.boolean().default(true) })).optional(),
    })
    const compiled = compileSchema(schema)
    const values = fc.record(
      {
        a: fc.integer(),
        b: fc.string(),
        c: fc.array(fc.record({ d: fc.boolean() }, { requiredKeys: [] }), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const filled = await compiled.fill(value)
        expect(filled).toMatchObject(value)
        expect(schema.safeParse(filled).data).toEqual(schema.safeParse(value).data)
      }),
    )
  })
})

describe('the picture of an in-app message', () => {
  test.each([
    ['https://example.com/a.png', true],
    ['data:image/png;base64,AA', true],
    ['no uri', false],
    ['/a.png', false],
    ['', false],
  ])('%j', async (avatar, good) => {
    const flow = workflow('w', async ({ step }) => {
      await step.inApp('s', () => ({ body: 'b', avatar }))
    })
    const { body } = await ask(flow, { workflow: 'w', step: 's' })
    if (good) expect(body.outputs).toEqual({ body: 'b', avatar })
    else
      expect(body).toMatchObject({
        code: 'ExecutionStateOutputInvalidError',
        data: [{ path: '/avatar', message: expect.stringMatching(/absolute URL/) }],
      })
  })
})
