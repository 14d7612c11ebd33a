import { expect, test } from 'vitest'
import type { JsonSchema } from '../../api/json-schema.ts'
import { findIssues } from './form-validator.ts'

const textOf = (schema: JsonSchema, value: unknown): string | undefined =>
  findIssues(
    { type: 'object', properties: { 'a/b': schema }, $defs: { code: { pattern: '^x$' } } },
    { 'a/b': value },
  )[0]?.message

test.each<[schema: JsonSchema, value: unknown, message: string]>([
  [{ pattern: '^\\d{6}$' }, 'abc', 'Must match the pattern ^\\d{6}$'],
  [{ $ref: '#/$defs/code' }, 'y', 'Must match the pattern ^x$'],
  [{ format: 'email' }, 'nonsense', 'Must be in the format "email".'],
  [{ type: ['number', 'null'] }, 'x', 'Must be a number or null.'],
  [{ const: 'a' }, 'b', 'Must be "a".'],
  [{ enum: ['a', 1] }, 'b', 'Must be one of "a", 1.'],
  [{ minLength: 1 }, '', 'Must have at least 1 character.'],
  [{ minLength: 2 }, 'x', 'Must have at least 2 characters.'],
  [{ maxLength: 2 }, 'xyz', 'Must have at most 2 characters.'],
  [{ minItems: 1 }, [], 'Must have at least 1 item.'],
  [{ maxItems: 2 }, [1, 2, 3], 'Must have at most 2 items.'],
  [{ uniqueItems: true }, [1, 1], 'Must not have duplicate items.'],
  [{ minimum: 2 }, 1, 'Must be at least 2.'],
  [{ maximum: 2 }, 3, 'Must be at most 2.'],
  [{ exclusiveMinimum: 2 }, 2, 'Must be greater than 2.'],
  [{ exclusiveMaximum: 2 }, 2, 'Must be less than 2.'],
  [{ multipleOf: 2 }, 3, 'Must be a multiple of 2.'],
  [{ required: ['b'] }, {}, 'This field is required.'],
  [{ properties: {}, additionalProperties: false }, { b: 1 }, 'Unknown key "b".'],
  [{ not: { const: 1 } }, 1, 'This field has a form that is not allowed.'],
  [{ minLength: 1, errorMessage: 'Enter a name!' }, '', 'Enter a name!'],
  [{ anyOf: [{ pattern: '^x$' }] }, 'y', 'Must match the pattern ^x$'],
])('names the violated limit of %j', (schema, value, message) => {
  expect(textOf(schema, value)).toBe(message)
})
