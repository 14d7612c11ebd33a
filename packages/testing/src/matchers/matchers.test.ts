import { workflow } from '@trestle/core'
import { describe, expect, test } from 'vitest'
import { failure } from '../context/step-stub.ts'
import { toContent } from '../report/rendered-content.ts'
import { testBridge } from '../simulator/test-bridge.ts'
import {
  assertCompleted,
  assertFailed,
  assertNotSent,
  assertSent,
  assertSentOnly,
  assertSkipped,
} from './assert-report.ts'
import '../vitest.ts'

const mixed = workflow('mixed', async ({ step, payload }) => {
  await step.inApp('inbox', () => ({ subject: 'Shipped', body: '<b>7</b>', data: { z: 1, a: [{ y: 1, b: 2 }] } }))
  await step.email('mail', () => ({ subject: 'Order 7', body: '<p>Order <b>7</b></p>' }), {
    skip: () => payload['quiet'] === true,
    providers: { sendgrid: () => ({ ipPoolName: 'pool' }) },
  })
  await step.email('second', () => ({ subject: 'Again', body: 'b' }))
})
const quiet = { warn: () => undefined, error: () => undefined }
const bridge = testBridge({ workflows: [mixed], logger: quiet })
const run = await bridge.run(mixed, { payload: { quiet: false } })
const silent = await bridge.run(mixed, { payload: { quiet: true }, doubles: { second: failure('down') } })

describe('matchers of Vitest', () => {
  test('toHaveSent', () => {
    expect(run).toHaveSent('email', { subject: 'Again' })
    expect(run).toHaveSent('email', {}, { times: 2 })
    expect(run).toHaveSent('inApp', { subject: /^Ship/, data: expect.objectContaining({ z: 1 }) })
    expect(run).toHaveSent('in_app', { data: { a: [{ b: 2 }] } })
    expect(run).not.toHaveSent('in_app', { data: { a: [] } })
    expect(run).not.toHaveSent('in_app', { data: { a: [{ b: 2 }, { b: 3 }] } })
    expect(run).not.toHaveSent('sms')
    expect(run).not.toHaveSent('email', { subject: 'Order 8' })
    expect(() => expect(run).toHaveSent('email', { body: /8/ })).toThrow(
      'to have sent email, but step "mail" sent /body "<p>Order <b>7</b></p>", not /8/.',
    )
    expect(() => expect(run).not.toHaveSent('email')).toThrow(
      'not to have sent email, but it was sent 2 times, by steps "mail", "second".',
    )
    expect(() => expect(run).not.toHaveSent('in_app')).toThrow('not to have sent in_app, but step "inbox" sent it.')
    expect(() => expect(silent).toHaveSent('sms')).toThrow(/no sms was sent; the steps: inbox.*down/)
  })

  test('toHaveSkipped, toHaveCompleted, toHaveFailed', () => {
    expect(silent).not.toHaveSent('email')
    expect(silent).toHaveSkipped('mail')
    expect(run).not.toHaveSkipped('mail')
    expect(run).toHaveCompleted()
    expect(silent).not.toHaveCompleted()
    expect(silent).toHaveFailed('second', 'StepExecutionFailedError')
    expect(silent).toHaveFailed('second', { status: 502, message: /down/ })
    expect(silent).not.toHaveFailed('second', 'StepNotFoundError')
    expect(() => expect(run).toHaveSkipped('mail')).toThrow('step "mail" is completed')
    expect(() => expect(silent).toHaveCompleted()).toThrow('StepExecutionFailedError')
    expect(() => expect(run).toHaveFailed('mail')).toThrow('step "mail" did not fail')
  })
})

