import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { processorMs } from '../../../../test/processor-time.ts'
import { stepKinds } from '../workflow/steps/step-kinds.ts'
import { compileSchema } from './compile-schema.ts'
import type { Schema } from './schema-types.ts'

const issuesOf = async (schema: unknown, value: unknown) => (await compileSchema(schema as Schema).check(value)).issues

test('accepts everything and publishes nothing without a schema', () => {
  const none = compileSchema(undefined)
  const value = { any: ['thing'] }
  expect(none.given).toBe(false)
  expect(none.check(value)).toEqual({ value })
  expect(none.jsonSchema()).toEqual({})
})

class Struct {
  readonly type: string
  constructor(type: string) {
    this.type = type
  }
  validate(): void {}
}
class Refined extends Struct {}
class Order {}

describe('rejects values that are not schemas, and names the problem', () => {
  test.each<[string, unknown, RegExp]>([
    ['text', 'string', /a string/],
    ['null', null, /null/],
    ['a class', class Order {}, /function named Order/],
    ['a list', [], /not an object/],
    ['no keyword', { id: 'string' }, /none of its keys .* id/],
    ['a misspelt type', { type: 'strng' }, /"strng"/],
    ['a type deep inside', { properties: { a: { items: { type: 'text' } } } }, /"\/properties\/a\/items"/],
    ['a text as a field', { type: 'object', properties: { a: 'string' } }, /"\/properties\/a" must be a schema/],
    ['a bad pattern', { pattern: '(' }, /regular expression/],
    ['a bad key pattern', { patternProperties: { '(': {} } }, /not a pattern/],
    ['required as a boolean', { properties: { a: { required: true } } }, /list of keys/],
    ['an enum that is no list', { enum: 'a' }, /list as its enum/],
    ['a reference to nothing', { $ref: '#/$defs/a' }, /refers to #\/\$defs\/a/],
    [
      'a date as a default',
      { properties: { a: { default: new Date() } } },
      /"\/properties\/a" has a default that is not a JSON value/,
    ],
    ['a big number as a constant', { const: 1n, $ref: '#' }, /constant|const/],
    ['a big number as a limit', { minimum: 1n }, /a number as its minimum/],
    ['a big number where nothing is known of', { 'x-n': 5n }, /cannot be printed as JSON/],
    [
      'a text as a limit',
      { properties: { a: { minLength: 'abc' } } },
      /"\/properties\/a" must have a number as its minLength/,
    ],
    ['a reference that is a number', { $ref: 5 }, /a string as its \$ref/],
    [
      'a bad pattern where a reference leads',
      { $ref: '#/x-a', 'x-a': { pattern: '[' } },
      /The schema is not a JSON Schema/,
    ],
    ['anyOf without a list', { anyOf: {} }, /list of schemas/],
    // As created by Superstruct and old versions of Valibot and Zod: fields whose names happen to be keywords.
    ['an object with a function', { type: 'object', schema: {}, coercer: () => ({}) }, /it has a function, coercer/],
    ['an object of a class', new Struct('object'), /it is an instance of Struct; .*Standard Schema/],
    ['one of a class below it', new Refined('object'), /it is an instance of Refined/],
    ['one below a field', { properties: { a: new Struct('string') } }, /"\/properties\/a" is an instance of Struct/],
    ['one that a class method keeps apart', new Order(), /it is an instance of Order/],
    ['a map', new Map([['type', 'string']]), /an instance of Map/],
    ['a date', new Date(0), /an instance of Date/],
    ['a promise', Promise.resolve({ type: 'object' }), /an instance of Promise/],
    ['a promise of items', { type: 'array', items: Promise.resolve({}) }, /"\/items" is an instance of Promise/],
    ['a function below anyOf', { anyOf: [{ type: 'string', parse() {} }] }, /"\/anyOf\/0" has a function, parse/],
  ])('%s', (_name, schema, message) => {
    expect(() => compileSchema(schema as Schema)).toThrow(TypeError)
    expect(() => compileSchema(schema as Schema)).toThrow(message)
  })

  test('a module, whose default export would count as a default value', async () => {
    const module: unknown = await import('./object-schema.ts')
    expect(() => compileSchema({ properties: { a: module } } as Schema)).toThrow('"/properties/a" is a module')
    expect(() => compileSchema(module as Schema)).toThrow('it is a module; pass its export')
  })

  test('but accepts plain data from another realm', async () => {
    const elsewhere: unknown = runInNewContext('({ type: "object", properties: { a: { type: "string" } } })')
    const bare: unknown = Object.assign(Object.create(null), { type: 'object', properties: { a: { type: 'string' } } })
    expect(compileSchema(runInNewContext('({})')).jsonSchema()).toEqual({})
    for (const schema of [elsewhere, bare])
      expect(await issuesOf(schema, { a: 1 })).toMatchObject([{ path: '/a', message: 'must be a string' }])
  })

  test('but keeps values that TypeBox adds, such as functions for error messages', () => {
    const error = (): string => 'wrong'
    const old = { type: 'string', error, [Symbol('TypeBox.Kind')]: 'String' }
    for (const a of [old, Type.String({ error })])
      expect(compileSchema({ type: 'object', properties: { a } } as Schema).jsonSchema()).toMatchObject({
        properties: { a: { type: 'string' } },
      })
  })

  test('but accepts a default that is plain data from another realm', () => {
    const elsewhere: unknown = runInNewContext('({ type: "object", default: { a: [1] } })')
    expect(compileSchema(elsewhere as Schema).jsonSchema()).toEqual({ type: 'object', default: { a: [1] } })
    expect(() => compileSchema({ default: new Date(0) } as never)).toThrow('a default that is not a JSON value')
  })

  test('such as a cyclic schema', () => {
    const loop: Record<string, unknown> = { type: 'object' }
    loop['properties'] = { loop }
    expect(() => compileSchema(loop as Schema)).toThrow(TypeError)
  })
})

describe('JSON Schema', () => {
  test('fills defaults into a copy', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string', default: 'x' },
        list: { type: 'array', items: { type: 'object', properties: { n: { default: 1 } } } },
        inner: { type: 'object', default: {}, properties: { deep: { default: [1] } } },
        more: { $ref: '#/$defs/more' },
        __proto__: {},
      },
      $defs: { more: { properties: { on: { default: true } } } },
    }
    const value = { list: [{}, { n: 2 }], more: {} }
    const before = structuredClone(value)
    expect(compileSchema(schema as Schema).check(value)).toEqual({
      value: { a: 'x', list: [{ n: 1 }, { n: 2 }], inner: { deep: [1] }, more: { on: true } },
    })
    expect(value).toEqual(before)
  })

  test('fills in defaults behind a reference', () => {
    const schema = {
      properties: { a: { $ref: 'T0' } },
      $defs: { any: { $id: 'T0', properties: { b: { default: 1 } } } },
    }
    expect(compileSchema(schema as Schema).check({ a: {} })).toEqual({ value: { a: { b: 1 } } })
  })

  test('fills in the default of a reference, which may contain itself', () => {
    const schema = {
      properties: { tone: { $ref: '#/$defs/tone' }, node: { $ref: '#/$defs/node' } },
      $defs: {
        tone: { default: 'kind' },
        node: {
          default: { name: 'a' },
          properties: { next: { $ref: '#/$defs/node' }, tone: { $ref: '#/$defs/tone' } },
        },
      },
    }
    const { check } = compileSchema(schema as Schema)
    expect(check({})).toEqual({ value: { tone: 'kind', node: { name: 'a', tone: 'kind' } } })
    expect(check({ tone: 'dry', node: { next: {} } })).toEqual({
      value: {
        tone: 'dry',
        node: { tone: 'kind', next: { tone: 'kind', next: { name: 'a', tone: 'kind' } } },
      },
    })
  })

  test('does not share filled-in values between checks', () => {
    const compiled = compileSchema({ type: 'object', properties: { list: { type: 'array', default: [] } } })
    const first = compiled.check({})
    const second = compiled.check({})
    if (first instanceof Promise || second instanceof Promise || first.issues || second.issues)
      throw new Error('issues')
    expect((first.value as { list: unknown }).list).not.toBe((second.value as { list: unknown }).list)
  })

  test('returns a value unchanged if it needs no default', () => {
    const value = { a: 1, extra: [1] }
    const verdict = compileSchema({ type: 'object', properties: { a: { default: 5 } } }).check(value)
    expect(verdict).toEqual({ value })
    expect('value' in verdict && verdict.value).toBe(value)
  })

  test('reads own properties only, and treats __proto__ as data', async () => {
    const inherited = JSON.parse('{"__proto__": {"name": "x"}}') as object
    expect(await issuesOf({ type: 'object', required: ['toString'] }, {})).toHaveLength(1)
    expect(await issuesOf({ type: 'object', properties: {}, required: ['toString'] }, {})).toHaveLength(1)
    expect(await issuesOf({ type: 'object', required: ['name'] }, inherited)).toHaveLength(1)
    expect(await issuesOf({ type: 'object', required: ['__proto__'] }, inherited)).toBeUndefined()
    const schema = { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false }
    expect(await issuesOf(schema, Object.create({ name: 1, other: 1 }))).toBeUndefined()
    expect(await issuesOf(schema, Object.assign(Object.create({ name: 1 }), { other: 1 }))).toHaveLength(1)
    const properties = Object.fromEntries([['__proto__', { type: 'string', default: 'safe' }]])
    const verdict = await compileSchema({ type: 'object', properties } as Schema).check({})
    if (verdict.issues) throw new Error('issues')
    expect(Object.getPrototypeOf(verdict.value)).toBe(Object.prototype)
    expect(JSON.stringify(verdict.value)).toBe('{"__proto__":"safe"}')
    expect(({} as { name?: string }).name).toBeUndefined()
  })

  test('coerces nothing and drops nothing', async () => {
    const schema = { type: 'object', properties: { n: { type: 'number' } } } as const
    expect(await issuesOf(schema, { n: '5' })).toEqual([{ path: '/n', message: 'must be a number' }])
    expect(await compileSchema(schema).check({ n: 5, more: 'kept' })).toEqual({ value: { n: 5, more: 'kept' } })
  })

  test('names unknown keys', async () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false }
    expect(await issuesOf(schema, { 'a/b': 1 })).toEqual([{ path: '/a~1b', message: 'unknown key "a/b"' }])
  })

  test('lists at most 50 issues, quickly', async () => {
    const started = processorMs()
    const list = Array.from({ length: 200_000 }, () => 'x')
    expect(await issuesOf({ type: 'array', items: { type: 'number' } }, list)).toHaveLength(50)
    expect(processorMs() - started).toBeLessThan(2000)
  })

  test('supports rare keywords', async () => {
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', uniqueItems: true }, city: { $ref: '#/$defs/city' } },
      dependentRequired: { list: ['city'] },
      additionalProperties: false,
      $defs: { city: { type: 'string', minLength: 2 } },
    }
    expect(await issuesOf(schema, { list: [1], city: 'Ulm' })).toBeUndefined()
    expect(await issuesOf(schema, { list: [1, 1], city: '', 'é x': 1 })).toEqual([
      { path: '/list', message: 'must not have duplicate items' },
      { path: '/city', message: 'must have at least 2 characters' },
      { path: '/é x', message: 'unknown key "é x"' },
    ])
    expect(await issuesOf(schema, { list: [] })).toEqual([
      { path: '/city', message: 'is required if "list" is present' },
    ])
  })

  test('supports the limits of draft 4', async () => {
    const schema = { minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: false }
    for (const value of [1.5, 3]) expect(await issuesOf(schema, value)).toBeUndefined()
    for (const value of [1, 4]) expect(await issuesOf(schema, value)).toHaveLength(1)
    expect(compileSchema(schema as never).jsonSchema()).toEqual({ exclusiveMinimum: 1, maximum: 3 })
  })

  test('supports nullable from OpenAPI 3.0', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer', nullable: true }, nullable: { type: 'string' } },
    }
    for (const n of [null, 1]) expect(await issuesOf(schema, { n })).toBeUndefined()
    expect(await issuesOf(schema, { n: 'x' })).toHaveLength(1)
    expect(compileSchema(schema as never).jsonSchema()).toMatchObject({
      properties: { n: { type: ['integer', 'null'] }, nullable: { type: 'string' } },
    })
  })

  test('allows properties named like keywords', async () => {
    const fields = Object.fromEntries(['id', '$id', 'default', 'enum', 'format'].map((key) => [key, { format: 'url' }]))
    const schema = { type: 'object', properties: fields, unevaluatedProperties: false, $defs: { id: { $ref: '#' } } }
    for (const key of Object.keys(fields)) {
      expect(await issuesOf(schema, { [key]: 'http://a.test' })).toBeUndefined()
      expect(await issuesOf(schema, { [key]: `http://${'a'.repeat(100)} ` })).toBeDefined()
    }
  })

  test('evaluates a recursive schema without throwing', async () => {
    for (const schema of [
      { $ref: '#' },
      { allOf: [{ $ref: '#' }] },
      { properties: { a: { default: {}, allOf: [{ $ref: '#' }] } } },
    ])
      expect((await issuesOf(schema, {}))?.[0]?.message).toMatch(/cannot be checked/)
  })

  test.each([{}, { if: true }])('checks a URL quickly: %j', async (more) => {
    const startMs = processorMs()
    const schema = { format: 'url', ...more }
    for (const url of ['http://x', 'https://a.test/b?c#d', 'FTP://a.test:21/', `http://${'a'.repeat(50_000)}`])
      expect(await issuesOf(schema, url)).toBeUndefined()
    for (const url of ['x', 'http://', 'mailto:a@b.c', 'http://a b', `http://${'a'.repeat(50_000)} `])
      expect(await issuesOf(schema, url)).toHaveLength(1)
    expect(processorMs() - startMs).toBeLessThan(1000)
  })

  test('checks formats', async () => {
    const schema = { type: 'object', properties: { mail: { type: 'string', format: 'email' } } }
    expect(await issuesOf(schema, { mail: 'x' })).toEqual([{ path: '/mail', message: 'must be in the format "email"' }])
    expect(await issuesOf({ format: '__proto__' }, 'x')).toBeUndefined()
    expect(await issuesOf({ format: '__proto__', if: true }, 'x')).toBeUndefined()
    expect(await issuesOf({ const: { format: 'none' }, if: true }, { format: 'none' })).toBeUndefined()
  })

  test('does not change the user’s schema, which can be frozen or shared', async () => {
    const shared = Object.freeze({ type: 'array', if: true, $comment: 'one', items: { $ref: '#/$defs/a' } })
    const first = Object.freeze({ type: 'object', properties: { x: shared }, $defs: { a: { type: 'string' } } })
    const second = Object.freeze({ type: 'object', properties: { y: shared }, $defs: { a: { type: 'number' } } })
    expect(await issuesOf(first, { x: ['a'] })).toBeUndefined()
    expect(await issuesOf(second, { y: ['a'] })).toHaveLength(1)
    expect(Object.getOwnPropertyNames(shared)).toEqual(['type', 'if', '$comment', 'items'])
  })

  test('never throws, for any value', async () => {
    const odd = [undefined, Number.NaN, 1n, Symbol('s'), () => 1, new Date(), new Map(), Object.create(null)]
    for (const schema of [{ type: 'string' }, { if: true, type: 'array' }, { properties: { a: false } }]) {
      for (const value of odd) expect(await compileSchema(schema as Schema).check(value)).toBeTypeOf('object')
    }
  })

  test('accepts true and false as schemas', async () => {
    expect(compileSchema(true).jsonSchema()).toEqual({})
    expect(await issuesOf(false, 1)).toEqual([{ path: '', message: expect.stringContaining('not allowed') }])
  })

  test('ignores siblings of a reference in draft 7', async () => {
    const schema = { $ref: '#/definitions/a', minLength: 9, definitions: { a: { type: 'string' } } }
    expect(await issuesOf({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }, 'x')).toBeUndefined()
    expect(await issuesOf(schema, 'x')).toHaveLength(1)
  })
})

