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
  mail: z.union([z.literal(''), z.email('must be an e-mail address')], 'must be an e-mail address').optional(),
})
const made = operation({
  name: 'test.union',
  method: 'POST',
  path: '/v1/test',
  summary: 'Test',
  category: 'global',
  wrapped: false,
  body,
  output: z.object({}),
  handler: async () => ({}),
})

const anyone = 'must be a text or an object'

test.each([
  [{}, { to: ['is missing; it must be a text, an object or a list'] }],
  [{ to: 7 }, { to: ['must be a text, an object or a list'] }],
  [{ to: ['a', true] }, { 'to.1': [anyone] }],
  [{ to: { id: 'a' }, by: [] }, { by: [anyone] }],
  // The kind that was sent decides what is said.
  [{ to: {} }, { 'to.id': ['is missing; it must be a text'] }],
  [{ to: { id: 5 } }, { 'to.id': ['must be a text'] }],
  [{ to: { id: 'a', ago: 5 } }, { 'to.ago': ['is not a field of this operation'] }],
  [{ to: { type: 'group', key: 'k' } }, { 'to.type': ['must be Group'] }],
  [{ to: { type: 'Group' } }, { 'to.key': ['is missing; it must be a text'] }],
  [{ to: [{ id: 'a', age: 1.5 }] }, { 'to.0.age': ['must be a whole number'] }],
  [
    { to: { id: 5, age: 1.5, tags: [1, 2] } },
    {
      'to.id': ['must be a text'],
      'to.age': ['must be a whole number'],
      'to.tags.0': ['must be a text'],
      'to.tags.1': ['must be a text'],
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
  [{ to: 'a', mail: 'x' }, { mail: ['must be an e-mail address'] }],
  [{ to: 'a', mail: 5 }, { mail: ['must be an e-mail address'] }],
] as [object, object][])('of %j it is told what each field takes', async (sent, messages) => {
  const raw = { params: {}, query: '', body: Buffer.from(JSON.stringify(sent)), contentType: 'application/json' }
  const error: unknown = await parseInput(made, raw).catch((thrown: unknown) => thrown)
  const { errors } = (error as { details: { errors: Record<string, { messages: string[] }> } }).details
  expect(Object.fromEntries(Object.entries(errors).map(([field, found]) => [field, found.messages]))).toEqual(messages)
})

function read(method: 'POST' | 'PUT' | 'PATCH', sent: unknown): Promise<unknown> {
  const raw = { params: {}, query: '', body: Buffer.from(JSON.stringify(sent)), contentType: 'application/json' }
  return parseInput({ ...made, method }, raw).then(
    (input) => input.body,
    (thrown: unknown) => (thrown as { details: unknown }).details,
  )
}

describe('null, where it is none of a field\u2019s values,', () => {
  test.each(['POST', 'PUT'] as const)('counts as left out by %s', async (method) => {
    const sent = { to: { id: 'a', age: null, tags: null }, by: null, name: null, nested: null }
    expect(await read(method, sent)).toEqual({ to: { id: 'a' } })
    expect(await read(method, { to: ['a', { id: 'b', tags: null }], kinds: null })).toEqual({ to: ['a', { id: 'b' }] })
  })

  test('is refused where a field is needed, in a list, and in a change of parts', async () => {
    const of = (field: string, message: string) => ({ errors: { [field]: { messages: [message] } } })
    expect(await read('POST', { to: null })).toMatchObject(of('to', 'must be a text, an object or a list'))
    expect(await read('POST', { to: { id: null } })).toMatchObject(of('to.id', 'must be a text'))
    expect(await read('POST', { to: ['a', null] })).toMatchObject(of('to.1', anyone))
    expect(await read('PATCH', { to: 'a', name: null })).toMatchObject(of('name', 'must be a text'))
    expect(await read('POST', null)).toMatchObject(of('general', 'the body must be an object'))
  })

  test('of which there are many takes little time', async () => {
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
])('of the body %s it is said what it must be', async (body, message) => {
  const raw = { params: {}, query: '', body: Buffer.from(body), contentType: 'application/json' }
  const error: unknown = await parseInput(made, raw).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ details: { errors: { general: { messages: [message] } } } })
})
