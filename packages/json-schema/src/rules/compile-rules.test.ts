import { dereference, format, type Schema, validate } from '@cfworker/json-schema'
import { findPointer } from '@trestle/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../test/processor-time.ts'
import { draws } from '../../../../test/scope.ts'
import { toPlainSchema } from '../document/plain-schema.ts'
import { publishSchema } from '../document/publish-schema.ts'
import { compileRules } from './compile-rules.ts'
import { evaluateBySpecification } from './evaluation.fixture.ts'
import type { RuleIssue } from './rule.ts'

const runs = draws(1000, 50_000)
const keys = ['a', 'b', 'toString', '__proto__', 'constructor', 'a/b~']
const key = fc.constantFrom(...keys)
const primitive = fc.oneof(
  fc.constantFrom(null, true, false, 0, -0, 1, 1.5, -3, 7, 1e21, '', 'a', 'ab', 'aé', '😀', '😀😀', '\ud800', 'x'),
  fc.constantFrom('2026-11-20T10:00:00Z', '2026-02-30T10:00:00Z', '2026-12-31T23:59:60Z', 'a@b.de', 'not'),
)

/** Objects whose keys can include `__proto__`, as created by JSON.parse. */
const entriesOf = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.array(fc.tuple(key, value), { maxLength: 4 }).map((entries) => Object.fromEntries(entries))

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof({ maxDepth: 3 }, primitive, fc.array(tie('json'), { maxLength: 3 }), entriesOf(tie('json'))),
}))

const small = fc.integer({ min: 0, max: 3 })

/** The keywords that combine subschemas, and so determine which keys and items are evaluated. */
function combinations(inner: fc.Arbitrary<unknown>): readonly fc.Arbitrary<object>[] {
  const some = fc.array(inner, { minLength: 1, maxLength: 3 })
  return [
    fc.record({ properties: entriesOf(inner) }),
    fc.record({ patternProperties: fc.dictionary(fc.constantFrom('^a', 'o', '_'), inner, { maxKeys: 2 }) }),
    fc.record({ additionalProperties: inner }),
    fc.record({ prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }) }),
    fc.record({ contains: inner, minContains: small, maxContains: small }, { requiredKeys: ['contains'] }),
    fc.record({ allOf: some }),
    fc.record({ anyOf: some }),
    fc.record({ oneOf: some }),
    fc.record({ not: inner }),
    fc.record({ if: inner, then: inner, else: inner }, { requiredKeys: ['if'] }),
    fc.record({ dependentSchemas: entriesOf(inner) }),
  ]
}
const typeName = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
const { schema } = fc.letrec<{ schema: unknown; part: object }>((tie) => ({
  part: fc.oneof(
    ...combinations(tie('schema')),
    fc.record({ type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 })) }),
    fc.record({ const: fc.oneof(primitive, json) }),
    fc.record({ enum: fc.array(fc.oneof(primitive, json), { minLength: 1, maxLength: 4 }) }),
    fc.record({ multipleOf: fc.constantFrom(1, 2, 0.5, 0.1, 1e-7, 3) }),
    fc.record({ dependentRequired: entriesOf(fc.uniqueArray(key, { maxLength: 2 })) }),
    // The validator overlooks references below a dependency on a key that every object has.
    fc.record({
      dependencies: fc.dictionary(
        fc.constantFrom('a', 'b'),
        fc.oneof(tie('schema'), fc.uniqueArray(key, { maxLength: 2 })),
      ),
    }),
    // The common kind of object, which is validated in one pass.
    fc.record({
      type: fc.constant('object'),
      properties: entriesOf(tie('schema')),
      required: fc.uniqueArray(key, { maxLength: 2 }),
      additionalProperties: fc.boolean(),
    }),
    fc.record({ minLength: small }),
    fc.record({ maxLength: small }),
    fc.record({ pattern: fc.constantFrom('^a', '.b$', '^.$', '\\p{L}') }),
    fc.record({ format: fc.constantFrom('date-time', 'email', 'uuid', 'none such', 'toString', '__proto__') }),
    fc.record({ minimum: fc.integer({ min: -4, max: 4 }) }),
    fc.record({ maximum: fc.integer({ min: -4, max: 4 }) }),
    fc.record({ exclusiveMinimum: fc.integer({ min: -4, max: 4 }) }),
    fc.record({ exclusiveMaximum: fc.integer({ min: -4, max: 4 }) }),
    fc.record({ minItems: small }),
    fc.record({ maxItems: small }),
    fc.record({ uniqueItems: fc.boolean() }),
    fc.record({ minProperties: small }),
    fc.record({ maxProperties: small }),
    fc.record({ required: fc.uniqueArray(key, { maxLength: 2 }) }),
    fc.record({ propertyNames: tie('schema') }),
    fc.record({ items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })) }),
    fc.record({ additionalItems: tie('schema') }),
    fc.record({ anyOf: fc.array(fc.record({ type: typeName }), { minLength: 2, maxLength: 3 }) }),
    fc.record({ anyOf: fc.array(fc.record({ const: primitive }), { minLength: 2, maxLength: 3 }) }),
    fc.record({ anyOf: fc.tuple(tie('schema'), fc.constant({ type: 'null' })) }),
    fc.constant({ $ref: '#/$defs/text' }),
    fc.constant({ title: 'x', default: 5, 'x-own': 1 }),
  ),
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.boolean(),
    fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => Object.assign({}, ...parts) as unknown),
  ),
}))
const draft2019 = 'https://json-schema.org/draft/2019-09/schema'
const $defs = { text: { type: 'string', minLength: 1 } }

