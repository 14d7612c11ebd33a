import { describe, expect, it } from 'vitest'
import type { ProviderOverrides } from '../provider/provider-overrides.ts'
import { draftEmail, type EmailInput } from './email-draft.ts'
import { addPreheader } from './preheader.ts'

const none: ProviderOverrides = { fields: {}, body: {}, headers: {}, query: {} }

function draft(change: Partial<EmailInput> = {}) {
  const emailDraft = draftEmail({
    outputs: { subject: 'Hello', body: '<p>Hi <b>Ada</b></p>' },
    address: 'ada@example.com',
    sender: { from: 'shop@example.org', senderName: 'Shop', replyTo: 'help@example.org' },
    overrides: none,
    payload: {},
    messageId: '0123456789abcdef01234567',
    needsSender: true,
    ...change,
  })
  if (emailDraft.outgoing?.kind !== 'mail') throw new Error('a mail is expected')
  return { ...emailDraft, mail: emailDraft.outgoing.mail }
}

describe('an email', () => {
  it('has a sender, a recipient, both bodies and its own id', () => {
    expect(draft().mail).toEqual({
      from: { name: 'Shop', address: 'shop@example.org' },
      to: 'ada@example.com',
      replyTo: 'help@example.org',
      subject: 'Hello',
      html: '<p>Hi <b>Ada</b></p>',
      text: 'Hi Ada',
      attachments: [],
      messageId: '<0123456789abcdef01234567@example.org>',
    })
    expect(draft()).toMatchObject({ recipient: 'ada@example.com', warnings: [], columns: { email: 'ada@example.com' } })
  })

  it('uses the sender and reply address of the step, unless it leaves them to the provider', () => {
    const outputs = { subject: 's', body: '', from: { email: 'a@b.example', name: 'A' }, replyTo: 'r@b.example' }
    expect(draft({ outputs }).mail).toMatchObject({
      from: { name: 'A', address: 'a@b.example' },
      replyTo: 'r@b.example',
    })
    expect(draft({ outputs: { ...outputs, useProviderDefaults: true } }).mail).toMatchObject({
      from: { name: 'Shop', address: 'shop@example.org' },
      replyTo: 'help@example.org',
    })
    expect(draft({ outputs: { ...outputs, from: { name: 'Only a name' } } }).mail).toMatchObject({
      from: { name: 'Only a name', address: 'shop@example.org' },
    })
  })

  it('is changed by overrides and passthrough fields', () => {
    const overrides = {
      fields: {
        subject: 'Other',
        cc: ['c@example.com'],
        headers: { 'x-one': '1' },
        to: ['b@example.com', 'd@example.com'],
      },
      body: { priority: 'high' },
      headers: { 'x-two': '2' },
      query: {},
    }
    const { mail, columns, recipient } = draft({ overrides })
    expect(mail).toMatchObject({
      subject: 'Other',
      cc: ['c@example.com'],
      priority: 'high',
      headers: { 'x-one': '1', 'x-two': '2' },
    })
    expect(columns).toMatchObject({ subject: 'Other', email: 'b@example.com, d@example.com' })
    expect(recipient).toBe('b@example.com, d@example.com')
    const list = [{ key: 'x-one', value: '1' }]
    expect(draft({ overrides: { ...none, fields: { headers: list } } }).mail).toMatchObject({ headers: list })
  })

  it.each([
    [
      { from: 'me@x.example', senderName: 'Me' },
      { name: 'Me', address: 'me@x.example' },
    ],
    [{ from: { address: 'me@x.example' } }, { name: 'Shop', address: 'me@x.example' }],
    [{ senderName: 'Me' }, { name: 'Me', address: 'shop@example.org' }],
    [{ from: 'Own <me@x.example>', senderName: 'Me' }, 'Own <me@x.example>'],
    [
      { from: { name: 'Own', address: 'me@x.example' }, senderName: 'Me' },
      { name: 'Own', address: 'me@x.example' },
    ],
  ])('with the overrides %j is from %j', (fields, from) => {
    expect(draft({ overrides: { ...none, fields } }).mail['from']).toEqual(from)
  })

  it('uses the sender name from an override even if the integration has none', () => {
    const overrides = { ...none, fields: { from: { address: 'me@x.example' }, senderName: 'Me' } }
    expect(draft({ overrides, sender: {} }).mail['from']).toEqual({ name: 'Me', address: 'me@x.example' })
  })

  it('reports a missing address or sender', () => {
    expect(draft({ address: null }).problem).toMatchObject({ code: 'subscriber_email_missing', status: 'warning' })
    expect(draft({ address: '', sender: {} }).problem).toMatchObject({ code: 'subscriber_email_missing' })
    expect(draft({ sender: {} }).problem).toMatchObject({ code: 'sender_missing', status: 'error' })
    expect(draft({ sender: {}, needsSender: false }).problem).toBeUndefined()
    expect(draft({ sender: {}, needsSender: false }).mail['messageId']).toBe(
      '<0123456789abcdef01234567@trestle.invalid>',
    )
  })

  it.each([
    ['a@b.example, evil@example.com'],
    ['Ada <evil@example.com>'],
    ['ada@example.com\r\nRCPT TO:<evil@example.com>'],
    ['ada'],
    ['group:evil@example.com;'],
  ])('is not sent to a subscriber with the address %j', (address) => {
    expect(draft({ address }).problem).toMatchObject({ code: 'subscriber_email_invalid', status: 'warning' })
  })

  it.each([['ada@example.com'], ["o'neill+tag@sub.example.co"], ['grüße@beispiel.example']])(
    'is sent to a subscriber with the address %s',
    (address) => {
      expect(draft({ address }).problem).toBeUndefined()
    },
  )

  it('contains the files from the trigger and from the override, and reports invalid ones', () => {
    const file = Buffer.from('%PDF').toString('base64')
    const payload = {
      attachments: [
        { file, name: 'bill.pdf', mime: 'application/pdf' },
        { file: { type: 'Buffer', data: [1, 2] }, name: 'raw.bin', channels: ['email'] },
        { file, name: 'for chat', channels: ['chat'] },
        { file: '<not base64>', name: 'bad' },
        'nothing',
      ],
    }
    const { mail, warnings } = draft({
      payload,
      overrides: { ...none, fields: { attachments: [{ file, name: 'two.txt' }] } },
    })
    expect(mail['attachments']).toEqual([
      { filename: 'bill.pdf', content: file, encoding: 'base64', contentType: 'application/pdf' },
      { filename: 'raw.bin', content: 'AQI=', encoding: 'base64' },
      { filename: 'two.txt', content: file, encoding: 'base64' },
    ])
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain('"bad"')
    const own = draft({ overrides: { ...none, fields: { attachments: [{ filename: 'x', content: 'y' }] } } })
    expect(own.mail['attachments']).toEqual([{ filename: 'x', content: 'y' }])
  })

  it.each([
    ['_-8', '/+8='],
    ['aGVs\r\nbG8=\r\n', 'aGVsbG8='],
    [' aGVsbG8 ', 'aGVsbG8='],
    ['', ''],
  ])('contains the file %j in plain Base64: %s', (file, content) => {
    const { mail, warnings } = draft({ payload: { attachments: [{ file, name: 'a' }] } })
    expect(mail['attachments']).toEqual([{ filename: 'a', content, encoding: 'base64' }])
    expect(warnings).toEqual([])
  })

  it('shows its preheader to email clients only', () => {
    const outputs = { subject: 's', body: '<html><body class="a"><p>x</p></body></html>', preheader: 'Soon <3' }
    expect(draft({ outputs }).mail['html']).toMatch(
      /<body class="a"><div style="display:none[^"]*">Soon &lt;3<\/div><p>/,
    )
    expect(addPreheader('<p>x</p>', 'y')).toMatch(/^<div style="display:none/)
    expect(addPreheader('<body'.repeat(100_000), 'y')).toContain('y')
  })
})
