import { describe, expect, test } from 'vitest'
import { findTriggerFault, toChildrenResult, toDepthFault, toDescendantsFault, toRecipientFault } from './child-runs.ts'

test.each<[string | undefined, Record<string, unknown>]>([
  [undefined, { workflow: 'w', to: 'ada', payload: {}, overrides: {} }],
  [undefined, { workflow: 'w', to: Array.from({ length: 100 }, (_, index) => `s${index}`) }],
  ['workflow must be', { to: 'ada' }],
  ['workflow must be', { workflow: '', to: 'ada' }],
  ['to is missing', { workflow: 'w', to: null }],
  ['to has 101 recipients', { workflow: 'w', to: Array.from({ length: 101 }, (_, index) => `s${index}`) }],
  ['payload must be an object', { workflow: 'w', to: 'ada', payload: [] }],
  ['payload must be an object', { workflow: 'w', to: 'ada', payload: null }],
  ['unknown field "mail"', { workflow: 'w', to: ['bob', { subscriberId: 'ada', mail: 'a' }] }],
  ['unknown field "exlude"', { workflow: 'w', to: { type: 'Topic', topicKey: 't', exlude: ['ada'] } }],
  ['exclude must be a list', { workflow: 'w', to: { topicKey: 't', exclude: 'ada' } }],
  [undefined, { workflow: 'w', to: { topicKey: 't', exclude: ['ada'] } }],
  ['overrides must be an object', { workflow: 'w', to: 'ada', overrides: 'x' }],
])('the fault of a trigger: %s', (reason, outputs) => {
  if (reason === undefined) expect(findTriggerFault(outputs)).toBeUndefined()
  else expect(findTriggerFault(outputs)).toContain(reason)
})

test('limits the depth and the number of recipients', () => {
  expect([toDepthFault(4), toRecipientFault(100), toDescendantsFault(10_000)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(toDescendantsFault(10_001)).toContain('at most 10000 runs')
  expect(toDepthFault(5)).toContain('5 times in a row')
  expect(toRecipientFault(101)).toContain('up to 100')
})

describe('the result of runs', () => {
  const run = (status: 'completed' | 'failed' | 'canceled' | 'merged') => ({ runId: 'r', subscriberId: 's', status })
  const statusOf = (isCanceled: boolean, ...statuses: Parameters<typeof run>[0][]) =>
    toChildrenResult({ transactionId: 't', runs: statuses.map(run), isCanceled })['status']

  test('is failed before canceled before completed', () => {
    expect(statusOf(false)).toBe('completed')
    expect(statusOf(true)).toBe('canceled')
    expect(statusOf(false, 'completed', 'merged')).toBe('completed')
    expect(statusOf(false, 'completed', 'canceled')).toBe('canceled')
    expect(statusOf(true, 'completed')).toBe('canceled')
    expect(statusOf(true, 'canceled', 'failed')).toBe('failed')
  })

  test('is failed if the trigger failed before all runs were created', () => {
    expect(toChildrenResult({ transactionId: 't', runs: [run('completed')], isFailed: true })['status']).toBe('failed')
  })
})
