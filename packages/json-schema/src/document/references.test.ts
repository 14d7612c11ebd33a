import { describe, expect, test } from 'vitest'
import { compileRules } from '../rules/compile-rules.ts'
import { publishSchema } from './publish-schema.ts'
import { readSchema } from './read-schema.ts'

const read = (schema: unknown): unknown => {
  const result = readSchema(schema)
  if (result.fault !== undefined) throw new TypeError(result.fault)
  return result.schema
}
const accepts = (schema: unknown, value: unknown): boolean => compileRules(read(schema)).accepts(value)
const draft4 = { $schema: 'http://json-schema.org/draft-04/schema#' }
const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' }

describe('references within the document', () => {
  const text = { type: 'string' }
  test.each<[string, object]>([
    ['a pointer', { $ref: '#/$defs/a', $defs: { a: text } }],
    ['a pointer with percent signs', { $ref: '#/$defs/50%25%20off', $defs: { '50% off': text } }],
    ['a pointer with a sign that is no encoding', { $ref: '#/$defs/50%', $defs: { '50%': text } }],
    ['an anchor', { $ref: '#a', $defs: { any: { $anchor: 'a', ...text } } }],
    ['an anchor of draft 7', { ...draft7, allOf: [{ $ref: '#a' }], definitions: { any: { $id: '#a', ...text } } }],
    ['a name of draft 4', { ...draft4, allOf: [{ $ref: 'a' }], definitions: { any: { id: 'a', ...text } } }],
    ['a relative name', { $id: 'http://x.test/root', $ref: 'a', $defs: { any: { $id: 'a', ...text } } }],
    ['an absolute name', { $ref: 'http://x.test/a', $defs: { any: { $id: 'http://x.test/a', ...text } } }],
    ['a URN', { $ref: 'urn:x:a', $defs: { any: { $id: 'urn:x:a', ...text } } }],
    ['a name without a base', { $ref: 'T0', $defs: { any: { $id: 'T0', ...text } } }],
    ['a pointer into a named part', { $ref: 'T0#/$defs/b', $defs: { any: { $id: 'T0', $defs: { b: text } } } }],
    [
      'a pointer from within a named part',
      { $ref: 'T0', $defs: { any: { $id: 'T0', $ref: '#/$defs/b', $defs: { b: text } } } },
    ],
    [
      'a place that is none for schemas',
      {
        $ref: '#/components/a',
        components: { a: { $ref: '#b' }, b: { $anchor: 'b' } },
        $defs: { b: { $anchor: 'b', ...text } },
      },
    ],
    ['a dynamic reference with one anchor', { $dynamicRef: '#a', $defs: { any: { $dynamicAnchor: 'a', ...text } } }],
    [
      'a dynamic one beside another',
      { $ref: '#/$defs/any', $dynamicRef: '#a', $defs: { any: { $dynamicAnchor: 'a', ...text } } },
    ],
    ['a recursive reference', { type: ['string', 'array'], items: { $recursiveRef: '#' } }],
  ])('%s', (_name, schema) => {
    expect(accepts(schema, 'text')).toBe(true)
    expect(accepts(schema, 5)).toBe(false)
  })

  test('publish no names except that of the document', () => {
    const schema = {
      $id: 'http://x.test/root',
      properties: { a: { $ref: 'a' } },
      $defs: { any: { $id: 'a', type: 'string' } },
    }
    expect(publishSchema(read(schema))).toEqual({
      $id: 'http://x.test/root',
      properties: { a: { $ref: '#/$defs/any' } },
      $defs: { any: { type: 'string' } },
    })
  })

  test('can refer to the schema itself, as TypeBox writes it', () => {
    const node = {
      $id: 'T0',
      type: 'object',
      required: ['nodes'],
      properties: { nodes: { type: 'array', items: { $ref: 'T0' } } },
    }
    const schema = { type: 'object', properties: { tree: node } }
    expect(accepts(schema, { tree: { nodes: [{ nodes: [] }] } })).toBe(true)
    expect(accepts(schema, { tree: { nodes: [{ nodes: [{}] }] } })).toBe(false)
  })

  test('can name a schema in two places', () => {
    const address = {
      $id: 'Address',
      type: 'object',
      properties: { next: { $ref: 'Address' }, zip: { type: 'string' } },
    }
    const schema = { $id: 'urn:x:order', type: 'object', properties: { billing: address, shipping: address } }
    expect(accepts(schema, { billing: { zip: '1' }, shipping: { next: { zip: '2' } } })).toBe(true)
    expect(accepts(schema, { shipping: { next: { zip: 2 } } })).toBe(false)
    expect(accepts(schema, { billing: { next: { next: { zip: 2 } } } })).toBe(false)
  })

  test('can name a schema that has an annotated copy', () => {
    const node = {
      $id: 'T0',
      type: 'object',
      properties: { next: { $ref: 'T0' }, n: { $ref: '#/$defs/n' } },
      $defs: { n: { type: 'number' } },
    }
    const schema = { type: 'object', properties: { a: node, b: { ...node, description: 'another' } } }
    for (const key of ['a', 'b']) {
      expect(accepts(schema, { [key]: { next: { n: 1 } } })).toBe(true)
      expect(accepts(schema, { [key]: { next: { n: 'x' } } })).toBe(false)
    }
  })

  test('have their siblings ignored in draft 7, including names', () => {
    const schema = {
      ...draft7,
      $id: 'http://x.test/base/root',
      properties: { a: { $id: 'http://other.test/', $ref: 'text' } },
      definitions: {
        a: { $id: 'http://x.test/base/text', type: 'string' },
        b: { $id: 'http://other.test/text', type: 'number' },
      },
    }
    expect(accepts(schema, { a: 'x' })).toBe(true)
    expect(accepts(schema, { a: 5 })).toBe(false)
  })

  test('are treated as data outside schemas', () => {
    const schema = { enum: [{ $id: 'a' }], examples: [{ $id: 'a' }], 'x-note': { $id: 'a' }, if: true }
    expect(accepts(schema, { $id: 'a' })).toBe(true)
    expect(publishSchema(read(schema))).toMatchObject({ const: { $id: 'a' }, 'x-note': { $id: 'a' } })
    const twice = { 'x-a': { $id: 'a' }, 'x-b': { $id: 'a' }, if: true }
    expect(accepts(twice, [1, 2])).toBe(true)
    const field = { type: 'object', properties: { $id: { type: 'number' } }, if: true }
    expect(accepts(field, { $id: 'a' })).toBe(false)
  })
})

