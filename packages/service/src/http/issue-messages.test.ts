import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { operation } from '../context/operation.ts'
import { parseInput } from './parse-input.ts'

const person = z.union([
  z.string().min(1, 'must not be empty'),
  z.strictObject({ id: z.string(), age: z.number().int().optional(), tags: z.array(z.string()).optional() }),
  z.strictObject({ type: z.literal('Group'), key: z.string() }),
])
const body = z.strictObject({
  to: z.union([person, z.array(person).max(2, 'must name at most 2')]),
  by: person.optional(),
  name: z.string().optional(),
  isOpen: z.boolean().optional(),
  kind: z.enum(['a', 'b']).optional(),
  kinds: z.union([z.enum(['a', 'b'], 'must be one of a, b'), z.array(z.enum(['a', 'b']))]).optional(),
  nested: z
    .strictObject({ number: z.number(), list: z.array(z.string()), map: z.record(z.string(), z.string()) })
    .optional(),
  mail: z.union([z.literal(''), z.email('must be an email address')], 'must be an email address').optional(),
})
const testOperation = operation({
  name: 'test.union',
  access: 'edit',
  method: 'POST',
  path: '/v1/test',
  summary: 'Test',
  category: 'global',
  wrapped: false,
  body,
  output: z.object({}),
  handler: async () => ({}),
})

const anyone = 'must be a string or an object'

test.each([
  [{}, { to: ['is missing; it must be a string, an object or a list'] }],
  [{ to: 7 }, { to: ['must be a string, an object or a list'] }],
  [{ to: ['a', true] }, { 'to.1': [anyone] }],
  [{ to: { id: 'a' }, by: [] }, { by: [anyone] }],
  // The type of the submitted value determines the message.
  [{ to: {} }, { 'to.id': ['is missing; it must be a string'] }],
  [{ to: { id: 5 } }, { 'to.id': ['must be a string'] }],
  [{ to: { id: 'a', ago: 5 } }, { 'to.ago': ['is not a field of this operation'] }],
  [{ to: { type: 'group', key: 'k' } }, { 'to.type': ['must be Group'] }],
  [{ to: { type: 'Group' } }, { 'to.key': ['is missing; it must be a string'] }],
  [{ to: [{ id: 'a', age: 1.5 }] }, { 'to.0.age': ['must be a whole number'] }],
  [
    { to: { id: 5, age: 1.5, tags: [1, 2] } },
    {
      'to.id': ['must be a string'],
      'to.age': ['must be a whole number'],
      'to.tags.0': ['must be a string'],
      'to.tags.1': ['must be a string'],
    },
  ],
  [{ to: '' }, { to: ['must not be empty'] }],
  [{ to: ['a', 'b', 'c'] }, { to: ['must name at most 2'] }],
  [{ to: 'a', isOpen: 'true' }, { isOpen: ['must be true or false'] }],
  [{ to: 'a', kind: 'c' }, { kind: ['must be one of a, b'] }],
  [{ to: 'a', kinds: 'c' }, { kinds: ['must be one of a, b'] }],
  [
    { to: 'a', nested: { number: '1', map: [] } },
    {
      'nested.number': ['must be a number'],
      'nested.list': ['is missing; it must be a list'],
      'nested.map': ['must be an object'],
    },
  ],
  [{ to: 'a', mail: 'x' }, { mail: ['must be an email address'] }],
  [{ to: 'a', mail: 5 }, { mail: ['must be an email address'] }],
] as [object, object][])('explains what each field of %j accepts', async (sent, messages) => {
  const raw = { params: {}, query: '', body: Buffer.from(JSON.stringify(sent)), contentType: 'application/json' }
  const error: unknown = await parseInput(testOperation, raw).catch((thrown: unknown) => thrown)
  const { errors } = (error as { details: { errors: Record<string, { messages: string[] }> } }).details
  expect(Object.fromEntries(Object.entries(errors).map(([field, fieldError]) => [field, fieldError.messages]))).toEqual(
    messages,
  )
})

function read(method: 'POST' | 'PUT' | 'PATCH', sent: unknown): Promise<unknown> {
  const raw = { params: {}, query: '', body: Buffer.from(JSON.stringify(sent)), contentType: 'application/json' }
  return parseInput({ ...testOperation, method }, raw).then(
    (input) => input.body,
    (thrown: unknown) => (thrown as { details: unknown }).details,
  )
}

describe('null in a field that does not allow it', () => {
  test.each(['POST', 'PUT'] as const)('counts as omitted for %s', async (method) => {
    const sent = { to: { id: 'a', age: null, tags: null }, by: null, name: null, nested: null }
    expect(await read(method, sent)).toEqual({ to: { id: 'a' } })
    expect(await read(method, { to: ['a', { id: 'b', tags: null }], kinds: null })).toEqual({ to: ['a', { id: 'b' }] })
  })

  test('is rejected in required fields, in lists, and in partial updates', async () => {
    const of = (field: string, message: string) => ({ errors: { [field]: { messages: [message] } } })
    expect(await read('POST', { to: null })).toMatchObject(of('to', 'must be a string, an object or a list'))
    expect(await read('POST', { to: { id: null } })).toMatchObject(of('to.id', 'must be a string'))
    expect(await read('POST', { to: ['a', null] })).toMatchObject(of('to.1', anyone))
    expect(await read('PATCH', { to: 'a', name: null })).toMatchObject(of('name', 'must be a string'))
    expect(await read('POST', null)).toMatchObject(of('general', 'the body must be an object'))
  })

  test('is removed quickly even if it occurs often', async () => {
    const to = Array.from({ length: 15_000 }, () => ({ id: 'a', tags: null }))
    const started = process.cpuUsage().user / 1000
    expect(await read('POST', { to })).toMatchObject({ errors: { to: { messages: ['must name at most 2'] } } })
    expect(process.cpuUsage().user / 1000 - started).toBeLessThan(10_000)
  })
})

test.each([
  ['"{}"', 'the body must be an object'],
  ['[]', 'the body must be an object'],
  ['', 'the body is missing; it must be an object'],
])('explains what the body %s must be', async (body, message) => {
  const raw = { params: {}, query: '', body: Buffer.from(body), contentType: 'application/json' }
  const error: unknown = await parseInput(testOperation, raw).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ details: { errors: { general: { messages: [message] } } } })
})
