import { findPath, isObject, type JsonObject } from '@trestle/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { apiOf, toApiRequest } from './api-request.ts'
import { mailApis } from './mail-apis.ts'

function toRequest(providerId: string, mail: JsonObject, fields: JsonObject = {}) {
  const api = apiOf(providerId)
  if (!api) throw new Error('an API is expected')
  const base = { from: 'shop@x.example', to: 'ada@x.example', subject: 's', html: '<p>b</p>', text: 'b' }
  const message = { to: '', from: undefined, title: '', text: '', deviceTokens: [], mail: { ...base, ...mail } }
  return toApiRequest({ api, message, credentials: {}, fields, body: {}, headers: {} })
}

/** Returns a part of a request's body: `a.0.b` is nested. */
function read(path: string, ...request: Parameters<typeof toRequest>): unknown {
  const { body, refusal } = toRequest(...request)
  expect(refusal).toBeUndefined()
  return findPath(body, path.split('.'))
}

describe('addresses', () => {
  const text = '"Doe, Jane" <jane@x.example>, Bob <bob@x.example>, Team: tim@x.example;'
  const objects = [
    { name: 'Doe, Jane', address: 'jane@x.example' },
    [{ name: 'Bob', address: 'bob@x.example' }],
    { name: 'Team', group: ['tim@x.example'] },
  ]
  const people = [
    { email: 'jane@x.example', name: 'Doe, Jane' },
    { email: 'bob@x.example', name: 'Bob' },
    { email: 'tim@x.example' },
  ]
  const quoted = ['"Doe, Jane" <jane@x.example>', '"Bob" <bob@x.example>', 'tim@x.example']
  const plain = ['"Doe, Jane" <jane@x.example>', 'Bob <bob@x.example>', 'tim@x.example']

  const rows = [
    ['sendgrid', 'personalizations.0.to', 'personalizations.0.cc', people],
    ['resend', 'to', 'cc', plain],
    ['postmark', 'To', 'Cc', quoted.join(', ')],
    ['sendinblue', 'to', 'cc', people],
    ['mailgun', 'to', 'cc', quoted.join(', ')],
    ['ses', 'Destination.ToAddresses', 'Destination.CcAddresses', quoted],
  ] as const

  test.each(rows)('of a text, a list or a group are passed to %s one by one', (id, to, cc, expected) => {
    for (const value of [text, objects, [text]]) {
      expect(read(to, id, { to: value })).toEqual(expected)
      expect(read(cc, id, { cc: value })).toEqual(expected)
    }
  })

  test.each(rows)('that are invalid are left to %s, which rejects them', (id, to) => {
    expect(JSON.stringify(read(to, id, { to: 'nonsense' }))).toContain('nonsense')
  })

  test.each([
    ['resend', 'reply_to', ['Help <help@x.example>', 'bob@x.example']],
    ['postmark', 'ReplyTo', '"Help" <help@x.example>, bob@x.example'],
    ['mailgun', 'h:Reply-To', '"Help" <help@x.example>, bob@x.example'],
    ['ses', 'ReplyToAddresses', ['"Help" <help@x.example>', 'bob@x.example']],
    ['sendgrid', 'reply_to_list', [{ email: 'help@x.example', name: 'Help' }, { email: 'bob@x.example' }]],
  ])('for replies can be several with %s', (id, path, expected) => {
    const replyTo = 'Help <help@x.example>, bob@x.example'
    for (const value of [replyTo, ['Help <help@x.example>', { address: 'bob@x.example' }]]) {
      const { body } = toRequest(id, { replyTo: value })
      expect(body[path]).toEqual(expected)
    }
  })

  test.each(['sendgrid', 'sendinblue'])('for replies have a name with %s', (id) => {
    const path = id === 'sendgrid' ? 'reply_to' : 'replyTo'
    expect(read(path, id, { replyTo: 'Support <help@x.example>' })).toEqual({
      email: 'help@x.example',
      name: 'Support',
    })
  })

  test('for replies are replaced by those of an override for SendGrid, which accepts only one of both fields', () => {
    const given = { replyTo: 'a@x.example, b@x.example' }
    for (const fields of [{ reply_to: { email: 'c@x.example' } }, { reply_to_list: [{ email: 'c@x.example' }] }])
      expect(toRequest('sendgrid', given, fields).body).not.toMatchObject({ reply_to: {}, reply_to_list: [{}] })
    const { body } = toRequest('sendgrid', given, { reply_to: { email: 'c@x.example' } })
    expect([body['reply_to'], body['reply_to_list']]).toEqual([{ email: 'c@x.example' }, undefined])
  })

  test('of several senders or, with Brevo, several reply addresses are refused instead of dropped', () => {
    for (const id of Object.keys(mailApis))
      expect(toRequest(id, { from: 'a@x.example, b@x.example' }).refusal).toMatchObject({ code: 'mail_invalid' })
    const { refusal } = toRequest('sendinblue', { replyTo: ['a@x.example', 'b@x.example'] })
    expect(refusal).toMatchObject({ code: 'mail_unsupported', blame: 'integration' })
  })
})

