import { expect, test } from 'vitest'
import { z } from 'zod'
import { readQuery } from './read-query.ts'

const schema = z.strictObject({ channels: z.array(z.string()).optional(), page: z.string().optional(), 'a[]': z.any() })

test.each([
  ['channels=email&channels=sms', { channels: ['email', 'sms'] }],
  // Lists in axios format, in PHP format, and mixed.
  ['channels[]=email&channels%5B%5D=sms', { channels: ['email', 'sms'] }],
  ['channels%5B0%5D=email&channels[1]=sms', { channels: ['email', 'sms'] }],
  ['channels[]=email&channels=sms', { channels: ['email', 'sms'] }],
  ['channels=email&channels[]=sms', { channels: ['email', 'sms'] }],
  ['channels[]=email', { channels: ['email'] }],
  ['page=2', { page: '2' }],
  ['channels=&page=', { channels: '', page: '' }],
  // Unknown parameters are rejected under the name that was sent.
  ['chanels[]=email', { 'chanels[]': 'email' }],
  ['unknown=', { unknown: '' }],
  ['channels[a]=email', { 'channels[a]': 'email' }],
  ['channels[][]=email', { 'channels[][]': 'email' }],
  ['a[]=1', { 'a[]': '1' }],
  ['[]=1', { '[]': '1' }],
])('parses the query %s as %j', (text, values) => {
  expect(readQuery(text, schema)).toEqual(values)
})

test('treats names such as __proto__ as ordinary names', () => {
  expect(Object.keys(readQuery('__proto__=1&constructor[]=2', schema))).toEqual(['__proto__', 'constructor[]'])
})
