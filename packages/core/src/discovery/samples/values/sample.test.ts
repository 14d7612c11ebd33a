import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../../schema/compile-schema.ts'
import { mergeGiven } from '../merge-given.ts'
import { toSample } from './sample.ts'

describe('a sample', () => {
  const schemas: readonly [string, unknown, unknown][] = [
    ['a default', { type: 'string', default: 'x' }, 'x'],
    ['an example', { type: 'string', examples: ['y', 'z'] }, 'y'],
    ['the default of a boolean', { type: 'boolean', default: false }, false],
    ['the first of an enum', { enum: ['a', 'b'] }, 'a'],
    ['the default of an enum', { enum: ['a', 'b'], default: 'b' }, 'b'],
    ['a constant', { const: 7 }, 7],
    [
      'the first branch',
      { oneOf: [{ type: 'object', properties: { k: { const: 1 } }, required: ['k'] }, { type: 'null' }] },
      { k: 1 },
    ],
    ['a format', { type: 'string', format: 'email' }, 'user@example.com'],
    ['a number in its bounds', { type: 'integer', minimum: 5, maximum: 9 }, 5],
    ['a number above a bound', { type: 'integer', exclusiveMinimum: 10 }, 11],
    ['a number below a bound', { type: 'number', exclusiveMaximum: -3 }, -4],
    ['a number between two bounds', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.75],
    ['a number with a lowest one', { type: 'number', minimum: 7.5 }, 7.5],
    ['a multiple', { type: 'integer', multipleOf: 3, minimum: 7 }, 9],
    ['a multiple below a highest one', { type: 'number', multipleOf: 0.1, maximum: 0.35 }, 0.3],
    ['a cron expression', { type: 'string', format: 'cron' }, '0 9 * * *'],
    ['a nullable text', { type: ['string', 'null'] }, 'value'],
    ['a text of a length', { type: 'string', minLength: 8 }, 'valuexxx'],
  ]
  it.each(schemas)('shows %s', (_name, schema, expected) => {
    expect(toSample(schema)).toEqual(expected)
  })

  it('uses property names as text, and distinguishes items', () => {
    const schema = {
      type: 'object',
      properties: {
        orders: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
        note: { type: 'string' },
      },
    }
    expect(toSample(schema)).toEqual({ orders: [{ id: 'id' }, { id: 'id-2' }], note: 'note' })
  })

  it('follows references, and stops at recursive ones', () => {
    const node = {
      type: 'object',
      properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } },
      required: ['name'],
    }
    const sample = toSample({ $ref: '#/$defs/node', $defs: { node } })
    expect(sample).toMatchObject({ name: 'name', next: { name: 'name' } })
    expect(JSON.stringify(sample).length).toBeLessThan(1000)
  })

  it.each<[string, object, number]>([
    [
      'four fields',
      { type: 'object', properties: Object.fromEntries([...'abcd'].map((key) => [key, { $ref: '#' }])) },
      2000,
    ],
    [
      'lists',
      {
        type: 'object',
        properties: { and: { type: 'array', items: { $ref: '#' } }, or: { type: 'array', items: { $ref: '#' } } },
      },
      2000,
    ],
    [
      'a choice',
      { anyOf: [{ type: 'null' }, { type: 'array', minItems: 3, items: { $ref: '#' } }, { $ref: '#' }] },
      2000,
    ],
    [
      'what must be there',
      {
        type: 'object',
        required: ['a', 'b', 'c'],
        properties: { a: { $ref: '#' }, b: { $ref: '#' }, c: { $ref: '#' } },
      },
      100_000,
    ],
  ])('of a schema that is recursive in %s stays small', (_name, schema, most) => {
    expect(JSON.stringify(toSample(schema)).length).toBeLessThan(most)
  })

  it.each<[string, object, unknown]>([
    [
      'a field that is only required',
      { type: 'object', required: ['a'], additionalProperties: { type: 'number' } },
      { a: 1 },
    ],
    [
      'a field that nothing fits',
      { type: 'object', properties: { a: false, b: { not: {} }, c: { const: 1 } } },
      { c: 1 },
    ],
    ['items that differ', { type: 'array', minItems: 1, uniqueItems: true, items: { enum: ['a', 'b'] } }, ['a']],
    ['a tuple that is cut', { type: 'array', prefixItems: [{ const: 1 }, { const: 2 }], maxItems: 1 }, [1]],
    [
      'limits in two places',
      {
        allOf: [
          { type: 'integer', minimum: 5 },
          { type: 'integer', minimum: 3 },
        ],
      },
      5,
    ],
    ['many days', { type: 'array', minItems: 40, items: { type: 'string', format: 'date' } }, expect.any(Array)],
  ])('fits: %s', async (_name, schema, expected) => {
    const sample = toSample(schema)
    expect(sample).toEqual(expected)
    expect((await compileSchema(schema as never).check(sample)).issues).toBeUndefined()
  })

  it('matches its schema', () => {
    const leaf = fc.oneof(
      fc.constantFrom(
        { type: 'string' },
        { type: 'string', format: 'uuid' },
        { type: 'string', minLength: 3, maxLength: 12 },
        { type: 'boolean' },
        { type: 'null' },
        { enum: ['a', 1, null] },
      ),
      fc.integer().map((minimum) => ({ type: 'integer', minimum, maximum: minimum + 3 })),
      fc.integer().map((exclusiveMinimum) => ({ type: 'integer', exclusiveMinimum })),
      fc.integer().map((exclusiveMaximum) => ({ type: 'number', exclusiveMaximum })),
      fc.record({
        type: fc.constant('number'),
        multipleOf: fc.constantFrom(2, 3, 7, 0.5, 10),
        minimum: fc.integer({ min: -1e6, max: 1e6 }),
      }),
    )
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof({ maxDepth: 3 }, leaf, tie('object'), tie('array')),
      object: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 4 }).map((properties) => ({
        type: 'object',
        properties,
        required: Object.keys(properties).slice(0, 2),
        additionalProperties: false,
      })),
      array: fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3) }),
    }))
    return fc.assert(
      fc.asyncProperty(schema, async (generatedSchema) => {
        expect((await compileSchema(generatedSchema as never).check(toSample(generatedSchema))).issues).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })
})

describe('overlay', () => {
  it('merges given data deeply, and replaces lists', () => {
    expect(mergeGiven({ a: { b: 1, c: 2 }, list: [1, 2] }, { a: { b: 9 }, list: [], x: null })).toEqual({
      a: { b: 9, c: 2 },
      list: [],
      x: null,
    })
  })

  it('treats __proto__ as data', () => {
    const merged = mergeGiven({}, JSON.parse('{"__proto__":{"admin":true}}')) as { admin?: boolean }
    expect(merged.admin).toBeUndefined()
    expect(Object.keys(merged)).toEqual(['__proto__'])
  })
})
