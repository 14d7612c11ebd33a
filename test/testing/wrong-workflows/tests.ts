import type { WorkflowDefinition } from '@trestle/core'
import { failure, type PlayedService, result, type TestBridge, testBridge } from '@trestle/testing'
import '@trestle/testing/vitest'
import { expect } from 'vitest'
import type * as right from './workflows.ts'

/** Tests of the two workflows, as the README teaches them: every expectation is one of the kit's matchers. */
export const tests: Readonly<Record<string, (workflows: typeof right, service?: PlayedService) => Promise<void>>> = {
  'an invoice that is due is told in the inbox, and two days later by email': async ({ invoiceDue }, service) => {
    const run = await bridgeOf(invoiceDue, service).run(invoiceDue, {
      ...invoice,
      doubles: { 'look-up': { cents: 9999 } },
    })
    expect(run).toHaveCompleted()
    expect(run).toHaveSentOnly(
      [
        'inApp',
        {
          subject: 'Invoice 7 is due',
          body: '99.99 EUR, please.',
          redirect: { url: 'https://shop.test/invoices/7' },
        },
        { at: '2026-01-01T09:00:00Z' },
      ],
      [
        'email',
        {
          subject: 'Please pay invoice 7',
          body: '<p>Dear Ada &lt;b&gt;, 99.99 EUR are due.</p><p>Thank you.</p>',
          replyTo: 'billing@shop.test',
        },
        { at: '2026-01-03T09:00:00Z', providers: { sendgrid: { ipPoolName: 'billing' } } },
      ],
    )
  },

  'a large one is told by text message too, after the email': async ({ invoiceDue }, service) => {
    const run = await bridgeOf(invoiceDue, service).run(invoiceDue, {
      ...invoice,
      doubles: { 'look-up': { cents: 10_000 } },
    })
    expect(run).toHaveCompleted()
    expect(run).toHaveSentOnly('inApp', 'email', ['sms', { body: '100.00 EUR for invoice 7 are due.' }])
  },

  'there is no email once it was read': async ({ invoiceDue }, service) => {
    const doubles = { 'look-up': { cents: 10_000 }, inbox: result.inApp({ read: true }) }
    const run = await bridgeOf(invoiceDue, service).run(invoiceDue, { ...invoice, doubles })
    expect(run).toHaveSkipped('mail')
    expect(run).toHaveSent('sms')
  },

  'one that is paid is not told at all': async ({ invoiceDue }, service) => {
    const doubles = { 'look-up': { paid: true, cents: 10_000 } }
    const run = await bridgeOf(invoiceDue, service).run(invoiceDue, { ...invoice, doubles })
    expect(run).toHaveCompleted()
    expect(run).toHaveSentOnly()
  },

  'nothing is told while the invoices cannot be looked up': async ({ invoiceDue }, service) => {
    const run = await bridgeOf(invoiceDue, service).run(invoiceDue, {
      ...invoice,
      doubles: { 'look-up': failure('down') },
    })
    expect(run).toHaveFailed('look-up', 'StepExecutionFailedError')
    expect(run).toHaveSentOnly()
  },

  'without a double the look-up reaches out': async ({ invoiceDue }, service) => {
    const run = await bridgeOf(invoiceDue, service).run(invoiceDue, invoice)
    expect(run).toHaveFailed('look-up', { message: /https:\/\/billing\.test\/invoices\/7 was blocked/ })
  },

  'texts that were set in the service are sent': async ({ invoiceDue }, service) => {
    const controls = { mail: { subject: 'Invoice {{ payload.number }}', closing: 'Yours, {{ subscriber.firstName }}' } }
    const doubles = { 'look-up': { cents: 1 } }
    const run = await bridgeOf(invoiceDue, service).run(invoiceDue, { ...invoice, controls, doubles })
    expect(run).toHaveSent('email', { subject: 'Invoice 7', body: /<p>Yours, Ada/ })
  },

  'comments of ten minutes on one post are one email': async ({ comments }, service) => {
    const run = await bridgeOf(comments, service).run(comments, {
      payload: { post: 'Bridges', text: 'Nice!' },
      actor: { subscriberId: 'bob', firstName: 'Bob' },
      triggers: [
        { payload: { post: 'Bridges', text: '1 < 2' }, afterMs: 600_000 },
        { payload: { post: 'Bridges', text: 'Late.' }, afterMs: 600_001 },
        { payload: { post: 'Trestles', text: 'Other.' }, afterMs: 1000 },
      ],
    })
    expect(run).toHaveCompleted()
    expect(run).toHaveSent(
      'email',
      {
        subject: '2 comments on Bridges',
        body: '<ul><li>Nice!</li><li>1 &lt; 2</li></ul>',
        from: { name: 'Bob' },
      },
      { at: '2026-01-01T09:10:00Z' },
    )
    expect(run).toHaveSent('email', { subject: '1 comment on Trestles' }, { at: '2026-01-01T09:10:01Z' })
  },

  'there are no more than two emails in a day': async ({ comments }, service) => {
    const hourMs = 3_600_000
    const more = [hourMs, 2 * hourMs, 25 * hourMs].map((afterMs, index) => {
      return { payload: { post: `Post ${index}`, text: 'Nice!' }, afterMs }
    })
    const run = await bridgeOf(comments, service).run(comments, {
      payload: { post: 'Bridges', text: 'Hm.' },
      triggers: more,
    })
    expect(run).toHaveCompleted()
    expect(run).toHaveSentOnly(
      ['email', { subject: '1 comment on Bridges', from: { name: 'The blog' } }],
      ['email', { subject: '1 comment on Post 0' }],
      ['email', { subject: '1 comment on Post 2' }],
    )
  },
}

const invoice = {
  payload: { number: '7' },
  subscriber: { subscriberId: 'ada', firstName: 'Ada <b>' },
  actor: { subscriberId: 'bob', firstName: 'Bob' },
}
const logger = { warn: () => undefined, error: () => undefined }

function bridgeOf(workflow: WorkflowDefinition, service: PlayedService | undefined): TestBridge {
  return testBridge({ workflows: [workflow], service, now: '2026-01-01T09:00:00Z', logger })
}
