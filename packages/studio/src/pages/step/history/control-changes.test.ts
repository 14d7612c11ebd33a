import { expect, test } from 'vitest'
import { findChanges, toSaved } from './control-changes.ts'

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

test('saves values that differ from their default or are saved already', () => {
  const defaults = { subject: 'Hi', body: 'Text', count: 1, list: ['a'], link: { url: 'x' } }
  const values = { ...defaults, body: 'Other text', count: '1', extra: null, constructor: 'x' }
  const { subject, list, link, ...changed } = values
  expect(toSaved(values, { stored: {}, defaults })).toEqual(changed)
  expect(toSaved(values, { stored: { subject: 'Hello' }, defaults })).toEqual({ ...changed, subject: 'Hi' })
  expect(toSaved(defaults, { stored: {}, defaults })).toEqual({})
})
