import { describe, expect, test } from 'vitest'
import { compileSchema } from '../compile-schema.ts'
import type { Schema } from '../schema-types.ts'

const compile = (schema: unknown) => compileSchema(schema as Schema)
const accepts = async (schema: unknown, value: unknown) => !(await compile(schema).check(value)).issues
const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' }

describe('references within the document', () => {
  const text = { type: 'string' }
  test.each<[string, object]>([
    ['a pointer', { $ref: '#/$defs/a', $defs: { a: text } }],
    ['a pointer with percent signs', { $ref: '#/$defs/50%25%20off', $defs: { '50% off': text } }],
    ['a pointer with a sign that is no encoding', { $ref: '#/$defs/50%', $defs: { '50%': text } }],
    ['an anchor', { $ref: '#a', $defs: { any: { $anchor: 'a', ...text } } }],
    ['an anchor of draft 7', { ...draft7, allOf: [{ $ref: '#a' }], definitions: { any: { $id: '#a', ...text } } }],
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
  ])('%s', async (_name, schema) => {
    expect(await accepts(schema, 'text')).toBe(true)
    expect(await accepts(schema, 5)).toBe(false)
  })

  test('publish no names except that of the document', () => {
    const schema = {
      $id: 'http://x.test/root',
      properties: { a: { $ref: 'a' } },
      $defs: { any: { $id: 'a', type: 'string' } },
    }
    expect(compile(schema).jsonSchema()).toEqual({
      $id: 'http://x.test/root',
      properties: { a: { $ref: '#/$defs/any' } },
      $defs: { any: { type: 'string' } },
    })
  })

  test('fill in defaults', () => {
    const schema = {
      properties: { a: { $ref: 'T0' } },
      $defs: { any: { $id: 'T0', properties: { b: { default: 1 } } } },
    }
    expect(compile(schema).check({ a: {} })).toEqual({ value: { a: { b: 1 } } })
  })

  test('can refer to the schema itself, as TypeBox writes it', async () => {
    const node = {
      $id: 'T0',
      type: 'object',
      required: ['nodes'],
      properties: { nodes: { type: 'array', items: { $ref: 'T0' } } },
    }
    const schema = { type: 'object', properties: { tree: node } }
    expect(await accepts(schema, { tree: { nodes: [{ nodes: [] }] } })).toBe(true)
    expect(await accepts(schema, { tree: { nodes: [{ nodes: [{}] }] } })).toBe(false)
  })

  test('can name a schema in two places', async () => {
    const address = {
      $id: 'Address',
      type: 'object',
      properties: { next: { $ref: 'Address' }, zip: { type: 'string' } },
    }
    const schema = { $id: 'urn:x:order', type: 'object', properties: { billing: address, shipping: address } }
    expect(await accepts(schema, { billing: { zip: '1' }, shipping: { next: { zip: '2' } } })).toBe(true)
    expect(await accepts(schema, { shipping: { next: { zip: 2 } } })).toBe(false)
    expect(await accepts(schema, { billing: { next: { next: { zip: 2 } } } })).toBe(false)
  })

  test('can name a schema that has an annotated copy', async () => {
    const node = {
      $id: 'T0',
      type: 'object',
      properties: { next: { $ref: 'T0' }, n: { $ref: '#/$defs/n' } },
      $defs: { n: { type: 'number' } },
    }
    const schema = { type: 'object', properties: { a: node, b: { ...node, description: 'another' } } }
    for (const key of ['a', 'b']) {
      expect(await accepts(schema, { [key]: { next: { n: 1 } } })).toBe(true)
      expect(await accepts(schema, { [key]: { next: { n: 'x' } } })).toBe(false)
    }
  })

  test('have their siblings ignored in draft 7, including names', async () => {
    const schema = {
      ...draft7,
      $id: 'http://x.test/base/root',
      properties: { a: { $id: 'http://other.test/', $ref: 'text' } },
      definitions: {
        a: { $id: 'http://x.test/base/text', type: 'string' },
        b: { $id: 'http://other.test/text', type: 'number' },
      },
    }
    expect(await accepts(schema, { a: 'x' })).toBe(true)
    expect(await accepts(schema, { a: 5 })).toBe(false)
  })

  test('are treated as data outside schemas', async () => {
    const schema = { enum: [{ $id: 'a' }], examples: [{ $id: 'a' }], 'x-note': { $id: 'a' }, if: true }
    expect(await accepts(schema, { $id: 'a' })).toBe(true)
    expect(compile(schema).jsonSchema()).toMatchObject({ const: { $id: 'a' }, 'x-note': { $id: 'a' } })
    const twice = { 'x-a': { $id: 'a' }, 'x-b': { $id: 'a' }, if: true }
    expect(await accepts(twice, [1, 2])).toBe(true)
    const field = { type: 'object', properties: { $id: { type: 'number' } }, if: true }
    expect(await accepts(field, { $id: 'a' })).toBe(false)
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
    expect(() => compile(schema)).toThrow(TypeError)
    expect(() => compile(schema)).toThrow(message)
  })
})
