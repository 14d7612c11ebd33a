import { workflow } from '@trestle/core'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { testBridge } from '../simulator/test-bridge.ts'
import { failure, result, type StepStub, type StepStubFunction } from './step-stub.ts'

const called = { prices: 0, inbox: 0 }
const news = workflow('news', async ({ step, ...rest }) => {
  const prices = await step.custom(
    'prices',
    ({ currency }) => {
      called.prices++
      return { total: 1, currency }
    },
    {
      controlSchema: z.object({ currency: z.string().default('{{ payload.currency }}') }),
      outputSchema: z.object({ total: z.number(), currency: z.string().optional() }),
    },
  )
  const inbox = await step.inApp('inbox', () => {
    called.inbox++
    return { body: `Total ${prices.total}` }
  })
  const { events } = await step.digest('collect', () => ({ amount: 1, unit: 'days' }))
  const { throttled } = await step.throttle('limit', () => ({ type: 'fixed', amount: 1, unit: 'hours', threshold: 2 }))
  const { duration } = await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
  await step.email(
    'mail',
    () => ({
      subject: `${prices.total} ${events.length} ${throttled} ${duration}`,
      body: Object.keys(rest.payload).join(),
    }),
    { skip: () => inbox.read },
  )
})
const quiet = { warn: () => undefined, error: () => undefined }
const bridge = testBridge({ workflows: [news], logger: quiet })
const payload = { currency: 'EUR' }

test('a function replaces a custom step, and receives its rendered controls', async () => {
  called.prices = 0
  const prices = vi.fn<StepStubFunction>((controls) => ({ total: 42, ...controls }))
  const run = await bridge.run(news, { payload, doubles: { prices } })
  expect(prices).toHaveBeenCalledOnce()
  expect(prices.mock.calls[0]?.[0]).toEqual({ currency: 'EUR' })
  expect(prices.mock.calls[0]?.[1]?.idempotencyKey).toMatch(/^[0-9a-f]{64}$/)
  expect(called.prices).toBe(0)
  expect(run.steps['prices']).toMatchObject({ outputs: { total: 42, currency: 'EUR' }, result: { total: 42 } })
  expect(run.steps['mail']?.outputs['subject']).toBe('42 1 false 3600000')
})

test('a result whose only field is named failure is not a failure', async () => {
  const check = workflow('check', async ({ step }) => {
    const { failure: reason } = await step.custom('probe', () => ({ failure: '' }))
    await step.sms('text', () => ({ body: reason }))
  })
  const run = await testBridge({ workflows: [check], logger: quiet }).run(check, {
    doubles: { probe: { failure: 'low disk' } },
  })
  expect(run.status).toBe('completed')
  expect(run.sent[0]?.outputs['body']).toBe('low disk')
})

test('given controls are also rendered for the double', async () => {
  const prices = vi.fn(() => ({ total: 0 }))
  await bridge.run(news, {
    payload,
    doubles: { prices },
    controls: { prices: { currency: 'in {{ payload.currency }}' } },
  })
  expect(prices.mock.calls[0]?.[0 as never]).toEqual({ currency: 'in EUR' })
})

test('a value replaces a custom step, and is validated against its schema', async () => {
  const run = await bridge.run(news, { payload, doubles: { prices: { total: 5 } } })
  expect(run.steps['mail']?.outputs['subject']).toBe('5 1 false 3600000')
  const wrong = await bridge.run(news, { payload, doubles: { prices: { total: 'five' } } })
  expect(wrong.errors[0]).toMatchObject({ stepId: 'prices', code: 'ExecutionStateOutputInvalidError', status: 400 })
})

test('a double for a channel step still runs its handler, and later steps receive the double', async () => {
  called.inbox = 0
  const run = await bridge.run(news, { payload, doubles: { inbox: result.inApp({ read: true }) } })
  expect(called.inbox).toBe(1)
  expect(run.steps['inbox']).toMatchObject({ outputs: { body: 'Total 1' }, result: { seen: true, read: true } })
  expect(run.steps['mail']?.status).toBe('skipped')
  const byFunction = await bridge.run(news, { payload, doubles: { inbox: () => result.inApp({ read: true }) } })
  expect(byFunction.steps['mail']?.status).toBe('skipped')
})