const document = fc
  .tuple(schema, fc.constantFrom(undefined, 'http://json-schema.org/draft-07/schema#'))
  .map(([root, $schema]) =>
    typeof root === 'boolean' ? root : { ...(root as object), $defs, ...($schema && { $schema }) },
  )

/**
 * Returns whether the library accepts a value. Unknown formats are removed from its copy of the schema, because the
 * library would look them up on prototypes.
 */
function libraryAccepts(root: unknown, value: unknown): boolean {
  const copy = JSON.parse(JSON.stringify(root), (name, item: unknown) =>
    name === 'format' && !Object.hasOwn(format, String(item)) ? undefined : item,
  ) as Schema
  const draft = typeof root === 'object' && root !== null && '$schema' in root ? '7' : '2020-12'
  return validate(value, copy, draft, dereference(copy)).valid
}

describe('compiled rules', () => {
  test('agree with an independent validator', () => {
    fc.assert(
      fc.property(document, fc.array(json, { minLength: 1, maxLength: 3 }), (root, values) => {
        const rule = compileRules(toPlainSchema(root))
        for (const value of values) expect(rule.accepts(value)).toBe(libraryAccepts(root, value))
      }),
      { numRuns: runs },
    )
  })

  test('evaluate keys and items as specified', () => {
    const { part } = fc.letrec<{ part: object; schema: unknown }>((tie) => ({
      part: fc
        .array(
          fc.oneof(
            ...combinations(tie('schema')),
            fc.record({ items: tie('schema') }),
            fc.record({ unevaluatedProperties: tie('schema') }),
            fc.record({ unevaluatedItems: tie('schema') }),
            fc.constantFrom({ unevaluatedProperties: false }, { unevaluatedItems: false }),
            fc.constantFrom({ type: 'object' }, { type: 'string' }, { const: 1 }, { $ref: '#/$defs/node' }),
          ),
          { minLength: 1, maxLength: 4 },
        )
        .map((parts) => Object.assign({}, ...parts) as object),
      schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.boolean(), tie('part')),
    }))
    fc.assert(
      fc.property(part, part, fc.array(json, { minLength: 1, maxLength: 5 }), (root, node, values) => {
        const withoutReferences = JSON.parse(JSON.stringify(node, (name, part) => (name === '$ref' ? undefined : part)))
        const plain = toPlainSchema({ ...root, $defs: { node: withoutReferences } })
        const rule = compileRules(plain)
        for (const value of values) {
          expect(rule.accepts(value)).toBe(evaluateBySpecification(plain, value, plain) !== undefined)
          const issues: RuleIssue[] = []
          rule.explain(value, '', issues)
          expect(issues.length === 0).toBe(rule.accepts(value))
        }
      }),
      { numRuns: draws(500, 10_000) },
    )
  })

  test('report issues for exactly the values that they reject', () => {
    fc.assert(
      fc.property(document, json, (root, value) => {
        const rule = compileRules(root)
        const issues: RuleIssue[] = []
        rule.explain(value, '', issues)
        expect(issues.length === 0).toBe(rule.accepts(value))
        expect(issues.length).toBeLessThanOrEqual(50)
        for (const { path, message, schemaPath } of issues) {
          expect(path).toMatch(/^(\/([^~/]|~[01])*)*$/)
          expect(message).not.toMatch(/undefined|NaN|\[object/)
          expect(findPointer(root, schemaPath)).toBeDefined()
        }
      }),
      { numRuns: runs / 5 },
    )
  })

  test('accept the same values as those of the published schema', () => {
    fc.assert(
      fc.property(document, fc.array(json, { minLength: 1, maxLength: 3 }), (root, values) => {
        const plain = toPlainSchema(root)
        const [rule, published] = [compileRules(plain), compileRules(publishSchema(plain))]
        for (const value of values) expect(published.accepts(value)).toBe(rule.accepts(value))
      }),
      { numRuns: runs },
    )
  })

  test('support a recursive schema', () => {
    const tree = { type: 'object', properties: { next: { $ref: '#' }, name: { type: 'string' } } }
    const rule = compileRules(tree)
    expect(rule.accepts({ next: { next: { name: 'x' } } })).toBe(true)
    expect(rule.accepts({ next: { next: { name: 1 } } })).toBe(false)
  })
})

