import { scope, type } from 'arktype'
import Type from 'typebox'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod3'
import { z as zodOf3 } from 'zod3/v4'
import { compileSchema } from '../compile-schema.ts'
import type { Schema } from '../schema-types.ts'

// One logical schema, written with each library.
const libraries: Record<string, Schema> = {
  'JSON Schema': {
    type: 'object',
    properties: {
      id: { type: 'string', minLength: 1 },
      email: { type: 'string', format: 'email' },
      total: { type: 'number', minimum: 0 },
      kind: { enum: ['new', 'old'] },
      tags: { type: 'array', items: { type: 'string' } },
      note: { type: ['string', 'null'] },
      urgent: { type: 'boolean', default: true },
      ref: { type: ['string', 'number'] },
      address: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
    required: ['id', 'total', 'kind', 'tags', 'note', 'address'],
  },
  TypeBox: Type.Object({
    id: Type.String({ minLength: 1 }),
    email: Type.Optional(Type.String({ format: 'email' })),
    total: Type.Number({ minimum: 0 }),
    kind: Type.Union([Type.Literal('new'), Type.Literal('old')]),
    tags: Type.Array(Type.String()),
    note: Type.Union([Type.String(), Type.Null()]),
    urgent: Type.Optional(Type.Boolean({ default: true })),
    ref: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    address: Type.Object({ city: Type.String() }),
  }) as Schema,
  'Zod 4': z.object({
    id: z.string().min(1),
    email: z.email().optional(),
    total: z.number().min(0),
    kind: z.enum(['new', 'old']),
    tags: z.array(z.string()),
    note: z.string().nullable(),
    urgent: z.boolean().default(true),
    ref: z.union([z.string(), z.number()]).optional(),
    address: z.object({ city: z.string() }),
  }),
  'Zod 3': z3.object({
    id: z3.string().min(1),
    email: z3.string().email().optional(),
    total: z3.number().min(0),
    kind: z3.enum(['new', 'old']),
    tags: z3.array(z3.string()),
    note: z3.string().nullable(),
    urgent: z3.boolean().default(true),
    ref: z3.union([z3.string(), z3.number()]).optional(),
    address: z3.object({ city: z3.string() }),
  }),
  Valibot: v.object({
    id: v.pipe(v.string(), v.minLength(1)),
    email: v.optional(v.pipe(v.string(), v.email())),
    total: v.pipe(v.number(), v.minValue(0)),
    kind: v.picklist(['new', 'old']),
    tags: v.array(v.string()),
    note: v.nullable(v.string()),
    urgent: v.optional(v.boolean(), true),
    ref: v.optional(v.union([v.string(), v.number()])),
    address: v.object({ city: v.string() }),
  }),
  ArkType: type({
    id: 'string >= 1',
    'email?': 'string.email',
    total: 'number >= 0',
    kind: "'new' | 'old'",
    tags: 'string[]',
    note: 'string | null',
    urgent: 'boolean = true',
    'ref?': 'string | number',
    address: { city: 'string' },
  }) as Schema,
}

const good = { id: 'o-1', total: 3, kind: 'new', tags: ['a'], note: null, address: { city: 'Ulm' } }
const bad: Record<string, unknown> = {
  'not an object': 'text',
  'nothing there': {},
  'wrong types': { ...good, id: 1, total: '3', tags: 'a', note: 5, ref: true, address: [] },
  'wrong values': { ...good, id: '', total: -1, kind: 'other', email: 'no address' },
  'deep places': { ...good, tags: ['a', 2], address: { city: null } },
}

describe.each(Object.entries(libraries))('%s', (_name, schema) => {
  const compiled = compileSchema(schema)

  test('publishes the same JSON Schema', async () => {
    await compiled.prepare()
    const reference = compileSchema(libraries['JSON Schema'])
    expect(compiled.jsonSchema()).toEqual(reference.jsonSchema())
    expect(compiled.jsonSchema()).toMatchObject({
      properties: { kind: { type: 'string', enum: ['new', 'old'] }, note: { type: ['string', 'null'] } },
    })
  })

  test('fills the default', async () => {
    expect(await compiled.check(good)).toEqual({ value: { ...good, urgent: true } })
  })

  test.each(Object.entries(bad))('gives the same messages for: %s', async (_what, value) => {
    const reference = await compileSchema(libraries['JSON Schema']).check(value)
    const verdict = await compiled.check(value)
    expect(verdict.issues?.length).toBeGreaterThan(0)
    const sorted = (list: typeof verdict.issues) => [...(list ?? [])].sort((a, b) => (a.path < b.path ? -1 : 1))
    expect(sorted(verdict.issues)).toEqual(sorted(reference.issues))
  })
})

test.each<[string, Schema]>([
  ['Zod 4', z.object({ a: z.object({ when: z.date() }) })],
  ['Zod 3', z3.object({ a: z3.object({ when: z3.date() }) })],
  ['Valibot', v.object({ a: v.object({ when: v.date() }) })],
  ['ArkType', type({ a: { when: 'Date' } }) as Schema],
  ['ArkType, a number without a bound', type({ a: { when: 'bigint' } }) as Schema],
])('%s: names values that JSON does not support', async (_name, schema) => {
  const compiled = compileSchema(schema)
  await compiled.prepare()
  expect(() => compiled.jsonSchema()).toThrow('/a/when')
})

const piped = (...actions: readonly unknown[]): Schema =>
  v.object({ a: (v.pipe as (...parts: unknown[]) => unknown)(v.string(), ...actions) as never }) as Schema
const pipedList = (action: unknown): Schema =>
  v.object({ a: (v.pipe as (...parts: unknown[]) => unknown)(v.array(v.string()), action) as never }) as Schema
const list = { type: 'array', items: { type: 'string' } }

test.each<[string, Schema, object]>([
  ['trim', piped(v.trim()), { type: 'string' }],
  ['toLowerCase, and what is shown beside it', piped(v.toLowerCase(), v.email()), { type: 'string', format: 'email' }],
  ['toUpperCase', piped(v.toUpperCase()), { type: 'string' }],
  ['normalize', piped(v.normalize()), { type: 'string' }],
  [
    'check',
    piped(
      v.check(() => true),
      v.minLength(2),
    ),
    { type: 'string', minLength: 2 },
  ],
  ['rawCheck', piped(v.rawCheck(() => undefined)), { type: 'string' }],
  ['brand and readonly', piped(v.brand('id'), v.readonly()), { type: 'string' }],
  ['creditCard', piped(v.creditCard()), { type: 'string' }],
  ['graphemes, words, bytes', piped(v.maxGraphemes(5), v.maxWords('en', 5), v.maxBytes(5)), { type: 'string' }],
  ['two patterns', piped(v.startsWith('a'), v.endsWith('z')), { type: 'string', pattern: '^a' }],
  ['a pattern of lines', piped(v.regex(/^x/m)), { type: 'string' }],
  ['filterItems', pipedList(v.filterItems(() => true)), list],
  ['mapItems', pipedList(v.mapItems(String)), list],
  ['someItem', pipedList(v.someItem(() => true)), list],
])('Valibot: omits an action without a JSON Schema keyword: %s', async (_name, schema, expectedSchema) => {
  const compiled = compileSchema(schema)
  await compiled.prepare()
  expect(compiled.jsonSchema()).toMatchObject({ properties: { a: expectedSchema } })
  expect(Object.keys((compiled.jsonSchema() as { properties: { a: object } }).properties.a).sort()).toEqual(
    Object.keys(expectedSchema).sort(),
  )
})

test('Valibot: the library validates and transforms what its JSON Schema omits', async () => {
  const pair = v.object({ a: v.pipe(v.string(), v.trim()), b: v.string() })
  const same = v.forward(
    v.partialCheck([['a'], ['b']], ({ a, b }: { a: string; b: string }) => a === b, 'must be the same'),
    ['b'],
  )
  const compiled = compileSchema(v.pipe(pair, same as never) as unknown as Schema)
  await compiled.prepare()
  expect(compiled.jsonSchema()).toMatchObject({ required: ['a', 'b'] })
  expect(await compiled.check({ a: ' x ', b: 'x' })).toEqual({ value: { a: 'x', b: 'x' } })
  expect(await compiled.check({ a: 'x', b: 'y' })).toEqual({ issues: [{ path: '/b', message: 'must be the same' }] })
})

test('TypeBox: names values that JSON does not support', () => {
  expect(() => compileSchema(Type.Object({ a: Type.BigInt() }) as unknown as Schema)).toThrow('/properties/a')
})

test.each<[string, Schema]>([
  ['Zod 4', z.object({ n: z.string().transform(Number), d: z.coerce.date() })],
  ['Zod 3', z3.object({ n: z3.string().transform(Number), d: z3.coerce.date() })],
])('%s: runs transforms and coercions, and publishes the input schema', async (_name, schema) => {
  const compiled = compileSchema(schema)
  await compiled.prepare()
  expect(compiled.transforms).toBe(true)
  expect(compiled.jsonSchema()).toMatchObject({
    properties: { n: { type: 'string' }, d: { type: 'string', format: 'date-time' } },
  })
  const date = '2026-11-20T10:00:00Z'
  expect(await compiled.check({ n: '7', d: date })).toEqual({ value: { n: 7, d: new Date(date) } })
})

test('adds the message of a refinement to those of JSON Schema', async () => {
  const schema = z.object({ a: z.string(), b: z.string().refine((text) => text !== 'x', 'must not be x') })
  expect(await compileSchema(schema).check({ a: 1, b: 'x' })).toEqual({
    issues: [
      { path: '/a', message: 'must be a string' },
      { path: '/b', message: 'must not be x' },
    ],
  })
})

describe('reports nothing that the library accepts, regardless of its JSON Schema', () => {
  const due = '2026-05-05'
  const branch = z.object({ k: z.literal('a'), due: z.coerce.date(), id: z.string() })
  test.each<[string, Schema, unknown, readonly string[]]>([
    ['Zod', z.object({ id: z.string(), due: z.coerce.date() }), { id: 5, due }, ['/id']],
    [
      'Zod, other coercions',
      z.object({ id: z.string(), n: z.coerce.number(), b: z.coerce.boolean(), s: z.coerce.string() }),
      { n: '2', b: 'x', s: 7 },
      ['/id'],
    ],
    ['Zod, a fallback', z.object({ id: z.string(), n: z.number().catch(1) }), { id: 5, n: 'x' }, ['/id']],
    ['Zod, a URL', z.object({ id: z.string(), u: z.url() }), { id: 5, u: 'localhost:80' }, ['/id']],
    ['Zod, an address', z.object({ id: z.string(), e: z.email({ pattern: /@/ }) }), { id: 5, e: '@' }, ['/id']],
    ['Zod, an unknown key', z.strictObject({ due: z.coerce.date() }), { due, more: 1 }, ['/more']],
    ['Zod, a rule for the whole', z.object({ due: z.coerce.date() }).refine(() => false), { due }, ['']],
    [
      'Zod, a rule for the list',
      z.object({ l: z.array(z.object({ due: z.coerce.date() })).min(2) }),
      { l: [{ due }] },
      ['/l'],
    ],
    [
      'Zod, items',
      z.array(z.object({ id: z.string(), due: z.coerce.date() })),
      [
        { id: 1, due },
        { id: 'x', due },
      ],
      ['/0/id'],
    ],
    ['Zod, a union', z.object({ u: z.union([branch, z.string()]) }), { u: { k: 'a', due, id: 5 } }, ['/u/id']],
    [
      'Zod, a union that a key decides',
      z.object({ u: z.discriminatedUnion('k', [branch]) }),
      { u: { k: 'a', due, id: 5 } },
      ['/u/id'],
    ],
    ['Zod 3', z3.object({ id: z3.string(), due: z3.coerce.date() }), { id: 5, due }, ['/id']],
    ['Zod 3, an unknown key', z3.object({ due: z3.coerce.date() }).strict(), { due, more: 1 }, ['/more']],
    [
      'Zod 3, a union',
      z3.object({ u: z3.union([z3.object({ due: z3.coerce.date(), id: z3.string() }), z3.string()]) }),
      { u: { due, id: 5 } },
      ['/u/id'],
    ],
    ['Valibot', v.object({ id: v.string(), n: v.fallback(v.number(), 1) }) as Schema, { id: 5, n: 'x' }, ['/id']],
    [
      'Valibot, a union',
      v.object({ u: v.union([v.object({ id: v.string(), n: v.fallback(v.number(), 1) }), v.string()]) }) as Schema,
      { u: { id: 5, n: 'x' } },
      ['/u/id'],
    ],
    ['ArkType', type({ id: 'string', due: 'string.date.parse' }) as Schema, { id: 5, due: 'May 5, 2026' }, ['/id']],
  ])('%s', async (_name, schema, value, expected) => {
    const { issues = [] } = await compileSchema(schema).check(value)
    const paths = issues.map(({ path }) => path)
    expect(paths).toEqual(expected)
  })
})

const twoPatterns = [/^[a-z]+$/, /^[b-y]+$/i] as const
test.each<[string, Schema]>([
  ['Zod', z.object({ a: z.string().regex(/^a$/i), b: z.string().regex(twoPatterns[0]).regex(twoPatterns[1]) })],
  ['Zod 3', z3.object({ a: z3.string().regex(/^a$/i), b: z3.string().regex(twoPatterns[0]).regex(twoPatterns[1]) })],
  ['ArkType', type({ a: /^a$/i, b: twoPatterns[1] }) as Schema],
  [
    'Valibot',
    v.object({ a: v.pipe(v.string(), v.regex(/^a$/i)), b: v.pipe(v.string(), v.regex(/^[b-y]+$/i)) }) as Schema,
  ],
])('publishes a pattern with its flags: %s', async (_name, schema) => {
  const compiled = compileSchema(schema)
  await compiled.prepare()
  const { a, b } = compiled.jsonSchema()['properties'] as Record<string, unknown>
  expect(a).toEqual({ type: 'string', pattern: '^[aA]$' })
  expect(JSON.stringify(b)).toContain('"pattern":"^[b-yB-Y]+$"')
  expect((await compiled.check({ a: 'A', b: 'no' })).issues).toBeUndefined()
  expect((await compiled.check({ a: 'B', b: 'no' })).issues).toHaveLength(1)
})

test('ArkType: publishes a recursive type without changing its pattern', async () => {
  const { node } = scope({ node: { 'next?': 'node', code: /^[a-z]$/i, '+': 'delete' } }).export()
  const compiled = compileSchema(node as Schema)
  await compiled.prepare()
  expect(JSON.stringify(compiled.jsonSchema())).not.toContain('a-zA-Z')
})

test('ArkType: accepts unknown keys if they are dropped, and rejects them otherwise', async () => {
  const schema = type({
    '+': 'delete',
    id: 'string',
    to: { '+': 'delete', 'count?': 'number', city: 'string = "Bern"', when: 'string.date.parse' },
    'list?': type({ '+': 'reject', a: 'string' }).array(),
  })
  const compiled = compileSchema(schema as Schema)
  await compiled.prepare()
  const text = { type: 'string' }
  expect(compiled.jsonSchema()).toEqual({
    type: 'object',
    properties: {
      id: text,
      to: {
        type: 'object',
        properties: {
          count: { type: 'number' },
          city: { ...text, default: 'Bern' },
          when: expect.objectContaining(text),
        },
        required: ['when'],
      },
      list: {
        type: 'array',
        items: { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false },
      },
    },
    required: ['id', 'to'],
  })
  const { issues } = await compiled.check({ id: 5, to: { when: '2026-05-05', more: 1 }, more: 1 })
  expect(issues).toEqual([{ path: '/id', message: expect.any(String) }])
})

test('ArkType: rejects a default in versions before 2.1.19, because they do not publish it', async () => {
  const asBefore = (present: Schema): Schema => {
    const { references, '~standard': standard } = present as { references?: object; '~standard': object }
    const toJsonSchema = (): object => ({ type: 'object', properties: { subject: { type: 'string' } } })
    return { references, toJsonSchema, '~standard': { ...standard, jsonSchema: undefined } } as Schema
  }
  const withDefault = compileSchema(asBefore(type({ subject: 'string = "Hi {{ payload.id }}"' }) as Schema))
  await withDefault.prepare()
  expect(() => withDefault.jsonSchema()).toThrow('its default needs ArkType 2.1.19 or newer')
  const without = compileSchema(asBefore(type({ subject: 'string' }) as Schema))
  await without.prepare()
  expect(without.jsonSchema()).toEqual({ type: 'object', properties: { subject: { type: 'string' } } })
})

test('names the fix for a library with a separate function for Standard JSON Schema', () => {
  const mute = { '~standard': { version: 1 as const, vendor: 'effect', validate: (value: unknown) => ({ value }) } }
  expect(() => compileSchema(mute).prepare()).toThrow(
    'use a version, or a function of it, that supports Standard JSON Schema.',
  )
})

test('names a library without JSON Schema support, and a missing package', () => {
  const mute = { '~standard': { version: 1 as const, vendor: 'mute', validate: (value: unknown) => ({ value }) } }
  expect(() => compileSchema(mute).prepare()).toThrow('mute')
  const old = { _zod: {}, '~standard': { ...mute['~standard'], vendor: 'zod' } }
  expect(() => compileSchema(old).prepare()).toThrow('Zod 4.2')
})

test('names the Zod Mini function that converts its schemas', () => {
  const byMini = mini.object({ id: mini.string() })
  expect(() => compileSchema(byMini).prepare()).toThrow(
    '; use z.toJSONSchema(schema, { io: "input" }): Zod 4.2 or newer can.',
  )
  expect(() => compileSchema(zodOf3.object({ id: zodOf3.string() })).prepare()).toThrow('; Zod 4.2 or newer can.')
})

test('Zod Mini with that function validates, fills in defaults and publishes', async () => {
  const schema = mini.object({
    id: mini.string().check(mini.minLength(2)),
    count: mini._default(mini.number(), 3),
    length: mini.optional(
      mini.pipe(
        mini.string(),
        mini.transform((text: string) => text.length),
      ),
    ),
  })
  const given = mini.toJSONSchema(schema, { io: 'input' })
  const compiled = compileSchema(given)
  await compiled.prepare()
  expect(compiled.jsonSchema()).toEqual({
    type: 'object',
    properties: {
      id: { type: 'string', minLength: 2 },
      count: { type: 'number', default: 3 },
      length: { type: 'string' },
    },
    required: ['id'],
  })
  expect(await compiled.check({ id: 'ab', length: 'four' })).toEqual({ value: { id: 'ab', count: 3, length: 4 } })
  expect(await compiled.check({ id: 'a' })).toEqual({
    issues: [{ path: '/id', message: 'must have at least 2 characters' }],
  })
})

test('returns a result even if a schema misbehaves at run time', async () => {
  const thrower = (validate: (value: unknown) => never): Schema => ({
    '~standard': { version: 1, vendor: 'odd', validate },
  })
  for (const thrown of [new Error('boom'), undefined, 'text', Object.create(null), Object.freeze({})]) {
    const schema = thrower(() => {
      throw thrown
    })
    expect((await compileSchema(schema).check({})).issues).toHaveLength(1)
  }
  const rejects = {
    '~standard': { version: 1 as const, vendor: 'odd', validate: () => Promise.reject(new Error('no')) },
  }
  expect((await compileSchema(rejects).check({})).issues).toEqual([{ path: '', message: 'cannot be checked: no' }])
})
