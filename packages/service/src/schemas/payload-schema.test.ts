import { describe, expect, test } from 'vitest'
import { checkSchema, findFaults } from './payload-schema.ts'

const faultsOf = async (schema: unknown, value: unknown) => {
  const answer = await findFaults({ schema: JSON.stringify(schema), value })
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
  test('accepts a matching value', async () => {
    const value = { id: 'ab', lines: [{ amount: 1 }], pay: 'card', site: 'https://a.example/b', odd: 'x' }
    expect(await faultsOf(order, value)).toEqual([])
  })

  test.each([
    [{}, ['id|is required|#/required']],
    [{ id: 'ab', more: 1 }, ['more|is not a field of the payload|#/additionalProperties']],
    [{ id: 'a' }, [expect.stringMatching(/^id\|.*\|#\/properties\/id\/minLength$/)]],
    [{ id: 'A1' }, [expect.stringMatching(/^id\|.*\|#\/properties\/id\/pattern$/)]],
    [{ id: 'ab', lines: [{ amount: 1 }, {}] }, [expect.stringMatching(/^lines\.1\.amount\|is required\|/)]],
    [{ id: 'ab', lines: [{ amount: 0.5 }] }, [expect.stringMatching(/^lines\.0\.amount\|/), expect.anything()]],
    [{ id: 'ab', pay: 'gold' }, [expect.stringMatching(/^pay\|.*oneOf$/)]],
    [{ id: 'ab', site: 'nowhere' }, [expect.stringMatching(/^site\|/)]],
    [[], ['|must be object|#/type']],
  ])('rejects %j, and names the field', async (value, faults) => {
    expect(await faultsOf(order, value)).toEqual(faults)
  })

  test('shows a rejected value only if it is small', async () => {
    const schema = JSON.stringify({ properties: { a: { type: 'number' } } })
    expect(await findFaults({ schema, value: { a: 'text' } })).toMatchObject({ faults: [{ value: 'text' }] })
    const large = await findFaults({ schema, value: { a: 'x'.repeat(1000) } })
    expect('faults' in large && large.faults[0]).not.toHaveProperty('value')
  })

  test('is checked in linear time for a URL', async () => {
    const startUs = process.cpuUsage().user
    await faultsOf(order, { id: 'ab', site: `http://${'a.'.repeat(50_000)}!` })
    expect(process.cpuUsage().user - startUs).toBeLessThan(1_000_000)
  })

  test.each([
    [{ $ref: '#/nowhere' }, 'does not exist'],
    [{ properties: { a: { $ref: 'other.json#/b' } } }, 'does not exist'],
    [{ properties: { a: { pattern: '(' } } }, 'is not a regular expression'],
    [{ patternProperties: { '[': {} } }, 'is not a regular expression'],
  ])('rejects the schema %j', async (schema, reason) => {
    const unusable = { unusable: expect.stringContaining(reason) }
    expect(await checkSchema({ schema: JSON.stringify(schema) })).toEqual(unusable)
    expect(await findFaults({ schema: JSON.stringify(schema), value: {} })).toEqual(unusable)
  })

  test('with an endless self-reference is rejected when it is used', async () => {
    const schema = JSON.stringify({ $ref: '#' })
    expect(await checkSchema({ schema })).toEqual({ faults: [] })
    expect(await findFaults({ schema, value: {} })).toEqual({ unusable: expect.stringContaining('endlessly') })
  })

  test('supports the keywords of its draft', async () => {
    // Keywords next to a reference have applied since draft 2019-09.
    const beside = { $ref: '#/definitions/a', maxLength: 1, definitions: { a: { type: 'string' } } }
    expect(await faultsOf({ $schema: 'http://json-schema.org/draft-07/schema#', ...beside }, 'abc')).toEqual([])
    expect(await faultsOf(beside, 'abc')).toHaveLength(1)
  })
})
