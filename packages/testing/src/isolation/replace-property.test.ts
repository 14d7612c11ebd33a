import { expect, test } from 'vitest'
import { replaceProperty } from './replace-property.ts'

test('what was there is put back', () => {
  const owner = { say: (): string => 'first' }
  const { say } = owner
  const replacement = replaceProperty(owner, 'say', (original) => () => `not ${original()}`)
  expect(owner.say()).toBe('not first')
  replacement.restore()
  expect(owner.say).toBe(say)
})

test('what someone else has put there since stays', () => {
  const owner = { say: (): string => 'first' }
  const replacement = replaceProperty(owner, 'say', () => () => 'second')
  const third = (): string => 'third'
  expect(replacement.isInPlace).toBe(true)
  owner.say = third
  expect(replacement.isInPlace).toBe(false)
  replacement.restore()
  expect(owner.say).toBe(third)
})

test('what is not there is left alone', () => {
  const owner: { say?: () => string } = {}
  replaceProperty(owner, 'say', () => () => 'second').restore()
  expect(owner).toEqual({})
})