describe('step errors are clear', () => {
  test.each<[string, unknown, unknown, string, string]>([
    ['a negative amount', stepKinds.digest.output, { amount: -5, unit: 'days' }, '/amount', 'must be greater than 0'],
    ['a unit', stepKinds.delay.output, { amount: 5, unit: 'years' }, '/unit', 'must be one of "seconds"'],
    ['an unknown key', stepKinds.digest.output, { amount: 1, unit: 'days', x: 1 }, '/x', 'unknown key "x"'],
    ['neither subject nor body', stepKinds.inApp.output, {}, '', '"subject" is required or "body" is required'],
    ['neither body nor card', stepKinds.chat.output, {}, '', '"body" is required or "card" is required'],
    [
      'an empty subject',
      stepKinds.email.output,
      { subject: '', body: '' },
      '/subject',
      'must have at least 1 character',
    ],
    ['a missing body', stepKinds.push.output, { subject: 'x' }, '/body', 'is required'],
    ['a wrong kind', stepKinds.throttle.output, { type: 'x' }, '/type', 'must be one of "fixed", "dynamic"'],
    [
      'a wrong date',
      stepKinds.inApp.result,
      { ...{ seen: true, read: true, lastReadDate: null }, lastSeenDate: 'x' },
      '/lastSeenDate',
      'date-time',
    ],
    [
      'an event',
      stepKinds.digest.result,
      { events: [{ id: 'a', time: 1, payload: {} }] },
      '/events/0/time',
      'must be a string',
    ],
  ])('%s', async (_name, schema, value, path, message) => {
    const issues = await issuesOf(schema, value)
    expect(issues?.[0]?.path).toBe(path)
    expect(issues?.[0]?.message).toContain(message)
  })
})