describe('attachments', () => {
  const contents = {
    sendgrid: 'attachments.0.content',
    resend: 'attachments.0.content',
    postmark: 'Attachments.0.Content',
    sendinblue: 'attachment.0.content',
    ses: 'Content.Simple.Attachments.0.RawContent',
  }

  test.each(Object.entries(contents))('are decoded for %s as for SMTP', (id, path) => {
    const bytes = JSON.parse(JSON.stringify(Buffer.from([0, 255, 10])))
    for (const [file, expected] of [
      [{ content: 'hé' }, Buffer.from('hé')],
      [{ content: 'hé', encoding: 'utf-8' }, Buffer.from('hé')],
      [{ content: bytes }, Buffer.from([0, 255, 10])],
      [{ content: bytes, encoding: 'base64' }, Buffer.from([0, 255, 10])],
      [{ content: '00ff0a', encoding: 'hex' }, Buffer.from([0, 255, 10])],
      [{ content: 'hé', encoding: 'UTF-16LE' }, Buffer.from('hé', 'utf16le')],
      [{ content: 'aGk\r\n=', encoding: 'base64' }, Buffer.from('hi')],
      [{ content: '_-8', encoding: 'base64url' }, Buffer.from([255, 239])],
      [{ content: 7 }, Buffer.from('7')],
      [{ content: null }, Buffer.from('')],
      [{ path: 'data:text/plain,h%20i' }, Buffer.from('h i')],
      [{ href: 'data:image/png;base64,AP8K' }, Buffer.from([0, 255, 10])],
    ] as const) {
      const expectedText = expected.toString('base64')
      expect(read(path, id, { attachments: [{ filename: 'a', ...file }] })).toBe(expectedText)
      expect(read(path, id, { attachments: { filename: 'a', ...file } })).toBe(expectedText)
    }
  })

  test.each(Object.keys(mailApis))('that refer to a file or a URL are refused for %s', (id) => {
    for (const [name, mail] of [
      ['attachments.1.path', { attachments: [{ content: 'a' }, { path: '/etc/passwd' }] }],
      ['attachments.0.href', { attachments: [{ href: 'https://x.example/a' }] }],
      ['attachments.0.raw', { attachments: { raw: 'Content-Type: text/plain\r\n\r\na' } }],
      ['html.path', { html: { path: '/etc/passwd' } }],
      ['text.href', { text: { href: 'https://x.example/a' } }],
    ] as const) {
      const { refusal } = toRequest(id, mail)
      expect(refusal).toMatchObject({ code: 'mail_invalid', blame: 'message' })
      expect(refusal?.message).toContain(`"${name}"`)
    }
  })

  test.each([
    ['attachments.0.encoding', { attachments: [{ content: 'a', encoding: 'rot13' }] }],
    ['attachments.0.content', { attachments: [{ content: { type: 'Buffer', data: ['x'] } }] }],
    ['subject', { subject: {} }],
  ])('and other fields that are invalid are refused: %s', (name, mail) => {
    expect(toRequest('sendgrid', mail).refusal?.message).toContain(`"${name}`)
  })

  const logo = { filename: 'logo.png', content: 'aGk=', encoding: 'base64', cid: '<logo>' }
  test.each([
    ['sendgrid', { content_id: 'logo', disposition: 'inline', filename: 'logo.png', type: 'image/png' }],
    ['resend', { content_id: 'logo', content_type: 'image/png', filename: 'logo.png' }],
    ['postmark', { ContentID: 'cid:logo', ContentType: 'image/png', Name: 'logo.png' }],
    ['ses', { ContentId: 'logo', ContentDisposition: 'INLINE', ContentType: 'image/png', FileName: 'logo.png' }],
  ])('can be images in the body with %s', (id, expected) => {
    const path = contents[id as keyof typeof contents].replace(/\.\w+$/, '')
    expect(read(path, id, { attachments: [logo] })).toMatchObject(expected)
    expect(read(path, id, { attachments: [{ ...logo, contentType: 'image/x' }] })).toHaveProperty(
      Object.entries(expected).find(([, value]) => value === 'image/png')?.[0] ?? '',
      'image/x',
    )
  })

  test('cannot be images in the body with Brevo, which another integration may support', () => {
    const { refusal } = toRequest('sendinblue', { attachments: [logo] })
    expect(refusal).toMatchObject({ code: 'mail_unsupported', blame: 'integration' })
  })

  test('have a name and a type by default', () => {
    const attachments = [
      { content: 'a', filename: false },
      { content: 'a', contentType: 'image/png' },
      { filename: 'a.pdf' },
    ]
    expect(read('Attachments', 'postmark', { attachments })).toMatchObject([
      { Name: 'attachment-1.bin', ContentType: 'application/octet-stream' },
      { Name: 'attachment-2.png', ContentType: 'image/png' },
      { Name: 'a.pdf', ContentType: 'application/pdf' },
    ])
  })
})

