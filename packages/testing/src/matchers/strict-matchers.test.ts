import { type WorkflowContext, workflow } from '@trestle/core'
import type { JsonObject } from '@trestle/protocol'
import { type Assertion, describe, expect, test } from 'vitest'
import { failure, result } from '../context/step-stub.ts'
import { toContent } from '../report/rendered-content.ts'
import type { RunReport } from '../report/run-report.ts'
import { testBridge } from '../simulator/test-bridge.ts'
import * as assertions from './assert-report.ts'
import type { ExpectedMessage } from './expected-message.ts'
import '../vitest.ts'

type Body = (context: WorkflowContext<JsonObject, JsonObject, JsonObject>) => Promise<void>

const logger = { warn: () => undefined, error: () => undefined }
const reminder = workflow('reminder', async ({ step, payload }) => {
  const inbox = await step.inApp('inbox', () => ({ subject: 'Due', body: `${payload['day']}` }))
  await step.throttle('limit', () => ({ type: 'fixed', amount: 1, unit: 'hours', threshold: 3 }))
  await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
  await step.email('mail', () => ({ subject: 'Due', body: 'b' }), {
    skip: () => inbox.read,
    providers: { sendgrid: () => ({ ipPoolName: 'pool' }) },
  })
  await step.sms('text', () => ({ body: 'b' }), { skip: () => payload['quiet'] === true })
})
const bridge = testBridge({ workflows: [reminder], now: '2026-01-01T09:00:00Z', logger })
const run = await bridge.run(reminder, { payload: { day: 'Monday', quiet: true } })
const pair = await bridge.run(reminder, {
  payload: { day: 'Monday' },
  triggers: [{ payload: { day: 'Tuesday', quiet: true }, afterMs: 60_000 }],
})

describe('how often', () => {
  test('a message that is sent twice does not match one expected message', () => {
    const twice = { ...run, sent: [...run.sent, ...run.sent] }
    expect(run).toHaveSent('email', { subject: 'Due' })
    expect(() => expect(twice).toHaveSent('email', { subject: 'Due' })).toThrow(
      'to have sent email, but it was sent 2 times, by steps "mail", "mail"; { times } sets the expected number.',
    )
    expect(twice).toHaveSent('email', { subject: 'Due' }, { times: 2 })
    expect(() => expect(twice).toHaveSent('email', {}, { times: 3 })).toThrow('to have sent email 3 times, but it was')
  })

  test('messages of nested triggers count', () => {
    expect(() => expect(pair).toHaveSent('email')).toThrow('it was sent 2 times')
    expect(pair).toHaveSent('email', {}, { times: 2 })
    expect(pair).toHaveSent('inApp', { body: 'Tuesday' })
    expect(pair.others[0]).toHaveSent('email')
    expect(() => expect(pair).not.toHaveSent('inApp', { body: 'Tuesday' })).toThrow('step "inbox" sent it')
  })

  test('negation with not expects no matching message at all', () => {
    expect(() => expect(pair).not.toHaveSent('email')).toThrow('not to have sent email, but it was sent 2 times')
    expect(run).not.toHaveSent('sms')
    expect(run).toHaveSent('sms', {}, { times: 0 })
    expect(() => expect(run).toHaveSent('email', {}, { times: 0 })).toThrow('to have sent email 0 times, but step')
    expect(() => expect(run).not.toHaveSent('email', {}, { times: 2 })).toThrow(
      'The option times cannot be combined with not',
    )
  })

  test.each([-1, 1.5, Number.NaN, '1' as never])('times must not be %s', (times) => {
    expect(() => expect(run).toHaveSent('email', {}, { times })).toThrow('The option times must be an integer')
  })
})

describe('by which step, when, and with which overrides', () => {
  test('compares all of them', () => {
    const providers = { sendgrid: { ipPoolName: /^po/ } }
    expect(run).toHaveSent('email', { subject: 'Due' }, { stepId: 'mail', at: '2026-01-01T10:00:00Z', providers })
    expect(run).toHaveSent('inApp', {}, { at: new Date(Date.UTC(2026, 0, 1, 9)) })
  })

  test.each([
    [{ at: '2026-01-01T11:00:00Z' }, 'sent at "2026-01-01T10:00:00.000Z", not "2026-01-01T11:00:00.000Z"'],
    [{ stepId: 'text' }, 'step "mail" sent it, not step "text"'],
    [{ providers: { sendgrid: { ipPoolName: 'other' } } }, 'sent /providers/sendgrid/ipPoolName "pool", not "other"'],
    [{ providers: { twilio: {} } }, 'sent /providers/twilio nothing, not {}'],
  ])('%o', (options, message) => {
    expect(() => expect(run).toHaveSent('email', {}, options)).toThrow(message)
  })
})

