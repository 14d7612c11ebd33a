import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { describe, expect, it, test } from 'vitest'
import { listProviders } from '../channels/provider/provider-catalogue.ts'
import { findReader, isAccepted, loaded, read, toCall } from './report-calls.fixture.ts'
import { reportReaders } from './report-readers.ts'
import { certificateUrl, signSns, topicArn } from './sns/sns.fixture.ts'

test('every credential of a reader is an optional field in the form of its provider', () => {
  for (const [providerId, { credential }] of reportReaders) {
    const field = listProviders()
      .find((one) => one.providerId === providerId)
      ?.fields.find(({ name }) => name === credential)
    expect(field, providerId).toMatchObject({ required: false })
  }
})

describe('sendgrid', () => {
  // The example from SendGrid's own library.
  const key =
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g=='
  const event = {
    email: 'hello@world.com',
    event: 'dropped',
    reason: 'Bounced Address',
    sg_event_id: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
    sg_message_id: 'LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0',
    'smtp-id': '<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>',
    timestamp: 1_600_112_492,
  }
  const signature = 'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM='
  const headers = {
    'x-twilio-email-event-webhook-signature': signature,
    'x-twilio-email-event-webhook-timestamp': '1600112502',
  }
  const sent = { body: `${JSON.stringify([event])}\r\n`, headers, at: '2020-09-14T19:50:00Z' }

  it('accepts the documented signature, over the raw bytes', async () => {
    expect(await isAccepted('sendgrid', sent, { webhookKey: key })).toBe(true)
    expect(await isAccepted('sendgrid', { ...sent, body: sent.body.trim() }, { webhookKey: key })).toBe(false)
  })

  it('rejects a different key, a different timestamp, an old call and a key of a different kind', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const toText = (one: typeof other) => one.export({ format: 'der', type: 'spki' }).toString('base64')
    expect(await isAccepted('sendgrid', sent, { webhookKey: toText(other) })).toBe(false)
    expect(await isAccepted('sendgrid', sent, { webhookKey: 'x' })).toBe(false)
    expect(await isAccepted('sendgrid', { ...sent, at: '2020-09-16T19:50:00Z' }, { webhookKey: key })).toBe(false)
    const signed = Buffer.concat([Buffer.from('1600112502'), Buffer.from(sent.body)])
    const forged = sign('sha256', signed, rsa.privateKey).toString('base64')
    const withRsa = { ...sent, headers: { ...headers, 'x-twilio-email-event-webhook-signature': forged } }
    expect(await isAccepted('sendgrid', withRsa, { webhookKey: toText(rsa.publicKey) })).toBe(false)
    const later = { ...headers, 'x-twilio-email-event-webhook-timestamp': '1600112503' }
    expect(await isAccepted('sendgrid', { ...sent, headers: later }, { webhookKey: key })).toBe(false)
    expect(await isAccepted('sendgrid', { ...sent, headers: {} }, { webhookKey: key })).toBe(false)
  })

  it('reads a list of events, whose message id starts with the id that the response returned', () => {
    const others = ['processed', 'deferred', 'group_unsubscribe', 'toString'].map((name) => ({ ...event, event: name }))
    const opened = { ...event, event: 'open', sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0' }
    const body = JSON.stringify([event, ...others, opened, null, 'x', { event: 'open' }])
    const [dropped, open, ...rest] = read('sendgrid', { body })
    expect(rest).toEqual([])
    expect(dropped).toMatchObject({
      ...{ type: 'bounced', reason: 'Bounced Address', atMs: 1_600_112_492_000, eventId: event.sg_event_id },
      messageIds: expect.arrayContaining(['LRzXl_NHStOGhQ4kofSm_A']),
    })
    expect(open).toMatchObject({ type: 'opened', messageIds: expect.arrayContaining(['14c5d75ce93.dfd.64b469']) })
  })
})

