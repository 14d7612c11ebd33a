import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../api/json-schema.ts'
import { sampleValue } from './sample-value.ts'

const range = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.nat(30))
const name = fc.constantFrom('name', 'firstName', 'email', 'orderId', 'items', 'url', 'createdAt', 'x', 'codes')
const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small' },
    fc.record({
      type: fc.constant('string'),
      format: fc.constantFrom('email', 'uri', 'date-time', 'date', 'uuid', 'ipv4'),
    }),
    fc.tuple(fc.nat(30), fc.nat(30)).map(([a, b]) => ({ type: 'string', minLength: a, maxLength: a + b })),
    fc.nat(9).map((digits) => ({ type: 'string', pattern: `^\\d{${digits}}$` })),
    range.map(([minimum, more]) => ({ type: 'integer', minimum, maximum: minimum + more })),
    range.map(([exclusiveMinimum]) => ({ type: 'number', exclusiveMinimum })),
    range.map(([maximum]) => ({ type: 'integer', maximum })),
    fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.nat(40))
      .map(([multipleOf, minimum]) => ({ type: 'integer', multipleOf, minimum })),
    fc.constantFrom(
      { type: 'boolean' },
      { type: 'null' },
      { type: ['null', 'string'] },
      { const: 7 },
      { enum: ['a', 'b'] },
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ oneOf: fc.tuple(tie('schema')) }),
    fc
      .dictionary(name, tie('schema'), { maxKeys: 4 })
      .chain((properties) =>
        fc
          .subarray(Object.keys(properties))
          .map((required) => ({ type: 'object', properties, required, additionalProperties: false })),
      ),
  ) as fc.Arbitrary<JsonSchema>,
}))

test('returns a sample that matches its schema', () => {
  fc.assert(
    fc.property(schema, (jsonSchema) => {
      const value = sampleValue(jsonSchema)
      expect(new Validator(jsonSchema as object, '2020-12').validate(value)).toMatchObject({ valid: true })
    }),
  )
})

test('prefers values from the schema itself', () => {
  const jsonSchema = {
    type: 'object',
    properties: { a: { type: 'string', default: 'd', examples: ['e'] }, b: { type: 'string', examples: ['e'] } },
  }
  expect(sampleValue(jsonSchema)).toEqual({ a: 'd', b: 'e' })
})

test.each([
  { type: 'object', default: { id: 'default' } },
  { $ref: '#/$defs/order', $defs: { order: { type: 'object', properties: { id: { type: 'string' } } } } },
])("prefers the developer's first sample to %j", (jsonSchema) => {
  const examples = [{ id: 'sample' }, { id: 'other' }]
  expect(sampleValue({ ...jsonSchema, examples })).toEqual({ id: 'sample' })
})

test('follows references and ends cycles', () => {
  const tree: JsonSchema = {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        type: 'object',
        properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } },
        required: ['name', 'next'],
      },
    },
  }
  expect(sampleValue(tree)).toMatchObject({ name: 'name', next: { name: 'name' } })
  expect(sampleValue({ $ref: '#' })).toEqual(expect.anything())
})

test.each([[{}], [{ type: 'object' }], [{ $ref: '#/nowhere' }]])(
  'returns an empty object for %j, which allows anything',
  (jsonSchema) => {
    expect(sampleValue(jsonSchema)).toEqual({})
  },
)

test('follows a recursive schema no further than necessary', () => {
  const node = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      children: { type: 'array', items: { $ref: '#/$defs/node' } },
      others: { type: 'array', items: { $ref: '#/$defs/node' } },
      parent: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
    },
    required: ['name', 'children', 'parent'],
  }
  const tree: JsonSchema = { type: 'object', properties: { node: { $ref: '#/$defs/node' } }, required: ['node'] }
  const value = sampleValue({ ...tree, $defs: { node } })
  expect(value).toEqual({ node: { name: 'name', children: [], parent: null } })
  const own: JsonSchema = {
    type: 'object',
    properties: { text: { type: 'string' }, replies: { type: 'array', items: { $ref: '#' } } },
  }
  expect(sampleValue(own)).toEqual({ text: 'Some text.' })
})

test.each([
  [{ type: 'array', items: { type: 'string' }, minItems: 2 }, ['text', 'text']],
  [{ type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 2, uniqueItems: true }, ['a', 'b']],
  [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, ['text', 1]],
  [{ type: 'array', items: { type: 'string' }, maxItems: 0 }, []],
])('returns the minimum number of items for %j', (jsonSchema, value) => {
  expect(sampleValue(jsonSchema)).toEqual(value)
  expect(new Validator(jsonSchema as object, '2020-12').validate(value)).toMatchObject({ valid: true })
})

test('returns strings that match their format', () => {
  const formats = ['duration', 'regex', 'json-pointer', 'relative-json-pointer', 'uri-template', 'time', 'ipv6']
  for (const format of formats) {
    const jsonSchema = { type: 'string', format } as const
    expect(new Validator(jsonSchema, '2020-12').validate(sampleValue(jsonSchema)), format).toMatchObject({
      valid: true,
    })
  }
})

test('returns the only value of a constant field', () => {
  expect(sampleValue({ type: 'object', properties: { kind: { const: { a: 1 } } } })).toEqual({ kind: { a: 1 } })
})
