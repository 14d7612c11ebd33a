import { expect, test } from 'vitest'
import { findChanges } from './control-changes.ts'

test('lists values that were added, changed and removed', () => {
  const before = { subject: 'Hi', body: 'Same', gone: 1 }
  const after = { subject: 'Hello', body: 'Same', list: ['a'] }
  expect(findChanges(before, after)).toEqual([
    { name: 'subject', before: 'Hi', after: 'Hello' },
    { name: 'gone', before: '1', after: undefined },
    { name: 'list', before: undefined, after: '[\n  "a"\n]' },
  ])
  expect(findChanges({}, {})).toEqual([])
  expect(findChanges({}, { constructor: 'x' })).toEqual([{ name: 'constructor', before: undefined, after: 'x' }])
})