describe('resend', () => {
  // The example from Svix, which signs the webhooks of Resend.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const headers = {
    'svix-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'svix-timestamp': '1614265330',
    'svix-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }
  const sent = { body: '{"test": 2432232314}', headers, at: '2021-02-25T15:04:00Z' }

  it('accepts the documented signature for five minutes', async () => {
    expect(await isAccepted('resend', sent, { webhookKey: secret })).toBe(true)
    expect(await isAccepted('resend', { ...sent, at: '2021-02-25T15:08:00Z' }, { webhookKey: secret })).toBe(false)
    expect(await isAccepted('resend', { ...sent, body: '{"test":2432232314}' }, { webhookKey: secret })).toBe(false)
    expect(await isAccepted('resend', sent, { webhookKey: secret.replace('MfKQ', 'MfKR') })).toBe(false)
    const other = { ...headers, 'svix-id': 'msg_other' }
    expect(await isAccepted('resend', { ...sent, headers: other }, { webhookKey: secret })).toBe(false)
  })

  it('reads an event', () => {
    const toBody = (type: string, more: JsonObject = {}) =>
      JSON.stringify({
        type,
        created_at: '2026-01-01T00:00:01.000Z',
        data: { email_id: '56761188-7520-42d8-8898-ff6fc54ce618', to: ['ada@example.com'], ...more },
      })
    const bounce = { message: 'The address does not exist.', subType: 'General', type: 'Permanent' }
    expect(read('resend', { body: toBody('email.bounced', { bounce }), headers })).toEqual([
      {
        type: 'bounced',
        messageIds: ['56761188-7520-42d8-8898-ff6fc54ce618'],
        eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        atMs: Date.parse('2026-01-01T00:00:01Z'),
        reason: 'The address does not exist.',
      },
    ])
    const types = ['delivered', 'opened', 'clicked', 'complained', 'failed', 'delivery_delayed', 'sent'].map(
      (name) => read('resend', { body: toBody(`email.${name}`), headers })[0]?.type,
    )
    expect(types).toEqual(['delivered', 'opened', 'clicked', 'complained', 'bounced', undefined, undefined])
  })
})

describe('postmark', () => {
  const password = 'a-long-password-of-a-webhook'
  const toHeaders = (given: string) => ({ authorization: `Basic ${Buffer.from(given).toString('base64')}` })

  it('accepts the password of basic authentication with any user', async () => {
    const isPassword = (given: string) =>
      isAccepted('postmark', { body: '{}', headers: toHeaders(given) }, { webhookKey: password })
    expect(await isPassword(`trestle:${password}`)).toBe(true)
    expect(await isPassword(`:${password}`)).toBe(true)
    for (const given of [password, `trestle:${password}x`, 'trestle:', `${password}:`, ''])
      expect(await isPassword(given), given).toBe(false)
    expect(await isAccepted('postmark', { body: '{}' }, { webhookKey: password })).toBe(false)
    expect(await isAccepted('postmark', { body: '{}', headers: toHeaders(':short') }, { webhookKey: 'short' })).toBe(
      false,
    )
  })

  it('reads an event, and tells events of one message apart', () => {
    const base = { MessageID: '883953f4-6105-42a2-a16a-77a8eac79483', Recipient: 'john@example.com' }
    const first = { ...base, RecordType: 'Open', FirstOpen: true, ReceivedAt: '2026-01-01T12:00:00Z' }
    const second = { ...first, FirstOpen: false, ReceivedAt: '2026-01-01T13:00:00Z' }
    const ids = [first, second, first].map((event) => read('postmark', { body: JSON.stringify(event) })[0]?.eventId)
    expect(ids[0]).toBe(ids[2])
    expect(ids[0]).not.toBe(ids[1])
    const bounce = {
      ...{ RecordType: 'Bounce', ID: 42, Type: 'HardBounce', MessageID: base.MessageID, Email: 'john@example.com' },
      Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
      BouncedAt: '2014-08-01T13:28:10.2735393-04:00',
    }
    expect(read('postmark', { body: JSON.stringify(bounce) })).toEqual([
      {
        type: 'bounced',
        messageIds: [base.MessageID],
        eventId: expect.any(String),
        atMs: Date.parse('2014-08-01T17:28:10.273Z'),
        reason: bounce.Description,
      },
    ])
    expect(read('postmark', { body: JSON.stringify({ ...bounce, Type: 'AutoResponder' }) })).toEqual([])
    expect(read('postmark', { body: JSON.stringify({ ...bounce, RecordType: 'SubscriptionChange' }) })).toEqual([])
  })
})