describe('other fields', () => {
  test('can be numbers, buffers or objects, as for SMTP', () => {
    const html = { content: Buffer.from('<p>hé</p>').toString('hex'), encoding: 'hex' }
    const mail = { subject: 7, html, text: JSON.parse(JSON.stringify(Buffer.from('hé'))) }
    expect(toRequest('resend', mail).body).toMatchObject({ subject: '7', html: '<p>hé</p>', text: 'hé' })
  })

  const lists = [
    {
      'X-A': ['1', 2, null],
      'X-B': null,
      'X-C': { prepared: true, value: 'one\r\n two' },
      'X-D': false,
      'X-E': 'a\nb',
    },
    [
      { key: 'X-A', value: '1' },
      { key: 'x-a', value: 2 },
      { key: 'X-B', value: null },
      { key: 'X-C', value: { prepared: true, value: 'one\r\n two' } },
      { key: 'X-E', value: 'a\r\nb' },
    ],
  ]
  const merged = { 'X-A': '1, 2', 'X-C': 'one two', 'X-E': 'a b' }

  test.each(['sendgrid', 'resend', 'sendinblue'])('are headers, each once for %s', (id) => {
    for (const headers of lists) expect(read('headers', id, { headers })).toEqual(merged)
  })

  test('are headers, each once for Mailgun', () => {
    for (const headers of lists) {
      const { body } = toRequest('mailgun', { headers })
      const own = Object.entries(body).flatMap(([name, value]) => (/^h:X/.test(name) ? [[name.slice(2), value]] : []))
      expect(Object.fromEntries(own)).toEqual(merged)
    }
  })

  test.each([
    ['postmark', 'Headers'],
    ['ses', 'Content.Simple.Headers'],
  ])('are headers that occur several times for %s', (id, path) => {
    for (const headers of lists) {
      const pairs = (read(path, id, { headers }) as JsonObject[]).map(({ Name, Value }) => [Name, Value])
      expect(pairs.map(([name, value]) => [String(name).toUpperCase(), value])).toEqual([
        ...[
          ['X-A', '1'],
          ['X-A', '2'],
          ['X-C', 'one two'],
        ],
        ['X-E', 'a b'],
      ])
    }
  })
})

// An error while the message is stored would return it to the queue forever.
test('a request is created from any email', () => {
  const json = fc.jsonValue({ depthSize: 'small' })
  const file = fc.dictionary(
    fc.constantFrom('filename', 'content', 'encoding', 'path', 'cid', 'contentType', 'raw'),
    json,
  )
  const value = fc.oneof(json, file, fc.array(file, { maxLength: 2 }), fc.constant({ toString: 1, valueOf: 1 }))
  const fields = fc.constantFrom('from', 'to', 'replyTo', 'subject', 'html', 'text', 'headers', 'attachments')
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(mailApis)), fc.dictionary(fields, value), (id, mail) => {
      const { body } = toRequest(id, mail)
      expect(isObject(JSON.parse(JSON.stringify(body)))).toBe(true)
    }),
    { numRuns: draws(300, 3000) },
  )
})
