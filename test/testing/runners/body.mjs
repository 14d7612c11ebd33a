import assert from 'node:assert/strict'
import { workflow } from '@trestle/core'
import {
  assertCompleted,
  assertFailed,
  assertNotSent,
  assertSent,
  assertSentOnly,
  assertSkipped,
  failure,
  result,
  testBridge,
  toContent,
} from '@trestle/testing'

const weekly = workflow('weekly', async ({ step, payload }) => {
  const prices = await step.custom('prices', async () => (await fetch('https://prices.example.com')).json())
  const { events } = await step.digest('collect', () => ({ amount: 7, unit: 'days' }))
  await step.email('mail', () => ({ subject: `${events.length} orders`, body: `<p>${prices.total} EUR</p>` }))
  const inbox = await step.inApp('inbox', () => ({ body: 'Your week' }), { skip: () => payload.quiet === true })
  await step.delay('wait', () => ({ amount: 1, unit: 'hours' }))
  await step.sms('text', () => ({ body: new Date().toISOString() }), { skip: () => inbox.read })
})
const logger = { warn: () => undefined, error: () => undefined }
const bridge = testBridge({ workflows: [weekly], now: '2026-01-01T00:00:00Z', logger })
const prices = { total: 3 }

/**
 * The same tests for every runner.
 *
 * @param {(name: string, work: () => Promise<void>) => unknown} test The runner's `test` function.
 * @param {any} expect The runner's `expect`, if it supports matchers.
 */
export function body(test, expect) {
  test('a run of a week takes no time', async () => {
    const triggers = [{ payload: { n: 2 }, afterMs: 1000 }]
    const run = await bridge.run(weekly, { payload: { n: 1 }, triggers, doubles: { prices } })
    assertCompleted(run)
    assertSent(run, 'email', { subject: '2 orders', body: /3 EUR/ })
    assertSent(run, 'sms', { body: '2026-01-08T01:00:00.000Z' })
    assert.equal(run.steps.wait.endsAt, '2026-01-08T01:00:00.000Z')
  })

  test('steps are skipped, and results of messages are used', async () => {
    const quiet = await bridge.run(weekly, { payload: { quiet: true }, doubles: { prices } })
    assertSkipped(quiet, 'inbox')
    const doubles = { prices, inbox: result.inApp({ read: true }) }
    const read = await bridge.run(weekly, { doubles })
    assertSkipped(read, 'text')
    assertNotSent(read, 'sms')
  })

  test('failures are the same as in the bridge', async () => {
    const run = await bridge.run(weekly, { doubles: { prices: failure('no prices') } })
    assert.equal(assertFailed(run, 'prices', 'StepExecutionFailedError').status, 502)
    await assert.rejects(bridge.execute(weekly, 'none'), { code: 'StepNotFoundError', status: 404 })
  })

  test('network access is blocked', async () => {
    const run = await bridge.run(weekly)
    assertFailed(run, 'prices', { message: /https:\/\/prices\.example\.com.* was blocked/ })
    assert.deepEqual(run.refused, ['https://prices.example.com'])
  })

  test('nondeterministic code is detected', async () => {
    const lucky = workflow('lucky', async ({ step }) => {
      const draw = Math.random()
      await step.sms('text', () => ({ body: `${draw}` }))
    })
    const own = testBridge({ workflows: [lucky], replay: 'every-step' })
    await assert.rejects(own.run(lucky), { name: 'NotRepeatableError', stepId: 'text' })
  })

  test('rendered content is stable', async () => {
    const run = await bridge.run(weekly, { doubles: { prices: () => prices } })
    assert.deepEqual(toContent(run)[2], {
      step: 'mail',
      type: 'email',
      status: 'completed',
      outputs: { body: '<p>3 EUR</p>', subject: '1 orders' },
    })
  })

  test('unknown names are errors', async () => {
    const run = await bridge.run(weekly, { doubles: { prices } })
    assertSentOnly(run, 'email', 'inApp', ['sms', { body: /^2026/ }])
    assert.throws(() => assertSkipped(run, 'inbx'), {
      name: 'TypeError',
      message: /has no step "inbx". Its steps are: prices/,
    })
    assert.throws(() => assertSent(bridge.run(weekly), 'email'), {
      name: 'TypeError',
      message: /add the missing await/,
    })
    await assert.rejects(bridge.run(weekly, { paylod: {} }), { name: 'TypeError', message: /Unknown option "paylod"/ })
    await assert.rejects(bridge.run(weekly, { doubles: { inbox: { raed: true } } }), /The double of step "inbox"/)
  })

  if (expect)
    test('matchers', async () => {
      const run = await bridge.run(weekly, { payload: { quiet: true }, doubles: { prices: failure('no prices') } })
      expect(run).toHaveSent('email', { subject: '1 orders', body: expect.stringContaining('EUR') })
      expect(run).toHaveSentOnly(['email', { subject: /order/ }, { at: '2026-01-08T00:00:00Z' }], 'sms')
      expect(run).not.toHaveSent('push')
      expect(run).toHaveSkipped('inbox')
      expect(run).toHaveFailed('prices', { status: 502 })
      assert.throws(() => expect(run).toHaveCompleted(), /to have completed, but the run is failed/)
      const twice = { ...run, sent: [...run.sent, ...run.sent] }
      assert.throws(() => expect(twice).toHaveSent('email'), /to have sent email, but it was sent 2 times/)
      assert.throws(() => expect(twice).not.toHaveSent('email'), /not to have sent email, but it was sent 2 times/)
      assert.throws(() => expect(run).not.toHaveSkipped('inbx'), /has no step "inbx"/)
      assert.throws(() => expect(bridge.run(weekly)).not.toHaveCompleted(), /add the missing await/)
    })

  // Used by the runner tests, to check that a failure is reported.
  if (process.env['BODY_FAILS']) test('a failure', async () => assertSent(await bridge.run(weekly), 'push'))
}
