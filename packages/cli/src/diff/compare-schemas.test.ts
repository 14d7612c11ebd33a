import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareSchemas } from './compare-schemas.ts'
import type { Schema } from './plain-schema.ts'

const accepts = (schema: Schema, value: unknown): boolean =>
  new Validator(schema as never, '2020-12', false).validate(value).valid

const name = fc.constantFrom('a', 'b', 'type', '__proto__', 'title')
const small = fc.integer({ min: 0, max: 3 })
const scalar = fc.oneof(
  fc.constantFrom('', 'x', 'xy', 'xyz', 'a'),
  fc.integer({ min: -2, max: 4 }),
  fc.constantFrom(0.5, 1.5),
  fc.boolean(),
  fc.constant(null),
)
const optional = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: undefined, freq: 2 })
const strip = (object: object): Schema => JSON.parse(JSON.stringify(object)) as Schema
const fields = <T>(arb: fc.Arbitrary<T>) => fc.dictionary(name, arb, { maxKeys: 3, noNullPrototype: true })

const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(true, false, {}),
    fc
      .record({
        type: fc.constant('string'),
        minLength: optional(small),
        maxLength: optional(small),
        pattern: optional(fc.constantFrom('^x', 'y')),
      })
      .map(strip),
    fc
      .record({
        type: fc.constantFrom('number', 'integer'),
        minimum: optional(small),
        maximum: optional(small),
        exclusiveMinimum: optional(small),
        exclusiveMaximum: optional(small),
        multipleOf: optional(fc.constantFrom(1, 2, 3, 0.5)),
      })
      .map(strip),
    fc.record({
      type: fc.constantFrom('boolean', 'null', ['string', 'null'], ['integer', 'string'], ['number', 'boolean']),
    }),
    fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
    fc.record({ const: scalar }),
    fc
      .record({
        type: optional(fc.constant('array')),
        items: optional(tie('schema')),
        prefixItems: optional(fc.array(tie('schema'), { maxLength: 2 })),
        minItems: optional(small),
        maxItems: optional(small),
        uniqueItems: optional(fc.boolean()),
        contains: optional(tie('schema')),
      })
      .map(strip),
    fc
      .record({
        type: optional(fc.constant('object')),
        properties: optional(fields(tie('schema'))),
        required: optional(fc.uniqueArray(name, { maxLength: 2 })),
        additionalProperties: optional(tie('schema')),
        patternProperties: optional(fc.record({ '^a': tie('schema') })),
        minProperties: optional(small),
        maxProperties: optional(small),
        propertyNames: optional(fc.constantFrom({ maxLength: 1 }, true)),
        dependentRequired: optional(fc.constant({ a: ['b'] })),
      })
      .map(strip),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc
      .record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), type: optional(fc.constant('object')) })
      .map(strip),
    fc.record({ not: tie('schema') }),
    fc.record({ if: tie('schema'), then: tie('schema') }),
    fc.record({ $defs: fc.record({ item: tie('schema') }), $ref: fc.constant('#/$defs/item') }),
  ),
}))

/** References lead to the whole document, so definitions are moved to its root. */
function toDocument(value: Schema): Schema {
  const defs: Record<string, unknown> = {}
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    const entries = Object.entries(node).filter(([key]) => key !== '$defs')
    const copy = Object.fromEntries(entries.map(([key, inner]) => [key, walk(inner)]))
    if (!('$ref' in node)) return copy
    const id = `d${Object.keys(defs).length}`
    defs[id] = true
    defs[id] = walk((node as { $defs?: { item: unknown } }).$defs?.item ?? true)
    return { ...copy, $ref: `#/$defs/${id}` }
  }
  const root = walk(value)
  return typeof root === 'object' ? ({ ...(root as object), $defs: defs } as Schema) : (root as Schema)
}

/** A schema and a change of it: something at one place is replaced, taken away or put in. */
const change = fc
  .tuple(schema, schema, fc.nat(), fc.constantFrom('replace', 'remove', 'number', 'extend'))
  .map(
    ([before, other, seed, kind]) => [toDocument(before), toDocument(mutate(before, { other, seed, kind }))] as const,
  )

function mutate(before: Schema, { other, seed, kind }: { other: Schema; seed: number; kind: string }): Schema {
  const copy = structuredClone(before) as unknown
  const places: [Record<string, unknown>, string][] = []
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key])
      walk((node as Record<string, unknown>)[key])
    }
  }
  walk(copy)
  const place = places[seed % Math.max(1, places.length)]
  if (!place) return other
  const [node, key] = place
  const value = node[key]
  if (kind === 'remove' && !Array.isArray(node) && !['$ref', '$defs'].includes(key)) delete node[key]
  else if (kind === 'number' && typeof value === 'number') node[key] = value + (seed % 2 === 0 ? 1 : -1)
  else if (kind === 'extend' && Array.isArray(value) && typeof value[0] === 'string') value.push('b')
  else if (
    (typeof value === 'object' || typeof value === 'boolean') &&
    !Array.isArray(value) &&
    !['properties', '$defs', 'patternProperties', 'dependentRequired'].includes(key)
  )
    node[key] = other
  return isSchema(copy) ? copy : other
}

/** A mutation may make what no schema is; the reference validator would not know it. */
function isSchema(value: unknown): value is Schema {
  const text = JSON.stringify(value)
  return !/"(?:minLength|maxLength|minItems|maxItems|minProperties|maxProperties)":-|"multipleOf":(?:0|-)|"(?:required|enum)":\[[^\]]*\{/.test(
    text,
  )
}

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fields(tie('value')),
  ),
})).value

const runs = Number(process.env['FC_RUNS'] ?? 1)

