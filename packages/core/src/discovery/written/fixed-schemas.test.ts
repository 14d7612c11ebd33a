import { expect, test } from 'vitest'
import { scanTokens } from '../dictionary/tokens/scan-tokens.ts'
import { hasFixedSchemas } from './fixed-schemas.ts'

const isFixed = (source: string): boolean => hasFixedSchemas(scanTokens(source))

const withSchema = (schema: string, before = ''): string =>
  `async ({ step, payload }) => { ${before}; await step.email('a', () => ({ body: payload.x }), { controlSchema: ${schema}, skip }) }`

test.each([
  `z.object({ subject: z.string().default('Hello {{ payload.name }}'), count: z.number().min(-1) })`,
  `z.object({ a: z.enum(["x", "y"]), b: z.array(z.string().regex(/^a/)).optional() })`,
  `{ type: 'object', properties: { a: { type: 'string', default: "x" } }, additionalProperties: false }`,
  `v.object({ a: v.optional(v.string(), 'x') })`,
  `__vi_import_0__.z.object({ a: __vi_import_0__.z.string() })`,
])('the same in every run: %s', (schema) => expect(isFixed(withSchema(schema))).toBe(true))

test.each([
  'payload.vip ? z.object({}) : z.string()',
  'z.object({ a: z.string().default(payload.name) })',
  'z.object({ a: z.string().default(name) })',
  'z.object({ a: z.string().default(`Hello ${payload.name}`) })',
  'z.object({ a: z.date().default(new Date()) })',
  'z.object({ a: z.string().transform((text) => text.trim()) })',
  'z.object({ ...shared })',
  'z.object({ [key]: z.string() })',
  'schema',
  'payload.schema',
  'payload.vip && z.string()',
])('perhaps not: %s', (schema) => expect(isFixed(withSchema(schema))).toBe(false))

test('perhaps not: a name that the function has declared, and an option of a name alone', () => {
  expect(isFixed(withSchema('own.object({})', 'const own = payload.vip ? z : v'))).toBe(false)
  expect(isFixed(`({ step }) => step.email('a', tell, { controlSchema })`)).toBe(false)
  expect(isFixed(`({ step }) => { options.controlSchema = make(); return step.email('a', tell, options) }`)).toBe(false)
})
