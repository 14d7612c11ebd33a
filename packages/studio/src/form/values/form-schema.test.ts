import type { RJSFSchema } from '@rjsf/utils'
import { expect, test } from 'vitest'
import { toFormSchema } from './form-schema.ts'

const text = { type: 'string', title: 'Text' }
const number = { type: 'number', title: 'Number' }
const bool = { type: 'boolean', title: 'Yes or no' }
const scalars = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }]

test.each([
  [
    { type: ['string', 'number', 'boolean'], title: 'T' },
    { title: 'T', anyOf: [text, number, bool] },
  ],
  [{ oneOf: scalars }, { oneOf: [text, number, bool] }],
  [
    { type: ['string', 'array'], items: { type: 'string' } },
    { anyOf: [text, { type: 'array', items: { type: 'string' }, title: 'List' }] },
  ],
  [
    {
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'string', format: 'email' },
      ],
    },
    {
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'string', format: 'email' },
      ],
    },
  ],
  [
    { type: ['array', 'null'], items: { type: 'string' }, title: 'T' },
    {
      title: 'T',
      anyOf: [
        { type: 'array', items: { type: 'string' }, title: 'List' },
        { title: 'Nothing (null)', const: null },
      ],
    },
  ],
  [
    { anyOf: [{ type: 'string', const: 'x' }, { type: 'null' }] },
    {
      anyOf: [
        { type: 'string', const: 'x' },
        { title: 'Nothing (null)', const: null },
      ],
    },
  ],
  [
    { type: ['string', 'null'], enum: ['a', 'b'] },
    { type: ['string', 'null'], enum: ['a', 'b'] },
  ],
  [
    { type: ['string', 'number'], const: 5 },
    { type: ['string', 'number'], const: 5 },
  ],
  [
    { type: ['string', 'integer'], enum: ['a', 1] },
    { type: ['string', 'integer'], enum: ['a', 1] },
  ],
  [
    { oneOf: [{ type: 'boolean' }, { type: 'number' }, { type: 'null' }] },
    { oneOf: [bool, number, { title: 'Nothing (null)', const: null }] },
  ],
])('offers the choices of %j', (given, schema) => {
  expect(toFormSchema(given as RJSFSchema)).toEqual({ schema, ui: {} })
})

test.each([
  [{ type: ['string', 'null'] }, { type: ['string', 'null'] }, { 'ui:emptyValue': null }],
  [
    { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: 3 },
    { type: ['integer', 'null'], minimum: 1, default: 3 },
    { 'ui:emptyValue': null, 'ui:inputType': 'number' },
  ],
  [{ type: ['null', 'number'] }, { type: ['null', 'number'] }, { 'ui:emptyValue': null, 'ui:inputType': 'number' }],
])('sets %j to null when it is emptied', (given, schema, ui) => {
  expect(toFormSchema(given as RJSFSchema)).toEqual({ schema, ui })
})

test.each([
  { type: ['null', 'boolean'], default: true },
  { anyOf: [{ type: 'boolean' }, { type: 'null' }], default: true },
])('offers yes, no or null for %j', (given) => {
  const { schema, ui } = toFormSchema(given as RJSFSchema)
  expect(ui).toEqual({ 'ui:widget': 'select' })
  expect(schema).toMatchObject({ default: true, oneOf: [{ const: true }, { const: false }, { const: null }] })
})
