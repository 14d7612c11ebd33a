import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const names = ['dev', 'sync', 'doctor', 'trigger', 'init', 'types', 'diff', 'preview', 'tunnel']

describe('the nearest name', () => {
  it.each([
    ['dcotor', 'doctor'],
    ['Doctor', 'doctor'],
    ['snyc', 'sync'],
    ['prev', 'preview'],
    ['triger', 'trigger'],
    ['tipes', 'types'],
    ['dve', 'dev'],
  ])('of %s is %s', (typed, name) => {
    expect(nearest(typed, names)).toBe(name)
  })

  it.each(['x', 'banana', '', 'deploy'])('of %j does not exist', (typed) => {
    expect(nearest(typed, names)).toBeUndefined()
  })
})
