import { expect, test } from 'vitest'
import { z } from 'zod'
import { operation } from '../context/operation.ts'
import { parseInput } from './parse-input.ts'

const person = z.union([z.string(), z.strictObject({ id: z.string() })])
const body = z.strictObject({ to: z.union([person, z.array(person)]), by: person.optional() })
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

test.each([
  [{}, { to: ['is missing; it must be a text, an object or a list'] }],
  [{ to: 7 }, { to: ['must be a text, an object or a list'] }],
  [{ to: ['a', true] }, { 'to.1': ['must be a text or an object'] }],
  [{ to: 'a', by: null }, { by: ['must be a text or an object'] }],
  [{ to: { id: 'a' }, by: [] }, { by: ['must be a text or an object'] }],
])('of %j it is told what each field takes', async (sent, messages) => {
  const raw = { params: {}, query: '', body: Buffer.from(JSON.stringify(sent)), contentType: 'application/json' }
  const error: unknown = await parseInput(made, raw).catch((thrown: unknown) => thrown)
  const { errors } = (error as { details: { errors: Record<string, { messages: string[] }> } }).details
  expect(Object.fromEntries(Object.entries(errors).map(([field, found]) => [field, found.messages]))).toEqual(messages)
})