describe('toHaveSentOnly', () => {
  test('compares all messages in order, including those of nested triggers, ordered by time', () => {
    expect(run).toHaveSentOnly(['inApp', { subject: 'Due' }], ['email', {}, { at: '2026-01-01T10:00:00Z' }])
    expect(pair).toHaveSentOnly(['inApp', { body: 'Monday' }], ['inApp', { body: 'Tuesday' }], 'email', 'sms', 'email')
    const failing = workflow('failing', async ({ step }) => void (await step.sms('text', () => Promise.reject('no'))))
    return expect(testBridge({ workflows: [failing], logger }).run(failing)).resolves.toHaveSentOnly()
  })

  test.each<[string, readonly ExpectedMessage[], string]>([
    ['one too few', ['inApp'], 'only inApp, but 2 were sent, not 1; the messages: in_app of step "inbox" at 2026'],
    ['one too many', ['inApp', 'email', 'sms'], 'message 3 is missing; the messages: in_app'],
    ['another order', ['email', 'inApp'], 'message 1 is in_app of step "inbox"'],
    ['another field', ['inApp', ['email', { subject: 'Overdue' }]], 'step "mail" sent /subject "Due", not "Overdue"'],
    ['nothing', [], 'to have sent only nothing, but 2 were sent, not 0'],
  ])('%s', (_what, messages, expectedText) => {
    expect(() => expect(run).toHaveSentOnly(...messages)).toThrow(expectedText)
  })

  test('rejects times', () => {
    expect(() => expect(run).toHaveSentOnly('inApp', ['email', {}, { times: 1 } as never])).toThrow(
      'The option times is only for toHaveSent',
    )
  })
})

describe('toHaveCompleted', () => {
  const quietly = (body: Body, options = {}): Promise<RunReport> => {
    const tried = workflow('tried', body)
    return testBridge({ workflows: [tried], logger }).run(tried, options)
  }

  test.each<[string, () => Promise<RunReport>, string]>([
    ['a workflow without steps', () => quietly(async () => undefined), 'the workflow has no steps, so nothing was run'],
    [
      'a failure of a further trigger',
      () =>
        quietly(
          async ({ step, payload }) => {
            await step.sms('text', () => (payload['bad'] ? Promise.reject(new Error('bad')) : { body: 'b' }))
          },
          { triggers: [{ payload: {} }, { payload: { bad: true } }] },
        ),
      'the run of the further trigger "transaction-3" is failed; the steps: text (sms) failed with StepExecutionFailed',
    ],
    [
      'ids made of data, for a service that follows the list',
      () =>
        quietly(
          async ({ step, payload }) => {
            for (const { id } of payload['items'] as { id: string }[]) await step.sms(`to-${id}`, () => ({ body: 'b' }))
          },
          { payload: { items: [{ id: 'ada' }, { id: 'bob' }] }, service: 'listed' },
        ),
      'the run calls steps that discovery does not list, so the service never calls them: "to-ada"',
    ],
    [
      'a refusal that the code swallowed',
      () =>
        quietly(async ({ step }) => {
          await step.custom('rates', async () => ({ ok: await fetch('https://rates.test').catch(() => 'no') }))
        }),
      'the code requested https://rates.test, was blocked, and continued',
    ],
  ])('%s does not count as completed', async (_what, start, expectedText) => {
    const report = await start()
    expect(() => expect(report).toHaveCompleted()).toThrow(
      `The run was expected to have completed, but ${expectedText}`,
    )
    expect(() => assertions.assertCompleted(report)).toThrow(expectedText)
    expect(report).not.toHaveCompleted()
  })

  test('intentionally skipped steps and merged digests count as completed', async () => {
    expect(await bridge.run(reminder, { doubles: { inbox: result.inApp({ read: true }) } })).toHaveCompleted()
    const daily = async ({ step }: Parameters<Body>[0]): Promise<void> => {
      await step.digest('day', () => ({ amount: 1, unit: 'days' }))
    }
    expect(await quietly(daily, { triggers: [{ payload: {}, afterMs: 1 }] })).toHaveCompleted()
  })
})

