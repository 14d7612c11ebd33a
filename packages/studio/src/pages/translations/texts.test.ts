import { findPath } from '@trestle/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../api/generated/resources.ts'
import { findConflict, isGroup, toTexts, withText } from './texts.ts'

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

test('a new text does not replace a group or a text', () => {
  const group = { footer: { address: 'Berlin', legal: 'Imprint' } }
  expect(withText(group, 'footer', 'Hi')).toBe(group)
  expect(isGroup(group, 'footer')).toBe(true)
  expect(isGroup(group, 'footer.address')).toBe(false)
  expect(withText({ footer: 'Hi' }, 'footer.address', 'Berlin')).toEqual({ footer: 'Hi', 'footer.address': 'Berlin' })
  expect(withText({ a: { b: 'Hi' } }, 'a.b.c', 'x')).toEqual({ a: { b: 'Hi' }, 'a.b.c': 'x' })
  // The service prefers groups to flat keys, so a group would hide the flat text.
  expect(withText({ 'a.b': 'Hi' }, 'a.b.c', 'x')).toEqual({ 'a.b': 'Hi', 'a.b.c': 'x' })
})

test.each([
  ['footer', 'footer.address'],
  ['footer.address.city', 'footer.address'],
  ['footer.legal', undefined],
  ['foot', undefined],
  ['titles', undefined],
])('the new key %s conflicts with %s', (newKey, conflict) => {
  expect(findConflict(['title', 'footer.address'], newKey)).toBe(conflict)
})

const names = fc.constantFrom('a', 'b', 'c', 'a.b', 'b.c', 'a.b.c', '', '__proto__')
const { content: contents } = fc.letrec<{ content: JsonObject; part: unknown }>((tie) => ({
  content: fc.dictionary(names, tie('part'), { maxKeys: 4, noNullPrototype: true }),
  part: fc.oneof({ maxDepth: 3 }, fc.constantFrom('x', 'y', ''), tie('content')),
}))
const keys = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'))

/** Finds a text as the service does. */
function translate(content: JsonObject, key: string): unknown {
  return findPath(content, key.split('.')) ?? findPath(content, [key])
}

test('a changed text leaves all other texts as they are, also for the service', () => {
  fc.assert(
    fc.property(contents, keys, fc.constantFrom('', 'new'), (content, key, text) => {
      const before = toTexts(content)
      const changed = withText(content, key, text)
      const { [key]: written, ...after } = toTexts(changed)
      const { [key]: _, ...others } = before
      expect(after).toEqual(others)
      for (const other of Object.keys(others)) {
        const translated = translate(content, other)
        if (typeof translated === 'string') expect(translate(changed, other)).toBe(translated)
      }
      if (text === '') expect(Object.hasOwn(toTexts(changed), key)).toBe(false)
      else if (isGroup(content, key)) expect(changed).toBe(content)
      else expect(written).toBe(text)
      // The service finds every new text.
      if (text !== '' && !isGroup(content, key) && !Object.hasOwn(before, key))
        expect(translate(changed, key)).toBe(text)
    }),
    { numRuns: 2000 },
  )
})
