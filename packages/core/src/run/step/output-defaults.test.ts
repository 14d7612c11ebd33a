import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod3'
import { processorMs } from '../../../../../test/processor-time.ts'
import { type Answer, ask, askBridge, silent } from '../../call-bridge.fixture.ts'
import { createBridge } from '../../http/create-bridge.ts'
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
  ])('are stored: %s', async (_name, schema, returned, expected) => {
    expect(await stored(schema, returned)).toEqual(expected)
  })

  test('are stored so that the values match the schema again, and nothing is lost', async () => {
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

describe('a default computed by a function', () => {
  let count = 0
  const next = (): string => `made-${++count}`
  const readAt = async (outputSchema: Schema, key: string, returned: object = {}): Promise<readonly unknown[]> => {
    const flow = workflow('w', async ({ step }) => {
      const result = await step.custom('s', () => returned as never, { outputSchema: outputSchema as never })
      await step.custom('later', () => ({ [key]: Reflect.get(result, key) }))
    })
    const bridge = createBridge({ workflows: [flow], strictAuthentication: false, logger: silent })
    const run = async (): Promise<unknown> => {
      const { outputs } = (await askBridge(bridge, { workflow: 'w', step: 's' })).body
      const read = (): Promise<Answer> => askBridge(bridge, { workflow: 'w', step: 'later', state: { s: outputs } })
      const [once, again] = [(await read()).body.outputs, (await read()).body.outputs]
      expect(again).toEqual(once)
      return once[key]
    }
    return [await run(), await run(), await run()]
  }

  test.each<[string, Schema]>([
    ['Zod', z.object({ token: z.string().default(next) })],
    ['Zod, a prefault', z.object({ token: z.string().prefault(next) })],
    ['Zod, a fallback', z.object({ token: z.string().catch(next) })],
    [
      'Zod, in front of a transform',
      z.object({
        token: z
          .string()
          .prefault(next)
          .transform((id) => `<${id}>`),
      }),
    ],
    [
      'Zod, a transform behind it',
      z.object({
        token: z
          .string()
          .default(next)
          .transform((id) => `<${id}>`),
      }),
    ],
    [
      'Zod, beside one that cannot be stored',
      z.object({ token: z.string().default(next), size: z.string().transform(Number).default(7) }),
    ],
    [
      'Zod, in an object that is made into another',
      z.object({ id: z.string().default(next), n: z.number().default(1) }).transform(({ id }) => ({ token: id })),
    ],
    ['Zod, asynchronous', z.object({ token: z.string().default(next) }).refine(async () => true)],
    ['Zod 3', z3.object({ token: z3.string().default(next) }) as never],
    [
      'Zod 3, a transform behind it',
      z3.object({
        token: z3
          .string()
          .default(next)
          .transform((id) => `<${id}>`),
      }) as never,
    ],
    ['Valibot', v.object({ token: v.optional(v.string(), next) }) as never],
    [
      'Valibot, a transform behind it',
      v.object({
        token: v.pipe(
          v.optional(v.string(), next),
          v.transform((id) => `<${id}>`),
        ),
      }) as never,
    ],
    ['ArkType', type({ token: type('string').default(next) }) as never],
  ])('%s: is computed for each recipient, and read back as it was stored', async (_name, schema) => {
    const tokens = await readAt(schema, 'token')
    expect(tokens).toEqual(tokens.map(() => expect.stringContaining('made-')))
    expect(new Set(tokens).size).toBe(3)
  })

  test('is computed for each item of a list', async () => {
    const rows = z.array(z.object({ token: z.string().default(next) }))
    const behind = z.array(
      z.object({
        token: z
          .string()
          .default(next)
          .transform((id) => `<${id}>`),
      }),
    )
    for (const list of [rows, behind]) {
      const outputs = await stored(z.object({ list }), { list: [{}, { token: 'own' }, {}] })
      const [first, own, last] = (outputs as { list: { token: string }[] }).list
      expect(own).toEqual({ token: 'own' })
      expect(first?.token).toMatch(/^made-/)
      expect(last?.token).toMatch(/^made-/)
      expect(first?.token).not.toBe(last?.token)
    }
  })

  test('needs no more checks for a thousand items than for one', async () => {
    let checks = 0
    const schema = z.object({
      list: z.array(z.object({ token: z.string().default(next), n: z.number().default(1) })).refine(() => ++checks > 0),
    })
    const list = Array.from({ length: 1000 }, () => ({}))
    const outputs = (await stored(schema, { list })) as { list: { token: string; n: number }[] }
    expect(new Set(outputs.list.map(({ token, n }) => `${token} ${n}`)).size).toBe(1000)
    expect(checks).toBeLessThan(5)
  })

  test('needs time that grows with the length of a list, even if a transform changes the shape', async () => {
    const schema = z
      .object({ items: z.array(z.object({ id: z.string(), quantity: z.number().default(1) })) })
      .transform(({ items }) => ({ orders: items }))
    const items = Array.from({ length: 20_000 }, (_, index) => ({ id: String(index) }))
    const startMs = processorMs()
    await stored(schema, { items })
    expect(processorMs() - startMs).toBeLessThan(10_000)
  })

  test('that is a date is stored as text', async () => {
    const [first] = await readAt(
      z.object({ at: z.coerce.date().default(() => new Date(1_800_000_000_000 + count++)) }),
      'at',
    )
    expect(first).toMatch(/^2027-01-15T08:00:0\d\.\d{3}Z$/)
  })
})

describe('defaults inside a union', () => {
  const branches = [
    z.object({ k: z.literal('a'), n: z.number().default(3) }),
    z.object({ k: z.literal('b'), n: z.number().default(5), m: z.string().default('x') }),
    z.object({ k: z.literal('c') }),
  ] as const
  test.each<[string, Schema, object, object]>([
    ['Zod', z.object({ u: z.union(branches) }), { u: { k: 'a' } }, { u: { k: 'a', n: 3 } }],
    [
      'Zod, another branch',
      z.object({ u: z.union(branches) }),
      { u: { k: 'b', n: 1 } },
      { u: { k: 'b', n: 1, m: 'x' } },
    ],
    ['Zod, a branch without one', z.object({ u: z.union(branches) }), { u: { k: 'c' } }, { u: { k: 'c' } }],
    ['Zod, the whole', z.discriminatedUnion('k', branches), { k: 'b' }, { k: 'b', n: 5, m: 'x' }],
    [
      'Zod, different branches in a list',
      z.object({ l: z.array(z.union(branches)) }),
      { l: [{ k: 'a' }, { k: 'b' }, { k: 'c' }] },
      { l: [{ k: 'a', n: 3 }, { k: 'b', n: 5, m: 'x' }, { k: 'c' }] },
    ],
    [
      'Zod, a transform behind it',
      z.union([
        z.object({
          t: z
            .string()
            .default('a')
            .transform((text) => `${text}!`),
        }),
        z.string(),
      ]) as never,
      {},
      { t: 'a' },
    ],
    [
      'Zod 3',
      z3.object({ u: z3.union([z3.object({ k: z3.literal('a'), n: z3.number().default(3) }), z3.string()]) }) as never,
      { u: { k: 'a' } },
      { u: { k: 'a', n: 3 } },
    ],
    [
      'Valibot',
      v.object({ u: v.variant('k', [v.object({ k: v.literal('a'), n: v.optional(v.number(), 3) })]) }) as never,
      { u: { k: 'a' } },
      { u: { k: 'a', n: 3 } },
    ],
    [
      'a key that a transform adds is none',
      z.object({ n: z.number().default(3) }).transform((o) => ({ ...o, more: 1 })),
      {},
      { n: 3 },
    ],
  ])('%s: are stored', async (_name, schema, returned, expected) => {
    expect(await stored(schema, returned)).toEqual(expected)
  })
})

describe('the avatar of an in-app message', () => {
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
        data: {
          stepId: 's',
          type: 'in_app',
          issues: [{ path: '/avatar', message: expect.stringMatching(/absolute URL/) }],
        },
      })
  })
})