describe('mailgun', () => {
  const key = 'key-of-the-account-for-webhooks'
  const token = 'e0b5477167110d68991efc6b9f89f0a11066af27834600e123'
  const seconds = String(Date.parse('2026-01-01T00:00:00Z') / 1000)
  const signature = createHmac('sha256', key)
    .update(seconds + token)
    .digest('hex')
  const toBody = (event: JsonObject, more: JsonObject = {}) =>
    JSON.stringify({ signature: { timestamp: seconds, token, signature, ...more }, 'event-data': event })
  const message = { headers: { 'message-id': '20130503182626.18666.16540@mg.example.com' } }

  it('accepts a signature in the body, for a day', async () => {
    const sent = { body: toBody({}) }
    expect(await isAccepted('mailgun', sent, { webhookKey: key })).toBe(true)
    expect(await isAccepted('mailgun', sent, { webhookKey: `${key}x` })).toBe(false)
    expect(await isAccepted('mailgun', sent, {})).toBe(false)
    for (const more of [{ token: `${token}x` }, { timestamp: '1' }, { signature: '' }, { signature: 5 }])
      expect(await isAccepted('mailgun', { body: toBody({}, more) }, { webhookKey: key })).toBe(false)
    expect(await isAccepted('mailgun', { ...sent, at: '2026-01-02T00:00:01Z' }, { webhookKey: key })).toBe(false)
    expect(await isAccepted('mailgun', { ...sent, at: '2025-12-31T23:54:59Z' }, { webhookKey: key })).toBe(false)
  })

  it('reads an event, except a temporary failure', () => {
    const failed = { event: 'failed', id: 'e-1', timestamp: 1_767_225_600.5, message, severity: 'permanent' }
    const status = { code: 550, message: '5.1.1 no such user', description: '' }
    expect(read('mailgun', { body: toBody({ ...failed, 'delivery-status': status }) })).toEqual([
      {
        type: 'bounced',
        messageIds: ['<20130503182626.18666.16540@mg.example.com>', '20130503182626.18666.16540@mg.example.com'],
        eventId: 'e-1',
        atMs: 1_767_225_600_500,
        reason: '5.1.1 no such user',
      },
    ])
    expect(read('mailgun', { body: toBody({ ...failed, severity: 'temporary' }) })).toEqual([])
    expect(read('mailgun', { body: toBody({ ...failed, event: 'unsubscribed' }) })).toEqual([])
  })

  it('names a body that is not JSON', () => {
    expect(() => read('mailgun', { body: 'x' })).toThrow('The body is not JSON.')
  })
})

describe('twilio', () => {
  // The example from Twilio's documentation.
  const credentials = { token: '12345', statusCallback: 'https://mycompany.com/myapp.php?foo=1&bar=2' }
  const form = { Digits: '1234', To: '+18005551212', From: '+14158675309', Caller: '+14158675309' }
  const body = new URLSearchParams({ ...form, CallSid: 'CA1234567890ABCDE' }).toString()
  const sent = { body, headers: { 'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' } }

  it('accepts the documented signature over the saved URL and the sorted form', async () => {
    expect(await isAccepted('twilio', sent, credentials)).toBe(true)
    expect(await isAccepted('twilio', { ...sent, body: `${body}&Extra=1` }, credentials)).toBe(false)
    expect(await isAccepted('twilio', sent, { ...credentials, token: '123456' })).toBe(false)
    expect(await isAccepted('twilio', sent, { ...credentials, statusCallback: 'https://mycompany.com/' })).toBe(false)
    expect(await isAccepted('twilio', sent, { statusCallback: credentials.statusCallback })).toBe(false)
    expect(await isAccepted('twilio', { body }, credentials)).toBe(false)
  })

  it('rejects a form of more than 16 KiB without reading it', async () => {
    const toSent = (padding: string) => ({
      body: `Padding=${padding}`,
      headers: { 'x-twilio-signature': toSignature(`${credentials.statusCallback}Padding${padding}`) },
    })
    const toSignature = (signed: string) => createHmac('sha1', credentials.token).update(signed).digest('base64')
    expect(await isAccepted('twilio', toSent('x'.repeat(16_000)), credentials)).toBe(true)
    expect(await isAccepted('twilio', toSent('x'.repeat(16_384)), credentials)).toBe(false)
  })

  it('reads a status', () => {
    const toForm = (status: string) =>
      new URLSearchParams({ MessageSid: 'SM1', MessageStatus: status, ErrorCode: '30003' })
    expect(read('twilio', { body: toForm('undelivered').toString() })).toEqual([
      { type: 'bounced', messageIds: ['SM1'], eventId: 'undelivered', reason: 'Twilio reported error 30003.' },
    ])
    const types = ['queued', 'sent', 'delivered', 'read', 'failed'].map(
      (status) => read('twilio', { body: toForm(status).toString() })[0]?.type,
    )
    expect(types).toEqual([undefined, undefined, 'delivered', 'opened', 'bounced'])
  })
})

