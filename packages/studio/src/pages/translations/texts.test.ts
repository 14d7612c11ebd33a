import { expect, test } from 'vitest'
import { toTexts, withText } from './texts.ts'

test('nested texts are read and changed by their full keys', () => {
  const content = { title: 'Hi', footer: { address: 'Berlin', 'a.b': 'dotted' } }
  expect(toTexts(content)).toEqual({ title: 'Hi', 'footer.address': 'Berlin', 'footer.a.b': 'dotted' })
  expect(withText(content, 'footer.address', 'Paris')).toEqual({
    title: 'Hi',
    footer: { address: 'Paris', 'a.b': 'dotted' },
  })
  expect(withText(content, 'footer.a.b', 'x').footer).toEqual({ address: 'Berlin', 'a.b': 'x' })
  expect(withText({}, 'a.b.c', 'x')).toEqual({ a: { b: { c: 'x' } } })
})

test('empty text is removed together with groups that become empty', () => {
  expect(withText({ a: { b: 'x' }, c: 'y' }, 'a.b', '')).toEqual({ c: 'y' })
  expect(withText({}, 'a.b', '')).toEqual({})
})
