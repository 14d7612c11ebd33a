import { expect, test } from 'vitest'
import type { JsonSchema } from '../../api/json-schema.ts'
import { typeText } from './type-text.ts'

const address = { type: 'object', properties: { street: { type: 'string' } } }
const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } } }
const loop = { anyOf: [{ type: 'null' }, { type: 'array', items: { $ref: '#/$defs/loop' } }] }
const root: JsonSchema = {
  $defs: { address, tree, loop, text: { type: 'string' }, again: { $ref: '#/$defs/again' } },
}

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ enum: ['x', 'y'] }, '"x" | "y"'],
  [{ type: 'array', items: { enum: ['x', 'y'] } }, '("x" | "y")[]'],
  [{ type: 'array', items: { enum: ['x'] } }, '"x"[]'],
  [{ type: ['array', 'null'], items: { type: ['string', 'number'] } }, '(string | number)[] | null'],
  [{ type: 'array', items: { type: 'array', items: { type: 'string' } } }, 'string[][]'],
  [{ type: 'array' }, 'any[]'],
  [{ type: 'array', items: false }, 'never[]'],
  [{ type: 'array', prefixItems: [{ type: 'string' }, { enum: [1, 2] }], items: false }, '[string, 1 | 2]'],
  [{ prefixItems: [{ type: 'string' }] }, '[string, …]'],
  [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
  [{ anyOf: [{ type: 'string', format: 'email' }, { type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ anyOf: [{ type: 'string' }, {}] }, 'any'],
  [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, '(string | null)[]'],
  [
    {
      oneOf: [
        { ...address, title: 'Card' },
        { ...address, title: 'Bank' },
      ],
    },
    'Card | Bank',
  ],
  [{ type: 'object', oneOf: [{ title: 'Card', type: 'object' }, address] }, 'Card | object'],
  [{ type: 'string', oneOf: [{ pattern: 'a' }, { pattern: 'b' }] }, 'string'],
  [{ allOf: [{ $ref: '#/$defs/address' }, { ...address, title: 'Named' }] }, 'address & Named'],
  [{ allOf: [{ type: 'string' }, { minLength: 2 }] }, 'string'],
  [{ allOf: [{ enum: ['a', 'b'] }, { type: 'string' }] }, '("a" | "b") & string'],
  [{ $ref: '#/$defs/address' }, 'address'],
  [{ $ref: '#/$defs/text' }, 'string'],
  [{ $ref: '#/$defs/nowhere' }, 'any'],
  [{ $ref: '#/$defs/again' }, 'any'],
  [{ type: 'array', items: { $ref: '#/$defs/tree' } }, 'tree[]'],
  [{ properties: {} }, 'object'],
  [true, 'any'],
  [false, 'never'],
])('describes %j as %s', (schema, text) => {
  expect(typeText(schema, root)).toBe(text)
})

test('shortens recursive and long schemas', () => {
  expect(typeText({ $ref: '#/$defs/loop' }, root)).toBe('null | loop[]')
  const many = { enum: Array.from({ length: 500 }, (_, index) => `number ${index}`) }
  expect(typeText(many, root)).toMatch(/^"number 0" \| .* \| …$/)
  expect(typeText(many, root).length).toBeLessThan(90)
  expect(typeText({ const: 'x'.repeat(10_000) }, root).length).toBeLessThan(90)
  const names = Array.from({ length: 100 }, (_, index) => `n${index}`)
  const wide = { anyOf: names.map((name) => ({ type: 'array', items: { $ref: `#/$defs/${name}` } })) }
  const $defs = Object.fromEntries(names.map((name) => [name, wide]))
  expect(typeText({ ...wide, $defs }, { $defs }).length).toBeLessThan(200)
})
