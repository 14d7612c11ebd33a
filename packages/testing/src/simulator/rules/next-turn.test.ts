import type { ErrorReply } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { type NextAnswer, type NextSituation, toNextTurn } from './next-turn.ts'

const metadata = { status: 'success', error: false, duration: 1 } as const
const step = { stepId: 'a', type: 'sms' } as const
const executed = { step, outputs: {}, providers: {}, options: { skip: false }, metadata } as const
const open = { open: [step], metadata }
const nothing = { open: [], metadata }
const done = { done: true, metadata } as const
const situation = { isKnown: () => false, isStale: false, isCalling: false, isSleeping: false, isUnsettled: false }
const failure = (data: object | null): ErrorReply => ({ code: 'C', message: 'm', data })

describe('an answer', () => {
  test.each<[string, string, NextAnswer<ErrorReply>, Partial<NextSituation>]>([
    ['with an executed step', 'executed', { reply: executed }, {}],
    ['with an executed step, though a result was stored', 'executed', { reply: executed }, { isStale: true }],
    ['with open steps', 'open', { reply: open }, {}],
    ['with open steps, though a result was stored', 'open', { reply: open }, { isStale: true, isUnsettled: true }],
    ['without open steps, computed without a stored result', 'again', { reply: nothing }, { isStale: true }],
    ['of the end, computed without a stored result', 'again', { reply: done }, { isStale: true }],
    ['without open steps while a step is called', 'wait', { reply: nothing }, { isCalling: true, isUnsettled: true }],
    ['of the end while a step is called', 'wait', { reply: done }, { isCalling: true }],
    [
      'without open steps while the function works',
      'again',
      { reply: nothing },
      { isUnsettled: true, isSleeping: true },
    ],
    ['of the end while the function works', 'again', { reply: done }, { isUnsettled: true }],
    ['without open steps while a step sleeps', 'wait', { reply: nothing }, { isSleeping: true }],
    ['of the end while a step sleeps', 'done', { reply: done }, { isSleeping: true }],
    ['of the end', 'done', { reply: done }, {}],
    ['without open steps when no step is left', 'stuck', { reply: nothing }, {}],
    ['with a failure that names a step', 'stepFailed', { error: failure(step) }, { isStale: true }],
    ['with a failure of a step that has a result', 'runFailed', { error: failure(step) }, { isKnown: () => true }],
    ['with a failure without a step', 'runFailed', { error: failure(null) }, {}],
    ['with a failure without the kind of step', 'runFailed', { error: failure({ stepId: 'a' }) }, {}],
    ['with a failure of an unknown kind of step', 'runFailed', { error: failure({ ...step, type: 'fax' }) }, {}],
  ])('%s: %s', (_what, kind, answer, differs) => {
    expect(toNextTurn(answer, { ...situation, ...differs }).kind).toBe(kind)
  })
})
