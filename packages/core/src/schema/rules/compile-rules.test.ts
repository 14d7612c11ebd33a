import { dereference, format, type Schema, validate } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { processorMs } from '../../processor-time.fixture.ts'
import { toPlainSchema } from '../document/plain-schema.ts'
import { publishSchema } from '../document/publish-schema.ts'
import { compileRules } from './compile-rules.ts'

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
const typeName = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
const { schema } = fc.letrec<{ schema: unknown; part: object }>((tie) => ({
  part: fc.oneof(
    fc.record({ type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 })) }),
    fc.record({ const: primitive }),
    fc.record({ enum: fc.array(primitive, { minLength: 1, maxLength: 4 }) }),
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
    fc.record({ properties: entriesOf(tie('schema')) }),
    fc.record({ patternProperties: fc.dictionary(fc.constantFrom('^a', 'o', '_'), tie('schema'), { maxKeys: 2 }) }),
    fc.record({ additionalProperties: tie('schema') }),
    fc.record({ propertyNames: tie('schema') }),
    fc.record({ items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })) }),
    fc.record({ prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ additionalItems: tie('schema') }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('schema') }),
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

describe('the quick check', () => {
  test('agrees with the library', () => {
    let compared = 0
    fc.assert(
      fc.property(document, fc.array(json, { minLength: 1, maxLength: 3 }), (root, values) => {
        const rule = compileRules(toPlainSchema(root), format)
        if (!rule) return
        for (const value of values) {
          compared++
          expect(rule.accepts(value)).toBe(libraryAccepts(root, value))
        }
      }),
      { numRuns: runs },
    )
    expect(compared).toBeGreaterThan(runs)
  })

  test('reports issues for exactly the values that it rejects', () => {
    fc.assert(
      fc.property(document, json, (root, value) => {
        const rule = compileRules(root, format)
        if (!rule) return
        const issues: { path: string; message: string }[] = []
        rule.explain(value, '', issues)
        expect(issues.length === 0).toBe(rule.accepts(value))
        expect(issues.length).toBeLessThanOrEqual(50)
        for (const { path, message } of issues) {
          expect(path).toMatch(/^(\/([^~/]|~[01])*)*$/)
          expect(message).not.toMatch(/undefined|NaN|\[object/)
        }
      }),
      { numRuns: runs / 5 },
    )
  })

  test('accepts the same values as the published schema', () => {
    fc.assert(
      fc.property(document, fc.array(json, { minLength: 1, maxLength: 3 }), (root, values) => {
        const plain = toPlainSchema(root)
        const [rule, published] = [compileRules(plain, format), compileRules(publishSchema(plain), format)]
        for (const value of values) expect(published?.accepts(value)).toBe(rule?.accepts(value))
      }),
      { numRuns: runs },
    )
  })

  test.each(['contains', 'if', 'unevaluatedProperties', 'dependentRequired', '$dynamicRef', 'tpye'])(
    'leaves %s to the library',
    (keyword) => {
      expect(compileRules({ [keyword]: {} }, format)).toBeUndefined()
      expect(compileRules({ properties: { a: { [keyword]: true } } }, format)).toBeUndefined()
    },
  )

  test('supports one format without the library', () => {
    expect(compileRules({ format: 'date-time' })).toBeDefined()
    expect(compileRules({ format: 'email' })).toBeUndefined()
    expect(compileRules({ enum: [{ a: 1 }] })).toBeUndefined()
  })

  test('supports a recursive schema', () => {
    const tree = { type: 'object', properties: { next: { $ref: '#' }, name: { type: 'string' } } }
    const rule = compileRules(tree)
    expect(rule?.accepts({ next: { next: { name: 'x' } } })).toBe(true)
    expect(rule?.accepts({ next: { next: { name: 1 } } })).toBe(false)
  })
})

test('accepts the same times with a zone as the library', () => {
  const part = fc.constantFrom(
    '2024-02-29',
    '2023-02-29',
    '2026-13-01',
    '2026-11-20',
    't',
    'T',
    ' ',
    '10:00:00',
    '24:00:00',
  )
  const more = fc.constantFrom(
    '23:59:60',
    '00:59:60',
    '.123',
    'Z',
    'z',
    '+01:00',
    '-24:00',
    '+00:60',
    '+23:59',
    'x',
    '',
  )
  const rule = compileRules({ format: 'date-time' })
  fc.assert(
    fc.property(fc.array(fc.oneof(part, more), { minLength: 3, maxLength: 6 }), (parts) => {
      const text = parts.join('')
      expect([text, rule?.accepts(text)]).toEqual([text, format['date-time']?.(text)])
    }),
    { numRuns: runs },
  )
})

test.each([
  ['texts', (index: number): unknown => `t${index}`],
  ['objects', (index: number): unknown => ({ a: index, b: [index] })],
])('detects quickly that a long list has no duplicates: %s', (_what, toItem) => {
  const rule = compileRules({ type: 'array', uniqueItems: true })
  const items = Array.from({ length: 100_000 }, (_, index) => toItem(index))
  const startMs = processorMs()
  expect(rule?.accepts(items)).toBe(true)
  expect(rule?.accepts([...items, toItem(7)])).toBe(false)
  expect(processorMs() - startMs).toBeLessThan(3000)
})
