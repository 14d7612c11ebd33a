import type { RJSFSchema } from '@rjsf/utils'
import { expect, test } from 'vitest'
import { ownDefault } from './own-default.ts'

const text = { type: 'string' }
const country = { type: 'string', default: 'DE' }
const address = { type: 'object', properties: { street: text, country }, required: ['street'] }
const defs: Readonly<Record<string, unknown>> = {
  country,
  loop: { properties: { next: { $ref: 'loop' } }, required: ['next'] },
}
const resolve = (schema: RJSFSchema): RJSFSchema => (schema.$ref ? (defs[schema.$ref] as RJSFSchema) : schema)

test.each([
  [text, undefined],
  [country, 'DE'],
  [{ type: 'string', default: '' }, ''],
  [{ type: 'object', properties: { name: text } }, undefined],
  [{ type: 'object', properties: { name: text, country: { $ref: 'country' } } }, { country: 'DE' }],
  [{ type: 'object', properties: { address } }, undefined],
  [{ type: 'object', properties: { address }, required: ['address'] }, { address: { country: 'DE' } }],
  [{ type: 'object', properties: { tags: { type: 'array', minItems: 2, items: country } } }, undefined],
  [{ type: 'object', properties: { country }, default: { country: 'FR' } }, { country: 'FR' }],
  [{ $ref: 'loop' }, undefined],
  [true, undefined],
  [[text], undefined],
])('starts a new value of %j with %j', (schema, value) => {
  expect(ownDefault(schema, resolve)).toEqual(value)
})
