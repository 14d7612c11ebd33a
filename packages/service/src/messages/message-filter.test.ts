import { expect, test } from 'vitest'
import { matchesTexts, needsTexts } from './message-filter.ts'

const owner = { environmentId: 'e', subscriberId: 's' }
const row = { payload: '{"a":1}', data: null, tags: '["x"]', contextKeys: '[]' }

test.each([{}, { payload: {} }, { data: {} }, { tags: [] }, { contextKeys: [] }])('%j does not filter', (filter) => {
  expect(needsTexts({ ...owner, ...filter })).toBe(false)
  expect(matchesTexts(row, { ...owner, ...filter })).toBe(true)
})

test.each([
  [{ payload: { a: 1 } }, true],
  [{ payload: { a: 2 } }, false],
  [{ data: { a: 1 } }, false],
  [{ tags: ['x', 'y'] }, true],
  [{ tags: ['y'] }, false],
  [{ contextKeys: ['tenant:acme'] }, false],
])('%j is compared with stored documents: %s', (filter, matches) => {
  expect(needsTexts({ ...owner, ...filter })).toBe(true)
  expect(matchesTexts(row, { ...owner, ...filter })).toBe(matches)
})
