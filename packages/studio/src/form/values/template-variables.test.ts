import { expect, test } from 'vitest'
import { toTemplateVariables } from './template-variables.ts'

const pathsOf = (...given: Parameters<typeof toTemplateVariables>): readonly string[] =>
  toTemplateVariables(...given)
    .map(({ path }) => path)
    .filter((path) => !path.startsWith('subscriber.'))

test('lists nested fields of the payload, and the results of earlier steps, with their types', () => {
  const address = { type: 'object', properties: { city: { type: 'string' } } }
  const payload = {
    properties: { total: { type: 'number' }, to: { $ref: '#/$defs/address' }, tags: { type: 'array' }, 'a b': {} },
    $defs: { address },
  }
  const steps = [{ stepId: 'cool-down', results: { schema: { properties: { duration: { type: 'number' } } } } }]
  expect(pathsOf({ payload, steps })).toEqual([
    'payload.total',
    'payload.to',
    'payload.to.city',
    'payload.tags',
    'steps.cool-down.duration',
  ])
  const variables = toTemplateVariables({ payload, steps })
  expect(variables.find(({ path }) => path === 'payload.total')?.type).toBe('number')
  expect(variables.map(({ path }) => path)).toContain('subscriber.firstName')
})

test('ends at schemas that contain themselves, and lists a limited number', () => {
  const node = { properties: { next: { $ref: '#' } } }
  expect(pathsOf({ payload: node })).toHaveLength(4)
  const wide = { properties: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, {}])) }
  expect(pathsOf({ payload: wide })).toHaveLength(300)
})

test('ignores names that only objects have', () => {
  expect(pathsOf({ payload: JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') })).toEqual([
    'payload.__proto__',
  ])
  expect(pathsOf({ payload: { properties: { constructor: {} } } })).toEqual(['payload.constructor'])
  expect(pathsOf({})).toEqual([])
})