describe('a change of a schema', () => {
  it('that refuses a value it accepted is never said to refuse none', () => {
    let refusing = 0
    fc.assert(
      fc.property(
        fc.oneof(change, fc.tuple(schema.map(toDocument), schema.map(toDocument))),
        fc.array(value, { minLength: 12, maxLength: 20 }),
        ([before, after], values) => {
          const lost = values.filter((one) => accepts(before, one) && !accepts(after, one))
          if (lost.length === 0) return
          refusing++
          expect(compareSchemas(before, after), JSON.stringify({ before, after, lost: lost[0] })).not.toEqual([])
        },
      ),
      { numRuns: 6000 * runs },
    )
    // The generator must have something to say.
    expect(refusing).toBeGreaterThan(800)
  }, 120_000)

  it('to itself refuses nothing', () => {
    fc.assert(
      fc.property(schema.map(toDocument), (one) => {
        expect(compareSchemas(one, structuredClone(one))).toEqual([])
      }),
      { numRuns: 1000 * runs },
    )
  })

  it.each<[string, Schema, Schema]>([
    [
      'a new optional field of a closed object',
      { type: 'object', properties: { a: true }, additionalProperties: false },
      { type: 'object', properties: { a: true, b: { type: 'string' } }, additionalProperties: false },
    ],
    [
      'a field that need not be there any more',
      { type: 'object', required: ['a', 'b'] },
      { type: 'object', required: ['a'] },
    ],
    ['another value of an enum', { enum: ['a'] }, { enum: ['a', 'b'] }],
    ['a constant that becomes an enum', { const: 'a' }, { type: 'string', enum: ['b', 'a'] }],
    ['a text that may be null', { type: 'string' }, { type: ['string', 'null'] }],
    [
      'a text that may be null, as alternatives',
      { type: 'string', minLength: 2 },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
    ],
    ['whole numbers that become any', { type: 'integer', minimum: 1 }, { type: 'number', minimum: 0 }],
    ['a bound that is exclusive no more', { type: 'number', exclusiveMinimum: 1 }, { type: 'number', minimum: 1 }],
    ['one more variant of a discriminated union', { oneOf: [variant('a')] }, { oneOf: [variant('a'), variant('b')] }],
    [
      'another name of a definition',
      { $defs: { A: { type: 'string' } }, $ref: '#/$defs/A' },
      { $defs: { B: { type: 'string' } }, $ref: '#/$defs/B' },
    ],
    [
      'words',
      { type: 'object', properties: { title: { type: 'string', title: 'One' } } },
      { type: 'object', title: 'Two', properties: { title: { type: 'string' } } },
    ],
    ['recursive schemas', tree('A', 3), tree('B', 4)],
    [
      'fields listed in another order',
      { required: ['b', 'a'], type: 'object' },
      { type: 'object', required: ['a', 'b'] },
    ],
    [
      'an alternative more',
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
      { anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'null' }] },
    ],
  ])('by %s refuses nothing', (_what, before, after) => {
    expect(compareSchemas(before, after)).toEqual([])
  })

  it.each<[string, Schema, Schema, string]>([
    [
      'a newly required field',
      { type: 'object', properties: { a: {} } },
      { type: 'object', properties: { a: {} }, required: ['a'] },
      '/a',
    ],
    ['a value less of an enum', { enum: ['a', 'b'] }, { enum: ['a'] }, ''],
    [
      'another type',
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'object', properties: { a: { type: 'number' } } },
      '/a',
    ],
    ['numbers that must be whole', { type: 'number' }, { type: 'integer' }, ''],
    [
      'a lower maximum of items within items',
      { items: { type: 'array' } },
      { items: { type: 'array', maxItems: 3 } },
      '/*',
    ],
    [
      'a definition that is narrower under the same name',
      { $defs: { A: { type: 'string' } }, $ref: '#/$defs/A' },
      { $defs: { A: { type: 'string', maxLength: 2 } }, $ref: '#/$defs/A' },
      '',
    ],
    [
      'an object that closes',
      { type: 'object', properties: { a: true } },
      { type: 'object', properties: { a: true }, additionalProperties: false },
      '',
    ],
    [
      'a field that goes from a closed object',
      { type: 'object', properties: { a: true, b: true }, additionalProperties: false },
      { type: 'object', properties: { a: true }, additionalProperties: false },
      '/b',
    ],
    ['a format', { type: 'string' }, { type: 'string', format: 'email' }, ''],
    [
      'a field named like a keyword',
      { type: 'object', properties: { title: { type: 'string' } } },
      { type: 'object', properties: { title: { type: 'number' } } },
      '/title',
    ],
    ['a narrower leaf of a recursive schema', tree('A', 4), tree('A', 3), '/value'],
  ])('by %s is breaking', (_what, before, after, path) => {
    expect(compareSchemas(before, after)).toContainEqual(expect.objectContaining({ kind: 'breaking', path }))
  })

  it('by a new optional field of an open object is a notice, since it was accepted in any form', () => {
    const before = { type: 'object', properties: {} }
    const after = { type: 'object', properties: { a: { type: 'string' } } }
    expect(compareSchemas(before, after)).toEqual([
      { kind: 'notice', path: '/a', message: expect.stringContaining('was added') },
    ])
  })
})

function variant(kind: string): Schema {
  return { type: 'object', properties: { kind: { const: kind } }, required: ['kind'] }
}

function tree(id: string, maxLength: number): Schema {
  return {
    $defs: {
      [id]: {
        type: 'object',
        properties: {
          value: { type: 'string', maxLength },
          children: { type: 'array', items: { $ref: `#/$defs/${id}` } },
        },
      },
    },
    $ref: `#/$defs/${id}`,
  }
}