test.each<[schema: object, value: unknown, isValid: boolean]>([
  // The specification is tested with random schemas; these are the cases that are easily overlooked.
  [{ allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false }, { a: 1 }, true],
  [{ allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] }, { a: 1 }, false],
  [{ contains: { const: 1 }, unevaluatedItems: false }, [1], true],
  [{ contains: { const: 1 }, unevaluatedItems: false }, [1, 2], false],
  [{ $schema: draft2019, contains: { const: 1 }, unevaluatedItems: false }, [1], false],
  [{ not: { properties: { a: false } }, unevaluatedProperties: false }, { a: 1 }, false],
  [{ multipleOf: 0.1 }, 0.3, true],
  [{ multipleOf: 0.1 }, Number.POSITIVE_INFINITY, false],
  [{ multipleOf: 0 }, 1, false],
  [{ multipleOf: 1e-300 }, 1e300, true],
])('%j judges %j: %s', (schema, value, isValid) => {
  expect(compileRules(schema).accepts(value)).toBe(isValid)
})

describe('issues', () => {
  const issuesOf = (schema: unknown, value: unknown): readonly string[] => {
    const issues: RuleIssue[] = []
    compileRules(schema).explain(value, '', issues)
    return issues.map(({ path, message, schemaPath }) => `${path}|${message}|${schemaPath}`)
  }
  const named = { required: ['name'] }
  const card = { properties: { type: { enum: ['credit', 'debit'] } }, required: ['number', 'owner'] }

  test.each<[schema: object, value: unknown, ...issues: string[]]>([
    [{ contains: named }, [{}], '|must have an item of the required form|/contains'],
    [{ contains: named, minContains: 2 }, [], '|must have at least 2 items of the required form|/minContains'],
    [{ contains: true, maxContains: 1 }, [1, 2], '|must have at most 1 item of the required form|/maxContains'],
    [{ if: named, then: { maxProperties: 1 } }, { name: 1, a: 1 }, '|must have at most 1 key|/then/maxProperties'],
    [{ if: named, else: { minProperties: 1 } }, {}, '|must have at least 1 key|/else/minProperties'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, '/b|is required if "a" is present|/dependentRequired/a'],
    [{ dependencies: { a: ['b'] } }, { a: 1 }, '/b|is required if "a" is present|/dependencies/a'],
    [{ dependentSchemas: { a: named } }, { a: 1 }, '/name|is required|/dependentSchemas/a/required'],
    [{ multipleOf: 0.1 }, 0.25, '|must be a multiple of 0.1|/multipleOf'],
    [{ const: { a: [1] } }, { a: [2] }, '|must be {"a":[1]}|/const'],
    [
      { allOf: [{ properties: { a: { type: 'string' } } }], unevaluatedProperties: false },
      { a: 1, b: 2 },
      '/a|must be a string|/allOf/0/properties/a/type',
      '/b|unknown key "b"|/unevaluatedProperties',
    ],
    [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], '/1|is not allowed|/unevaluatedItems'],
    [
      { anyOf: [named, { unevaluatedProperties: false }] },
      { a: 1 },
      '|"name" is required or "a" unknown key "a"|/anyOf',
    ],
    [
      { anyOf: [{ type: 'string' }, { type: 'object', required: ['a', 'b'] }] },
      {},
      '/a|is required|/anyOf/1/required',
      '/b|is required|/anyOf/1/required',
    ],
    [
      { oneOf: [{ $ref: '#/$defs/card' }, { properties: { type: { const: 'cash' } } }], $defs: { card } },
      { type: 'debit' },
      '/number|is required|/$defs/card/required',
      '/owner|is required|/$defs/card/required',
    ],
    [
      { oneOf: [{ $ref: '#/$defs/card' }, { properties: { type: { const: 'cash' } } }], $defs: { card } },
      { type: 'gold' },
      '/type|must be one of "credit", "debit", "cash"|/oneOf',
    ],
    [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': { minimum: 2 } } }, 1, '|must be at least 2|/$defs/a~1b/minimum'],
  ])('%j rejects %j', (schema, value, ...issues) => {
    expect(issuesOf(schema, value)).toEqual(issues)
  })

  test('take time that grows with the depth of a schema, not exponentially', () => {
    const unevaluatedItems = false
    let deep: object = { contains: { const: 1 }, unevaluatedItems }
    const nest = (inner: unknown[]): unknown => Array.from({ length: 30 }).reduce((value) => [value], inner)
    for (let depth = 0; depth < 30; depth++) {
      deep = { allOf: [{ anyOf: [{ if: deep }], unevaluatedItems }], unevaluatedProperties: false, unevaluatedItems }
      deep = { contains: deep, unevaluatedItems }
    }
    const rule = compileRules(deep)
    const startMs = processorMs()
    expect(rule.accepts(nest([1]))).toBe(true)
    expect(rule.accepts(nest([2]))).toBe(false)
    expect(processorMs() - startMs).toBeLessThan(1000)
  })

  const branch = (type: string, more: object = {}) => ({
    type: 'object',
    properties: { type: { const: type }, of: { type: 'array', items: { $ref: '#/$defs/node' } } },
    required: ['type', 'of'],
    additionalProperties: false,
    ...more,
  })
  const untagged = (key: string) => ({ properties: { of: { items: { $ref: '#/$defs/node' } } }, required: [key] })
  test.each<[string, object]>([
    ['a discriminator', { oneOf: [branch('and'), branch('or')] }],
    ['no fast path', { oneOf: [branch('and', { minProperties: 1 }), branch('or', { minProperties: 1 })] }],
    ['any of the branches', { anyOf: [branch('and'), branch('or')] }],
    ['no discriminator', { oneOf: [untagged('left'), untagged('right')] }],
    ['conditions', { if: untagged('left'), then: untagged('type'), else: untagged('of') }],
    ['a negation', { allOf: [{ not: untagged('left') }, untagged('of')] }],
    ['unevaluated keys', { anyOf: [untagged('left'), untagged('of')], unevaluatedProperties: false }],
  ])('take time that grows with the depth of a value, not exponentially: a union with %s', (_what, node) => {
    const rule = compileRules({ $ref: '#/$defs/node', $defs: { node } })
    const nest = (inner: object[], type: string): object =>
      Array.from({ length: 40 }).reduce<object>((value) => ({ of: [value], type }), { of: inner, type })
    const startMs = processorMs()
    for (const value of [nest([], 'or'), nest([], 'xor'), nest([{ of: 1, left: 1, right: 2 }], 'or')]) {
      const issues: RuleIssue[] = []
      rule.explain(value, '', issues)
      expect(issues.length === 0).toBe(rule.accepts(value))
    }
    expect(processorMs() - startMs).toBeLessThan(1000)
  })

  test('sees that a value has changed since the last check', () => {
    const rule = compileRules({ anyOf: [{ type: 'array', items: { $ref: '#' } }, { const: 1 }] })
    const value: unknown[] = [[1]]
    expect(rule.accepts(value)).toBe(true)
    ;(value[0] as unknown[]).push('text')
    expect(rule.accepts(value)).toBe(false)
  })
})

test.each([
  ['texts', (index: number): unknown => `t${index}`],
  ['objects', (index: number): unknown => ({ a: index, b: [index] })],
])('detects quickly that a long list has no duplicates: %s', (_what, toItem) => {
  const rule = compileRules({ type: 'array', uniqueItems: true })
  const items = Array.from({ length: 100_000 }, (_, index) => toItem(index))
  const startMs = processorMs()
  expect(rule.accepts(items)).toBe(true)
  expect(rule.accepts([...items, toItem(7)])).toBe(false)
  expect(processorMs() - startMs).toBeLessThan(3000)
})
