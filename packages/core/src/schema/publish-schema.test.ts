import { expect, test } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod3'
import { compileSchema } from './compile-schema.ts'
import type { Schema } from './schema-types.ts'

const draft7 = 'http://json-schema.org/draft-07/schema#'

async function publish(given: unknown): Promise<object> {
  const schema = compileSchema(given as Schema)
  await schema.prepare()
  return schema.jsonSchema()
}

test('publishes both alternatives of a nullable choice', async () => {
  const oneOf = [
    { const: 'r', title: 'Red' },
    { const: 'g', title: 'Green' },
  ]
  const schema = { anyOf: [{ type: 'string', oneOf }, { type: 'null' }] }
  const published = compileSchema((await publish(schema)) as Schema)
  for (const value of [null, 'r']) expect(await published.check(value)).toEqual({ value })
  expect((await published.check('b')).issues).toBeDefined()
})

test('publishes a tuple under the keyword used since 2020-12', async () => {
  const schema = { $schema: draft7, type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'number' } }
  const prefixItems = [{ type: 'string' }]
  expect(await publish(schema)).toEqual({ type: 'array', prefixItems, items: { type: 'number' } })
  expect(await publish(z3.tuple([z3.string()]))).toMatchObject({ prefixItems })
})

test('allows properties named like keywords', async () => {
  const names = ['additionalProperties', 'default', 'enum', 'required', 'pattern', 'minimum']
  const fields = Object.fromEntries(names.map((name) => [name, z.record(z.string(), z.number())]))
  expect(Object.keys(((await publish(z.object(fields))) as { properties: object }).properties)).toEqual(names)
  const reference = { $ref: '#/definitions/t', minLength: 5 }
  const properties = Object.fromEntries(names.map((name) => [name, reference]))
  const schema = { $schema: draft7, type: 'object', properties, definitions: { t: { type: 'string' } } }
  expect(await publish(schema)).toMatchObject({
    properties: Object.fromEntries(names.map((name) => [name, { $ref: '#/definitions/t' }])),
  })
  expect(JSON.stringify(await publish(schema))).not.toContain('minLength')
})

test('publishes comments next to a draft 7 reference', async () => {
  const properties = { a: { $ref: '#/definitions/t', default: 'x', title: 'A', minLength: 5 } }
  const schema = { $schema: draft7, properties, definitions: { t: { type: 'string' } } }
  expect(await publish(schema)).toMatchObject({
    properties: { a: { $ref: '#/definitions/t', default: 'x', title: 'A' } },
  })
})

test('keeps the position of referenced schemas', async () => {
  const shared = z3.object({ n: z3.number() })
  const nullable = z3.object({ a: shared.nullable(), b: shared, route: z3.tuple([z3.string().min(1), shared]) })
  const tuple = z3.object({ route: z3.tuple([shared, shared]) })
  for (const [schema, value] of [
    [nullable, { a: null, b: { n: 1 }, route: ['x', { n: 1 }] }],
    [tuple, { route: [{ n: 1 }, { n: 2 }] }],
  ] as const) {
    const published = compileSchema((await publish(schema)) as Schema)
    expect(await published.check(value)).toEqual({ value })
    expect((await published.check({ ...value, route: [{ n: 'x' }, { n: 'x' }] })).issues).toBeDefined()
  }
})

test('keeps dependencies of a property named like a keyword', async () => {
  const names = ['items', 'enum', 'type', 'properties', 'required', 'anyOf', 'const', 'additionalItems', 'default']
  for (const name of names) {
    const dependentRequired = { [name]: ['unit'] }
    expect(await publish({ type: 'object', dependentRequired })).toEqual({ type: 'object', dependentRequired })
    const dependencies = { [name]: ['unit'] }
    expect(await publish({ $schema: draft7, type: 'object', dependencies })).toEqual({ type: 'object', dependencies })
  }
})

test('a keyword named __proto__ does not change the schema around it', async () => {
  const schema = JSON.parse(
    '{ "type": "object", "properties": { "a": { "type": "string" } }, "__proto__": { "enum": ["x"] } }',
  )
  const published = await publish(schema)
  expect(published).not.toHaveProperty('const')
  expect(JSON.stringify(published)).toBe(JSON.stringify(schema))
})