test('accepts results of digests, delays and throttles', async () => {
  const doubles = {
    collect: result.digest([{ n: 1 }, { n: 2 }, { n: 3 }]),
    limit: result.throttle({ throttled: false }),
    wait: result.delay(5),
  }
  const run = await bridge.run(news, { payload, doubles })
  expect(run.steps['mail']?.outputs['subject']).toBe('1 3 false 5')
  const held = await bridge.run(news, { payload, doubles: { limit: result.throttle({ throttled: true }) } })
  expect([held.steps['limit']?.status, held.steps['wait']?.status, held.steps['mail']?.status]).toEqual([
    'skipped',
    undefined,
    undefined,
  ])
})

test('types results by their kind', () => {
  // @ts-expect-error An in-app message has no such result.
  expect(result.inApp({ red: true })).toMatchObject({ read: false })
  // @ts-expect-error A throttle says whether it holds back.
  expect(result.throttle({})).toEqual({})
  expect(result.inApp()).toEqual({ seen: false, read: false, lastSeenDate: null, lastReadDate: null })
})

describe('rejects a double that is not a valid result, and names it', () => {
  const inbox = 'The double of step "inbox" is not a valid result of type in_app: '
  test.each<[string, Record<string, StepStub>, string | readonly string[]]>([
    ['a field that is misspelled', { inbox: { raed: true } }, [inbox, '/raed unknown key']],
    ['a field that is missing', { inbox: { read: true } }, [inbox, '/seen is required']],
    ['a field of another type', { inbox: { ...result.inApp(), read: 'yes' } }, [inbox, '/read must be a boolean']],
    [
      'a digest',
      { collect: { events: 'none' } },
      'The double of step "collect" is not a valid result of type digest: /events',
    ],
    [
      'an event',
      { collect: { events: [{ id: '1' }] } },
      'of step "collect" is not a valid result of type digest: /events/0',
    ],
    [
      'a throttle',
      { limit: { throtled: true } },
      'The double of step "limit" is not a valid result of type throttle: /thro',
    ],
    [
      'a delay',
      { wait: { duration: '5 ms' } },
      'The double of step "wait" is not a valid result of type delay: /duration',
    ],
    ['what a function returns', { inbox: () => ({ raed: true }) }, [inbox, '/raed unknown key']],
    ['nothing', { inbox: (() => undefined) as never }, [inbox, 'it must be']],
    [
      'a text',
      { inbox: 'read' as never },
      'The double "inbox" must be a result, a function or a failure(); got "read".',
    ],
    ['null', { prices: null as never }, 'The double "prices" must be a result, a function or a failure(); got null.'],
  ])('%s', async (_what, doubles, message) => {
    const error = (await bridge.run(news, { payload, doubles }).catch((thrown: unknown) => thrown)) as Error
    expect(error).toBeInstanceOf(TypeError)
    for (const part of [message].flat()) expect(error.message).toContain(part)
  })
})

test.each([
  ['a text', 'no prices', 'no prices'],
  ['an error', new RangeError('too far'), 'too far'],
])('a failure by %s is a failure of the bridge, and the step is stored as failed', async (_what, error, text) => {
  const run = await bridge.run(news, { payload, doubles: { prices: failure(error) } })
  expect(run.errors[0]).toEqual({
    stepId: 'prices',
    code: 'StepExecutionFailedError',
    status: 502,
    message: `Workflow "news": the handler of step "prices" failed: ${text}`,
    data: { stepId: 'prices', type: 'custom', stack: expect.stringContaining(text) },
  })
  expect(run.state.at(-1)).toMatchObject({ stepId: 'prices', outputs: {}, state: { status: 'failed' } })
})

test('a channel step can fail, and a function can throw', async () => {
  const doubles = {
    inbox: failure('no inbox'),
    prices: () => {
      throw new Error('thrown')
    },
  }
  const run = await bridge.run(news, { payload, doubles })
  expect(run.errors.map(({ stepId, status }) => [stepId, status])).toEqual([
    ['prices', 502],
    ['inbox', 502],
  ])
})

test('rejects a double for an unknown step', async () => {
  await expect(bridge.run(news, { payload, doubles: { prises: {} } })).rejects.toThrow(
    'The option doubles names "prises", but workflow "news" has no such step. Its steps are: prices, inbox, collect, limit, wait, mail.',
  )
})