describe('rejects unusable references', () => {
  test.each<[string, object, RegExp]>([
    [
      'to another document',
      { $ref: 'http://x.test/a' },
      /it refers to http:\/\/x\.test\/a, which is not in the schema/,
    ],
    [
      'relative, in a document with a name',
      { $id: 'http://x.test/root', properties: { a: { $ref: 'a#/b' } } },
      /"\/properties\/a" refers to a#\/b/,
    ],
    ['to no anchor', { $ref: '#a' }, /refers to #a/],
    ['to a value that is no schema', { $ref: '#/required', required: ['a'] }, /refers to #\/required/],
    [
      'to a name of two parts',
      { $ref: 'T0', $defs: { a: { $id: 'T0' }, b: { $id: 'T0', type: 'string' } } },
      /it refers to T0, a name shared by different subschemas/,
    ],
    [
      'to an anchor of two parts',
      { $ref: '#a', $defs: { a: { $anchor: 'a' }, b: { $anchor: 'a', type: 'string' } } },
      /it refers to #a, a name shared by different subschemas/,
    ],
    ['a name that is none', { $defs: { a: { $id: 'http://[' } } }, /not a URI reference/],
    [
      'dynamic, with more than one answer',
      {
        $id: 'T0',
        $dynamicAnchor: 'a',
        $ref: 'T1',
        $defs: { b: { $id: 'T1', $dynamicRef: '#a', $defs: { c: { $dynamicAnchor: 'a' } } } },
      },
      /"\/\$defs\/b" refers to #a by \$dynamicRef, which matches several subschemas/,
    ],
  ])('%s', (_name, schema, message) => {
    expect(() => read(schema)).toThrow(TypeError)
    expect(() => read(schema)).toThrow(message)
  })
})