describe('ses', () => {
  const at = '2030-01-01T00:00:00.000Z'
  const bounce = {
    eventType: 'Bounce',
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: 'a@example.com', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }],
      timestamp: '2029-12-31T23:59:58.000Z',
    },
    mail: { messageId: 'EXAMPLE7c191be45', destination: ['a@example.com'] },
  }
  const fields = { Type: 'Notification', Timestamp: at, Message: JSON.stringify(bounce) }
  const isAcceptedBySes = (message: JsonObject, credentials: JsonObject = { topicArn }, now = at) =>
    isAccepted('ses', { body: JSON.stringify(message), at: now }, credentials)

  it('accepts both versions of the signature of the topic, for an hour', async () => {
    expect(await isAcceptedBySes(signSns(fields))).toBe(true)
    expect(await isAcceptedBySes(signSns(fields, '1'))).toBe(true)
    expect(await isAcceptedBySes(signSns({ ...fields, Subject: 'Amazon SES' }))).toBe(true)
    expect(await isAcceptedBySes(signSns(fields), { topicArn }, '2030-01-01T00:59:00Z')).toBe(true)
    expect(await isAcceptedBySes(signSns(fields), { topicArn }, '2030-01-01T01:10:00Z')).toBe(false)
    const early = '2026-01-01T00:00:00.000Z'
    expect(await isAcceptedBySes(signSns({ ...fields, Timestamp: early }), { topicArn }, early), 'certificate').toBe(
      false,
    )
    expect(await isAcceptedBySes({ ...signSns(fields), Message: '{}' })).toBe(false)
    expect(await isAcceptedBySes({ ...signSns(fields), Subject: 'x' })).toBe(false)
    expect(await isAcceptedBySes({ ...signSns(fields), SignatureVersion: '3' })).toBe(false)
  })

  it('rejects a different topic or source of certificates without loading a certificate', async () => {
    loaded.length = 0
    const other = topicArn.replace('mail', 'other')
    expect(await isAcceptedBySes(signSns({ ...fields, TopicArn: other }))).toBe(false)
    expect(await isAcceptedBySes(signSns(fields), { topicArn: other })).toBe(false)
    expect(await isAcceptedBySes(signSns(fields), {})).toBe(false)
    for (const url of [
      certificateUrl.replace('https', 'http'),
      certificateUrl.replace('amazonaws.com', 'amazonaws.com.example.com'),
      certificateUrl.replace('sns.eu-central-1', 'sns.us-east-1'),
      certificateUrl.replace('https://', 'https://x@'),
      certificateUrl.replace('.com/', '.com:8443/'),
      certificateUrl.replace('.com/', '.com/?x=/'),
      certificateUrl.replace('SimpleNotificationService-', 'other-'),
      `${certificateUrl}?x`,
      'x',
    ])
      expect(await isAcceptedBySes(signSns({ ...fields, SigningCertURL: url })), url).toBe(false)
    expect(loaded).toEqual([])
  })

  it('reads an event from a configuration set and a notification from an identity', () => {
    const toBody = (message: JsonObject) => JSON.stringify(signSns({ ...fields, Message: JSON.stringify(message) }))
    const report = {
      ...{ type: 'bounced', messageIds: ['EXAMPLE7c191be45'], eventId: 'sns-1' },
      ...{ atMs: Date.parse('2029-12-31T23:59:58Z'), reason: 'smtp; 550 5.1.1 user unknown' },
    }
    expect(read('ses', { body: toBody(bounce) })).toEqual([report])
    const { eventType, ...rest } = bounce
    expect(read('ses', { body: toBody({ ...rest, notificationType: eventType }) })).toEqual([report])
    expect(read('ses', { body: toBody({ ...bounce, eventType: 'Send' }) })).toEqual([])
    expect(read('ses', { body: JSON.stringify(signSns({ ...fields, Message: 'connected' })) })).toEqual([])
  })

  it('confirms the subscription to the topic with SNS only', () => {
    const confirm = (SubscribeURL: string) =>
      findReader('ses').read(
        toCall({ body: JSON.stringify({ Type: 'SubscriptionConfirmation', TopicArn: topicArn, SubscribeURL }) }),
      )
    const url = 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=x'
    expect(confirm(url)).toEqual({ reports: [], confirmUrl: url })
    expect(confirm('https://example.com/?Action=ConfirmSubscription')).toEqual({ reports: [] })
  })
})
