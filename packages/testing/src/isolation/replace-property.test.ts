import { expect, test } from 'vitest'
import { swap } from './replace-property.ts'

test('what was there is put back', () => {
  const owner = { say: (): string => 'first' }
  const { say } = owner
  const restore = swap(owner, 'say', (original) => () => `not ${original()}`)
  expect(owner.say()).toBe('not first')
  restore()
  expect(owner.say).toBe(say)
})

test('what someone else has put there since stays', () => {
  const owner = { say: (): string => 'first' }
  const restore = swap(owner, 'say', () => () => 'second')
  const third = (): string => 'third'
  owner.say = third
  restore()
  expect(owner.say).toBe(third)
})

test('what is not there is left alone', () => {
  const owner: { say?: () => string } = {}
  swap(owner, 'say', () => () => 'second')()
  expect(owner).toEqual({})
})