describe('unknown names', () => {
  const ids = 'Workflow "reminder" has no step "mial". Its steps are: inbox, limit, wait, mail, text.'
  const asked: readonly (readonly [string, (matchers: Assertion<unknown>) => void, string])[] = [
    ['a step, skipped', (matchers) => matchers.toHaveSkipped('mial'), ids],
    ['a step, failed', (matchers) => matchers.toHaveFailed('mial'), ids],
    ['a step, sent', (matchers) => matchers.toHaveSent('email', {}, { stepId: 'mial' }), ids],
    ['a step, sent only', (matchers) => matchers.toHaveSentOnly(['email', {}, { stepId: 'mial' }]), ids],
    ['what every object has', (matchers) => matchers.toHaveSkipped('constructor'), 'has no step "constructor"'],
    [
      'a channel',
      (matchers) => matchers.toHaveSent('emial' as never),
      '"emial" is not a channel. The channels are: email, sms',
    ],
    ['a channel, sent only', (matchers) => matchers.toHaveSentOnly('emial' as never), '"emial" is not a channel'],
    [
      'a field',
      // @ts-expect-error An email has no such field.
      (matchers) => matchers.toHaveSent('email', { subjct: 'Due' }),
      'A message of type email has no field "subjct". The fields are: subject, body,',
    ],
    [
      'a field, sent only',
      (matchers) => matchers.toHaveSentOnly('inApp', ['email', { subjct: 'Due' } as never]),
      'A message of type email has no field "subjct"',
    ],
    [
      'an option',
      // @ts-expect-error There is no such option.
      (matchers) => matchers.toHaveSent('email', {}, { time: 1 }),
      'The third argument has no field "time". The fields are: times, stepId, at, providers.',
    ],
    ['a time', (matchers) => matchers.toHaveSent('email', {}, { at: 'noon' }), 'The option at must be a time'],
    [
      'a code',
      (matchers) => matchers.toHaveFailed('mail', 'StepExecutionFaildError'),
      '"StepExecutionFaildError" is not an error code. The codes are:',
    ],
    [
      'a field of a failure',
      // @ts-expect-error A failure has no such field.
      (matchers) => matchers.toHaveFailed('mail', { stauts: 502 }),
      'A failure has no field "stauts". The fields are: code, message, data, status.',
    ],
  ]

  test.each(asked)('%s', (_what, ask, message) => {
    expect(() => ask(expect(run))).toThrow(message)
    expect(() => ask(expect(run).not)).toThrow(message)
  })

  test('a matcher of the runner compares all fields at once', () => {
    expect(run).toHaveSent('email', expect.objectContaining({ subject: 'Due' }))
    expect(run).not.toHaveSent('email', expect.objectContaining({ subject: 'Overdue' }))
  })
})

describe('values that are not reports of a run', () => {
  const names = ['toHaveSkipped', 'toHaveFailed', 'toHaveSent', 'toHaveSentOnly', 'toHaveCompleted'] as const

  test.each(names)('%s reports a missing await', async (name) => {
    const forgotten = bridge.run(reminder, { payload: { day: 'Monday' } })
    const ask = (matchers: Assertion<unknown>): void => matchers[name]('email' as never)
    expect(() => ask(expect(forgotten))).toThrow('add the missing await. Write `await bridge.run(…)`.')
    expect(() => ask(expect(forgotten).not)).toThrow('add the missing await')
    await forgotten
  })

  test.each(Object.entries({ ...assertions, toContent }))(
    '%s reports a missing await too',
    async (_name, assertion) => {
      const forgotten = bridge.run(reminder, {})
      expect(() => (assertion as (run: unknown, name: string) => void)(forgotten, 'email')).toThrow(
        'add the missing await',
      )
      expect(() => (assertion as (run: unknown, name: string) => void)({ sent: [] }, 'email')).toThrow(
        'This is not the report of a run, as bridge.run returns it: {"sent":[]}.',
      )
      await forgotten
    },
  )

  test.each([undefined, null, 7, 'run', {}, { steps: [] }])('%o', (given) => {
    expect(() => expect(given).toHaveCompleted()).toThrow('This is not the report of a run')
    expect(() => expect(given).not.toHaveSent('sms')).toThrow('This is not the report of a run')
  })
})

test('a failed step matches by its code or its fields', async () => {
  const failed = await bridge.run(reminder, { doubles: { inbox: failure('down') } })
  expect(failed).toHaveFailed('inbox', 'StepExecutionFailedError')
  expect(failed).not.toHaveFailed('mail')
  expect(failed).toHaveFailed('inbox', { data: { stack: expect.stringContaining('down') } })
})
