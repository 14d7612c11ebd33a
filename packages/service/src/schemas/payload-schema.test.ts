import { describe, expect, test } from 'vitest'
import { checkSchema, findFaults } from './payload-schema.ts'

const faultsOf = (schema: unknown, value: unknown): readonly string[] => {
  const answer = findFaults({ schema: JSON.stringify(schema), value })
  if ('unusable' in answer) throw new Error(answer.unusable)
  return answer.faults.map(({ field, message, schemaPath }) => `${field}|${message}|${schemaPath}`)
}
const order = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', minLength: 2, pattern: '^[a-z]+$' },
    lines: { type: 'array', items: { $ref: '#/definitions/line' }, maxItems: 2 },
    pay: { oneOf: [{ const: 'card' }, { const: 'cash' }] },
    site: { type: 'string', format: 'url' },
    odd: { type: 'string', format: 'toString' },
  },
  definitions: {
    line: { type: 'object', required: ['amount'], properties: { amount: { type: 'integer', minimum: 1 } } },
  },
}

describe('a payload schema', () => {
  test('accepts a matching value', () => {
    const value = { id: 'ab', lines: [{ amount: 1 }], pay: 'card', site: 'https://a.example/b', odd: 'x' }
    expect(faultsOf(order, value)).toEqual([])
  })

  test.each([
    [{}, ['id|is required|#/required']],
    [{ id: 'ab', more: 1 }, ['more|unknown key "more"|#/additionalProperties']],
    [{ id: 'a' }, ['id|must have at least 2 characters|#/properties/id/minLength']],
    [{ id: 'A1' }, ['id|must match the pattern ^[a-z]+$|#/properties/id/pattern']],
    [{ id: 'ab', lines: [{ amount: 1 }, {}] }, ['lines.1.amount|is required|#/definitions/line/required']],
    [
      { id: 'ab', lines: [{ amount: 0.5 }] },
      ['lines.0.amount|must be an integer|#/definitions/line/properties/amount/type'],
    ],
    [{ id: 'ab', pay: 'gold' }, ['pay|must be "card" or must be "cash"|#/properties/pay/oneOf']],
    [{ id: 'ab', site: 'nowhere' }, ['site|must be in the format "url"|#/properties/site/format']],
    [[], ['|must be an object|#/type']],
  ])('rejects %j, and names the field', (value, faults) => {
    expect(faultsOf(order, value)).toEqual(faults)
  })

  test('shows a rejected value only if it is small', () => {
    const schema = JSON.stringify({ properties: { a: { type: 'number' } } })
    expect(findFaults({ schema, value: { a: 'text' } })).toMatchObject({ faults: [{ value: 'text' }] })
    const large = findFaults({ schema, value: { a: 'x'.repeat(1000) } })
    expect('faults' in large && large.faults[0]).not.toHaveProperty('value')
  })

  test('is checked in linear time for a URL', () => {
    const startUs = process.cpuUsage().user
    faultsOf(order, { id: 'ab', site: `http://${'a.'.repeat(50_000)}!` })
    expect(process.cpuUsage().user - startUs).toBeLessThan(1_000_000)
  })

  test.each([
    [{ $ref: '#/nowhere' }, 'it refers to #/nowhere, which is not in the schema'],
    [{ properties: { a: { $ref: 'other.json#/b' } } }, 'refers to other.json#/b, which is not in the schema'],
    [{ properties: { a: { pattern: '(' } } }, 'is not a regular expression'],
    [{ patternProperties: { '[': {} } }, 'has a key that is not a pattern: ['],
    [{ type: 'strng' }, 'has the type "strng", which JSON does not have'],
    [{ dependencies: { a: 1 } }, 'must be a schema'],
  ])('rejects the schema %j', (schema, reason) => {
    const unusable = { unusable: expect.stringContaining(reason) }
    expect(checkSchema({ schema: JSON.stringify(schema) })).toEqual(unusable)
    expect(findFaults({ schema: JSON.stringify(schema), value: {} })).toEqual(unusable)
  })

  test('with an endless self-reference is rejected when it is used', () => {
    const schema = JSON.stringify({ $ref: '#' })
    expect(checkSchema({ schema })).toEqual({ faults: [] })
    expect(findFaults({ schema, value: {} })).toEqual({ unusable: expect.stringContaining('endlessly') })
  })

  test('supports the keywords of its draft', () => {
    // Keywords next to a reference have applied since draft 2019-09.
    const siblings = { $ref: '#/definitions/a', maxLength: 1, definitions: { a: { type: 'string' } } }
    expect(faultsOf({ $schema: 'http://json-schema.org/draft-07/schema#', ...siblings }, 'abc')).toEqual([])
    expect(faultsOf(siblings, 'abc')).toHaveLength(1)
  })
})
