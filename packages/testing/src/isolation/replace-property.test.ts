import { expect, test } from 'vitest'
import { replaceProperty } from './replace-property.ts'

test('restores the original', () => {
  const owner = { say: (): string => 'first' }
  const { say } = owner
  const replacement = replaceProperty(owner, 'say', (original) => () => `not ${original()}`)
  expect(owner.say()).toBe('not first')
  replacement.restore()
  expect(owner.say).toBe(say)
})

test('keeps a replacement installed later', () => {
  const owner = { say: (): string => 'first' }
  const replacement = replaceProperty(owner, 'say', () => () => 'second')
  const third = (): string => 'third'
  expect(replacement.isInPlace).toBe(true)
  owner.say = third
  expect(replacement.isInPlace).toBe(false)
  replacement.restore()
  expect(owner.say).toBe(third)
})

test('ignores a missing property', () => {
  const owner: { say?: () => string } = {}
  replaceProperty(owner, 'say', () => () => 'second').restore()
  expect(owner).toEqual({})
})
