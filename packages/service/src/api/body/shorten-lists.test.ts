import { expect, test } from 'vitest'
import { z } from 'zod'
import { shortenLists } from './shorten-lists.ts'

const item = z.object({ id: z.string() })
const schema = z.strictObject({
  list: z.array(item).min(1).max(2, 'at most 2'),
  maybe: z.array(item).max(2, 'at most 2').optional(),
  open: z.array(item).optional(),
})
const items = (count: number): object[] => Array.from({ length: count }, () => ({}))

test('keeps one item more than allowed, so that the list stays invalid with the same message', () => {
  const body = { list: items(9), maybe: items(9), open: items(9) }
  const messageOf = () => schema.safeParse(body).error?.issues.filter(({ code }) => code === 'too_big')
  const before = messageOf()
  expect(before).toHaveLength(2)
  shortenLists(schema, body)
  expect([body.list.length, body.maybe.length, body.open.length]).toEqual([3, 3, 9])
  expect(messageOf()).toEqual(before)
})

test.each([
  [{ list: items(2), maybe: items(3) }],
  [{ list: 'text' }],
  [[]],
  ['text'],
  [null],
  [Object.create({ list: items(9) }) as object],
])('does not change %j', (body) => {
  const before = structuredClone(body)
  shortenLists(schema, body)
  expect(body).toEqual(before)
})