test('does not publish library markers', () => {
  const schema = { type: 'string', '~kind': 'String', [Symbol('kind')]: 'String', '~run': () => 1 }
  expect(compileSchema(schema as unknown as Schema).jsonSchema()).toEqual({ type: 'string' })
})

test('publishes a schema without changing its meaning', () => {
  const schema = {
    type: 'object',
    title: 'T',
    properties: { z: { type: 'integer', minimum: 1 }, a: { enum: ['b', 'a'], description: 'd', examples: ['b'] } },
    required: ['z', 'a'],
    additionalProperties: false,
  }
  const published = compileSchema(schema as Schema).jsonSchema()
  expect(Object.keys(published['properties'] as object)).toEqual(['z', 'a'])
  expect(published).toEqual({
    ...schema,
    required: ['a', 'z'],
    properties: { ...schema.properties, a: { ...schema.properties.a, type: 'string' } },
  })
})

test('publishes a schema that accepts the same values', () => {
  const value = fc.oneof(fc.constantFrom(null, 'a', 'b', 1, true, false, {}, []), fc.string())
  const schema = fc.constantFrom<Schema>(
    { anyOf: [{ const: 'a' }, { const: 1 }] },
    { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] },
    { anyOf: [{ type: 'null' }, { enum: ['a'] }] },
    { enum: [true, false] },
    { const: null },
    { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'null' }] },
    { type: ['null', 'string'] },
    { enum: ['a'] },
    { enum: ['a', null, 1] },
    { anyOf: [{ const: 'a' }, { const: 'b' }], type: 'string', minLength: 2 },
    { anyOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
  )
  fc.assert(
    fc.property(schema, value, (given, item) => {
      const compiled = compileSchema(given)
      const accepts = (verdict: ReturnType<typeof compiled.check>) => !(verdict instanceof Promise) && !verdict.issues
      expect(accepts(compileSchema(compiled.jsonSchema() as Schema).check(item))).toBe(accepts(compiled.check(item)))
    }),
  )
})

test.each([
  ['optional and caught', z.object({ nick: z.string().optional().catch('?') }), {}],
  ['nullish and caught', z.object({ nick: z.string().nullish().catch(null) }), {}],
  [
    'a default and a transform behind it',
    z.object({
      nick: z
        .string()
        .default('?')
        .transform((nick) => nick.length),
    }),
    { nick: '?' },
  ],
  [
    'a default behind a renaming',
    z.object({ nick: z.string().default('?') }).transform(({ nick }) => ({ name: nick })),
    { nick: '?' },
  ],
])('fills in an absent value: %s', async (_what, schema, expected) => {
  const compiled = compileSchema(schema)
  await compiled.prepare()
  const verdict = await compiled.check({})
  expect(await compiled.fill({}, verdict)).toEqual(expected)
})
