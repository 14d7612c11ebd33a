import type { RJSFSchema } from '@rjsf/utils'
import { splitPointer } from '@trestle/protocol'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { findIssues, formValidator } from './form-validator.ts'

const text = { type: 'string', minLength: 2 } as const
const schema: RJSFSchema = {
  type: 'object',
  properties: { title: text, items: { type: 'array', items: { type: 'object', properties: { name: text } } } },
  required: ['title'],
}

test('reports an error at its field', () => {
  const { errors, errorSchema } = formValidator.validateFormData({ items: [{ name: 'ok' }, { name: 'x' }] }, schema)
  expect(errors.map(({ property }) => property)).toEqual(['.items.1.name', '.title'])
  expect(errorSchema).toMatchObject({
    title: { __errors: ['This field is required.'] },
    items: { 1: { name: { __errors: ['Must have at least 2 characters.'] } } },
  })
  expect(formValidator.validateFormData({ title: 'ok' }, schema).errors).toEqual([])
})

test('reports a missing field at its own path for any name', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }).filter((name) => !Object.hasOwn(Object.prototype, name) && name !== '__errors'),
      (name) => {
        const { errorSchema } = formValidator.validateFormData({}, { type: 'object', required: [name] })
        expect(Object.keys(errorSchema)).toEqual([name])
      },
    ),
  )
})

test('a part of a schema can use the definitions of the whole schema', () => {
  const whole = { $defs: { short: text } }
  expect(formValidator.isValid({ $ref: '#/$defs/short' }, 'ok', whole)).toBe(true)
  expect(formValidator.isValid({ $ref: '#/$defs/short' }, 'x', whole)).toBe(false)
})

test('a field with a default can be omitted, because the bridge fills it in', () => {
  const inner: RJSFSchema = {
    type: 'object',
    properties: { a: { type: 'string', default: 'x' }, b: { type: 'string' } },
    required: ['a', 'b'],
  }
  const missing = { path: '/list/0/b', message: 'This field is required.' }
  expect(findIssues({ type: 'object', properties: { list: { type: 'array', items: inner } } }, { list: [{}] })).toEqual(
    [missing],
  )
  expect(findIssues(inner, { a: 7, b: 'y' }).map(({ path }) => path)).toEqual(['/a'])
})

test('the path of an issue leads to its field for any name', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ unit: 'binary' }).filter((name) => name !== '__proto__'),
        { minLength: 1, maxLength: 4 },
      ),
      (names) => {
        const value = names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), 'not a number')
        const nestedSchema = names.reduceRight<object>(
          (inner, name) => ({ type: 'object', properties: { [name]: inner } }),
          {
            type: 'number',
          },
        )
        expect(findIssues(nestedSchema as RJSFSchema, value).map(({ path }) => splitPointer(path))).toEqual([names])
      },
    ),
  )
})

const card = { type: 'object', properties: { type: { const: 'card' }, number: text }, required: ['type', 'number'] }
const bank = { type: 'object', properties: { type: { const: 'bank' }, iban: text }, required: ['type', 'iban'] }

test.each(['oneOf', 'anyOf'])('reports only errors in the intended choice of %s', (keyword) => {
  const payment = { [keyword]: [{ $ref: '#/$defs/card' }, bank] }
  const whole = {
    $defs: { card },
    type: 'object',
    properties: { pay: payment, all: { type: 'array', items: payment } },
  }
  const required = 'This field is required.'
  expect(findIssues(whole, { pay: { type: 'bank' } })).toEqual([{ path: '/pay/iban', message: required }])
  expect(findIssues(whole, { pay: { type: 'card' } })).toEqual([{ path: '/pay/number', message: required }])
  expect(findIssues(whole, { all: [{ type: 'bank' }, { type: 'card' }] })).toEqual([
    { path: '/all/0/iban', message: required },
    { path: '/all/1/number', message: required },
  ])
  expect(findIssues(whole, { pay: { type: 'cash' } })).toEqual([
    { path: '/pay/type', message: 'Must be one of "card", "bank".' },
  ])
  expect(findIssues(whole, { pay: { type: 'bank', iban: 'DE1' } })).toEqual([])
})

test('reports nothing for a value that is not filled in, or for a schema that cannot be used', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  expect(findIssues({ type: 'object' }, undefined)).toEqual([])
  expect(warn).not.toHaveBeenCalled()
  for (const unusable of [{ $ref: '#/nowhere' }, { $ref: '#' }, { pattern: '(' }])
    expect(findIssues(unusable, 'x')).toEqual([])
  expect(warn).toHaveBeenCalledTimes(3)
  warn.mockRestore()
})

test('reports a value that matches two exclusive choices', () => {
  const either = { oneOf: [{ type: 'string' }, { minLength: 1 }] }
  expect(findIssues(either, 'x')).toEqual([
    { path: '', message: 'This field matches 2 forms, but only one is allowed.' },
  ])
})
