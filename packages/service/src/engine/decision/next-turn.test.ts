import { describe, expect, test } from 'vitest'
import { type ActiveView, isActive, isTaken, type NextTurn, toNextTurn } from './next-turn.ts'

const job = (id: string, status: ActiveView['status'], more: Partial<ActiveView> = {}): ActiveView => ({
  ...{ id, status, stage: null, type: 'custom' },
  ...more,
})
const over = job('a', 'completed')
const running = job('b', 'running')
const delay = job('c', 'delayed', { type: 'delay' })
const digest = job('d', 'delayed', { type: 'digest' })
const unreached = job('e', 'pending', { stage: 'unreached' })

describe('the next turn of a run after a reply that ran no step', () => {
  const quiet = { done: false, hasDispatched: false, waited: true, before: [] as ActiveView[], now: [] as ActiveView[] }
  test.each<[string, Partial<typeof quiet>, NextTurn]>([
    ['a result was stored since', { before: [running, job('a', 'running')], now: [running, over] }, 'again'],
    ['a result was stored since, and a step was handed out', { hasDispatched: true, now: [over, running] }, 'again'],
    ['a result was stored since, and the function has ended', { done: true, now: [over] }, 'again'],
    ['a step is being called', { before: [over, running], now: [over, running] }, 'wait'],
    ['a step is being called, and there was no silence', { waited: false, before: [running], now: [running] }, 'wait'],
    [
      'a step has begun to sleep, and there was no silence',
      { waited: false, before: [running], now: [delay] },
      'again',
    ],
    ['all steps sleep', { before: [delay], now: [delay] }, 'wait'],
    ['no step is left', { before: [over], now: [over] }, 'stuck'],
    ['no step is left but one that was not reached', { before: [unreached], now: [unreached] }, 'stuck'],
    ['a step was handed out', { hasDispatched: true, now: [job('b', 'queued')] }, 'wait'],
    ['the function has ended', { done: true, before: [over], now: [over] }, 'end'],
    ['the function has ended, without silence', { done: true, waited: false, before: [over], now: [over] }, 'again'],
    ['the function has ended, delays sleep', { done: true, before: [over, delay], now: [over, delay] }, 'end'],
    ['the function has ended, a digest sleeps', { done: true, before: [digest], now: [digest, delay] }, 'wait'],
    ['the function has ended, a step is being called', { done: true, before: [delay], now: [delay, running] }, 'wait'],
    [
      'the function has ended, a delay is being called',
      { done: true, now: [job('c', 'running', { type: 'delay' })] },
      'wait',
    ],
    ['the function has ended, a step was not reached', { done: true, before: [unreached], now: [unreached] }, 'end'],
  ])('if %s', (_what, reply, turn) => {
    expect(toNextTurn({ ...quiet, ...reply })).toBe(turn)
  })
})

test('a job is taken until it has a result, and active while a process works on it', () => {
  const jobs = [
    job('pending', 'pending'),
    job('queued', 'queued'),
    job('running', 'running'),
    job('sending', 'running', { stage: 'sending' }),
    job('put off', 'queued', { stage: 'sending' }),
    job('delayed', 'delayed'),
    ...(['completed', 'failed', 'canceled', 'merged', 'skipped'] as const).map((status) => job(status, status)),
  ]
  const ids = (list: readonly ActiveView[]) => list.map(({ id }) => id)
  expect(ids(jobs.filter(isTaken))).toEqual(['queued', 'running', 'sending', 'put off', 'delayed'])
  expect(ids(jobs.filter(isActive))).toEqual(['queued', 'running', 'sending'])
})
