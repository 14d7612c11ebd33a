import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { queryValues } from './query-values.ts'

const names = ['action', 'workflowId', 'stepId', 'event', 'on']
const parts = [
  ...names,
  'actions',
  'reaction',
  'a',
  '=',
  '&',
  '==',
  '&&',
  '%',
  '%20',
  '+',
  'é',
  '',
  '1',
  '?',
  '/',
  '[',
  '#',
]

describe('the parameters of a query', () => {
  it('match URLSearchParams for any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 3 })), { maxLength: 12 }),
        (texts) => {
          const text = texts.join('')
          const read = queryValues(text)
          const wanted = new URLSearchParams(text)
          for (const name of names) expect(read(name)).toBe(wanted.get(name) ?? undefined)
        },
      ),
      { numRuns: draws(1000, 50_000) },
    )
  })

  it.each([
    ['action=execute&action=preview', 'action', 'execute'],
    ['reaction=no&action=yes', 'action', 'yes'],
    ['action&x=1', 'action', ''],
    ['x=action=1', 'action', undefined],
    ['stepId=a%20b', 'stepId', 'a b'],
    ['stepId=a+b', 'stepId', 'a b'],
    ['', 'action', undefined],
  ])('in %j, %s is %j', (text, name, expected) => {
    expect(queryValues(text)(name)).toBe(expected)
  })
})
