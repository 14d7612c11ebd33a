import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { compareSchemas } from './compare-schemas.ts'
import type { Schema } from './plain-schema.ts'
import { accepts, schema, toDocument, value } from './schemas.fixture.ts'

/** A schema with a mutation: something in it is replaced, removed or inserted. */
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
    !['properties', '$defs', 'patternProperties', 'dependentRequired', 'uniqueItems'].includes(key)
  )
    node[key] = other
  return isSchema(copy) ? copy : other
}

/** A mutation can produce an invalid schema, which the reference validator does not detect. */
function isSchema(value: unknown): value is Schema {
  const text = JSON.stringify(value)
  return !/"(?:minLength|maxLength|minItems|maxItems|minProperties|maxProperties)":-|"multipleOf":(?:0|-)|"(?:required|enum)":\[[^\]]*\{/.test(
    text,
  )
}

const draft4 = { $schema: 'http://json-schema.org/draft-04/schema#', type: 'number' }
const runs = draws(1500, 100_000)

describe('a schema change', () => {
  it(
    'that rejects a previously accepted value is always reported',
    () => {
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
        { numRuns: runs },
      )
      // Enough of the generated changes must be incompatible.
      expect(refusing).toBeGreaterThan(runs / 8)
    },
    120_000 + runs * 20,
  )

  it('to the same schema has no effect', () => {
    fc.assert(
      fc.property(schema.map(toDocument), (one) => {
        expect(compareSchemas(one, structuredClone(one))).toEqual([])
      }),
      { numRuns: draws(200, 10_000) },
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
    ['an enum that becomes a pattern', { enum: ['ab', 'a'] }, { type: 'string', pattern: '^a', format: 'hostname' }],
    ['a bound of draft 4', { ...draft4, minimum: 1, exclusiveMinimum: true }, { type: 'number', exclusiveMinimum: 1 }],
    ['a schema that can be used again', { $ref: '#/nowhere' }, {}],
  ])('by %s rejects nothing', (_what, before, after) => {
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
    ['an enum that becomes a pattern', { enum: ['ab', 'b'] }, { pattern: '^a' }, ''],
    ['a reference to nothing', { type: 'string' }, { $ref: '#/nowhere' }, ''],
    ['a narrower leaf of a recursive schema', tree('A', 4), tree('A', 3), '/value'],
  ])('by %s is breaking', (_what, before, after, path) => {
    expect(compareSchemas(before, after)).toContainEqual(expect.objectContaining({ kind: 'breaking', path }))
  })

  it('that adds the first type to a required field is breaking', () => {
    const before = { type: 'object', required: ['id'] }
    const after = { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] }
    expect(compareSchemas(before, after)).toEqual([expect.objectContaining({ kind: 'breaking', path: '/id' })])
  })

  it('that adds an optional field to an open object is a notice, because any value was accepted before', () => {
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
