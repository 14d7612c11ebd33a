import { expect, test } from 'vitest'
import { replaceProperty } from './replace-property.ts'

test('what was there is put back', () => {
  const owner = { say: (): string => 'first' }
  const { say } = owner
  const restore = replaceProperty(owner, 'say', (original) => () => `not ${original()}`)
  expect(owner.say()).toBe('not first')
  restore()
  expect(owner.say).toBe(say)
})

test('what someone else has put there since stays', () => {
  const owner = { say: (): string => 'first' }
  const restore = replaceProperty(owner, 'say', () => () => 'second')
  const third = (): string => 'third'
  owner.say = third
  restore()
  expect(owner.say).toBe(third)
})

test('what is not there is left alone', () => {
  const owner: { say?: () => string } = {}
  replaceProperty(owner, 'say', () => () => 'second')()
  expect(owner).toEqual({})
})