describe('toHaveSkipped for a run that ended before the step', () => {
  const early = workflow(
    'early',
    async ({ step, payload }) => {
      if (payload['fail'] === true) throw new Error('no data')
      await step.digest('collect', () => ({ amount: 1, unit: 'hours' }))
      await step.email('mail', () => ({ subject: 's', body: 'b' }), { skip: () => true })
    },
    { cancelOn: { event: 'stop' } },
  )
  const play = (options: object) => testBridge({ workflows: [early], logger: quiet }).run(early, options)

  test.each([
    ['a failed run', { payload: { fail: true } }, 'failed with WorkflowExecutionFailedError'],
    ['a canceled run', { events: [{ name: 'stop', afterMs: 1 }] }, 'was canceled'],
    ['a merged run', { triggers: [{ payload: {} }] }, 'was merged'],
    ['a merged run of a list', { triggers: [{ payload: {} }], service: 'listed' }, 'was merged'],
  ])('fails with and without not: %s', async (_what, options, end) => {
    const all = await play(options)
    const ended = all.others[0] ?? all
    const message = new RegExp(`but the run ${end}.* before it reached step "mail"`, 's')
    expect(() => expect(ended).toHaveSkipped('mail')).toThrow(message)
    expect(() => expect(ended).not.toHaveSkipped('mail')).toThrow(message)
    expect(() => assertSkipped(ended, 'mail')).toThrow(message)
  })

  test('passes if the run reached it, also after a failed step', async () => {
    expect(await play({})).toHaveSkipped('mail')
    expect(await play({ doubles: { collect: failure('down') } })).toHaveSkipped('mail')
  })
})

describe('assertions for any runner', () => {
  test('hold', () => {
    const mail = assertSent(run, 'email', { subject: 'Order 7' })
    const subject: string = mail.outputs.subject
    expect(subject).toBe('Order 7')
    assertNotSent(run, 'push')
    assertNotSent(run, 'email', { subject: 'Order 8' })
    assertSentOnly(run, 'inApp', ['email', { subject: 'Order 7' }], ['email', { body: 'b' }, { stepId: 'second' }])
    assertSkipped(silent, 'mail')
    assertCompleted(run)
    expect(assertFailed(silent, 'second', 'StepExecutionFailedError').status).toBe(502)
  })

  test.each([
    [() => assertSent(run, 'sms'), /sms was expected to be sent, but no sms was sent/],
    [
      () => assertSent(run, 'email'),
      /email was expected to be sent, but it was sent 2 times, by steps "mail", "second"; /,
    ],
    [() => assertSent(run, 'push', {}, { times: 2 }), /push was expected to be sent 2 times, but no push was sent/],
    [() => assertNotSent(run, 'email', { subject: 'Again' }), /not to be sent, but step "second" sent it/],
    [() => assertSentOnly(run, 'inApp', 'email'), /only inApp, email was expected to be sent, but 3 were sent, not 2/],
    [
      () => assertNotSent(run, 'email'),
      /email was expected not to be sent, but it was sent 2 times, by steps "mail", "second"/,
    ],
    [() => assertSkipped(run, 'mail'), /step "mail" was expected to be skipped, but step "mail" is completed/],
    [() => assertCompleted(silent), /the run was expected to complete, but the run is failed/],
    [() => assertFailed(run, 'mail'), /step "mail" was expected to fail, but step "mail" did not fail/],
    [() => assertFailed(silent, 'second', 'BridgeError'), /but step "second" is failed with StepExecutionFailedError/],
  ])('report the problem: %o', (assertion, message) => {
    expect(assertion).toThrow(
      expect.objectContaining({ name: 'AssertionError', message: expect.stringMatching(message) }),
    )
  })
})

test('rendered content does not depend on key order', async () => {
  expect(toContent(run)).toMatchInlineSnapshot(`
    [
      {
        "outputs": {
          "body": "<b>7</b>",
          "data": {
            "a": [
              {
                "b": 2,
                "y": 1,
              },
            ],
            "z": 1,
          },
          "subject": "Shipped",
        },
        "status": "completed",
        "step": "inbox",
        "type": "in_app",
      },
      {
        "outputs": {
          "body": "<p>Order <b>7</b></p>",
          "subject": "Order 7",
        },
        "providers": {
          "sendgrid": {
            "ipPoolName": "pool",
          },
        },
        "status": "completed",
        "step": "mail",
        "type": "email",
      },
      {
        "outputs": {
          "body": "b",
          "subject": "Again",
        },
        "status": "completed",
        "step": "second",
        "type": "email",
      },
    ]
  `)
  const again = await bridge.run(mixed, { payload: { quiet: false }, now: 0 })
  expect(JSON.stringify(toContent(again))).toBe(JSON.stringify(toContent(run)))
  expect(JSON.stringify(toContent(run))).toContain('"data":{"a":[{"b":2,"y":1}],"z":1}')
  expect(toContent(silent)[2]?.error).toBe(
    'StepExecutionFailedError: Workflow "mixed": the handler of step "second" failed: down',
  )
})
