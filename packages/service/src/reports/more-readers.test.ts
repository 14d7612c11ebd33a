import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { draws } from '../../../../test/scope.ts'
import { ApiError } from '../api/api-error.ts'
import { findReader, isAccepted, read, toCall } from './report-calls.fixture.ts'
import { isGenuineCall, reportReaders } from './report-readers.ts'

const toSeconds = (at: string): string => String(Date.parse(at) / 1000)

describe('brevo', () => {
  const token = 'a-long-token-of-a-webhook'
  const messageId = '<201798300811.5787683@relay.domain.com>'
  // From the documentation of Brevo's transactional webhooks.
  const event = {
    ...{ event: 'hard_bounce', email: 'example@example.com', id: 26_224, date: '2020-10-09 00:00:00' },
    ...{ ts: 1_604_933_619, 'message-id': messageId, ts_event: 1_604_933_654, subject: 'My first Transactional' },
    ...{ 'X-Mailin-custom': 'some_custom_header', sending_ip: 'xxx.xxx.xxx.xxx', ts_epoch: 1_604_933_654 },
    ...{ template_id: 22, tags: ['transac_messages'], reason: 'server is down' },
  }
  const named = (name: string, more: JsonObject = {}) => ({ ...event, event: name, ...more })

  it('accepts the token, or the password of basic authentication with any user', async () => {
    const isToken = (authorization: string, webhookKey: string = token) =>
      isAccepted('sendinblue', { body: '{}', headers: { authorization } }, { webhookKey })
    const basic = (given: string) => `Basic ${Buffer.from(given).toString('base64')}`
    expect(await isToken(`Bearer ${token}`)).toBe(true)
    expect(await isToken(`bearer ${token}`)).toBe(true)
    expect(await isToken(basic(`trestle:${token}`))).toBe(true)
    for (const given of ['Bearer', 'Bearer ', `Bearer ${token}x`, `Token ${token}`, token, basic(token), basic(':')])
      expect(await isToken(given), given).toBe(false)
    expect(await isToken('Bearer short', 'short')).toBe(false)
    expect(await isAccepted('sendinblue', { body: '{}' }, { webhookKey: token })).toBe(false)
    expect(await isAccepted('sendinblue', { body: '{}', headers: { authorization: `Bearer ${token}` } }, {})).toBe(
      false,
    )
  })

  it('reads one event or a batch', () => {
    const report = {
      type: 'bounced',
      messageIds: [messageId, '201798300811.5787683@relay.domain.com'],
      eventId: expect.any(String),
      atMs: 1_604_933_654_000,
      reason: 'server is down',
    }
    expect(read('sendinblue', { body: JSON.stringify(event) })).toEqual([report])
    const bare = { ...event, 'message-id': '201798300811.5787683@relay.domain.com' }
    expect(read('sendinblue', { body: JSON.stringify([event, bare]) })).toEqual([report, report])
    const names = ['delivered', 'opened', 'unique_opened', 'click', 'soft_bounce', 'blocked', 'error', 'invalid_email']
    const body = JSON.stringify([...names, 'spam'].map((name) => named(name)))
    expect(read('sendinblue', { body }).map(({ type, reason }) => [type, reason])).toEqual([
      ...['delivered', 'opened', 'opened', 'clicked'].map((type) => [type, undefined]),
      ...Array.from({ length: 4 }, () => ['bounced', 'server is down']),
      ['complained', undefined],
    ])
    const others = ['request', 'deferred', 'proxy_open', 'unique_proxy_open', 'unsubscribed', 'toString']
    expect(read('sendinblue', { body: JSON.stringify(others.map((name) => named(name))) })).toEqual([])
    expect(() => read('sendinblue', { body: '{' })).toThrow('The body is not JSON.')
  })

  it('reports a first open once, and distinguishes other events of a message', () => {
    const events = [
      ...[named('opened'), named('unique_opened'), named('opened', { ts_event: 1 })],
      ...[named('click', { link: 'https://a.example' }), named('click', { link: 'https://b.example' })],
    ]
    const ids = read('sendinblue', { body: JSON.stringify(events) }).map(({ eventId }) => eventId)
    expect(ids[0]).toBe(ids[1])
    expect(new Set(ids).size).toBe(4)
  })
})

describe('telnyx', () => {
  // The first key of RFC 8032, section 7.1.
  const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
  const privateKey = createPrivateKey({
    key: Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex'),
    ...{ format: 'der', type: 'pkcs8' },
  })
  const webhookKey = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='
  // From the documentation of Telnyx's messaging webhooks.
  const payload = {
    ...{ completed_at: '2024-01-15T21:32:14.148+00:00', direction: 'outbound', encoding: 'GSM-7', errors: [] },
    ...{ id: 'ac012cbf-5e09-46af-a69a-7c0e2d90993c', parts: 1, record_type: 'message', text: 'Hello there!' },
    from: { carrier: 'Telnyx', line_type: 'Wireless', phone_number: '+13125550001', status: 'webhook_delivered' },
    to: [{ carrier: 'T-MOBILE USA, INC.', line_type: 'Wireless', phone_number: '+13125550002', status: 'delivered' }],
  }
  const data = {
    ...{ event_type: 'message.finalized', id: '4ee8c3a6-4995-4309-a3c6-38e3db9ea4be', record_type: 'event' },
    ...{ occurred_at: '2024-01-15T21:32:14.148+00:00', payload },
  }
  const body = JSON.stringify({ data, meta: { attempt: 1, delivered_to: 'https://example.com/webhooks' } })
  const at = '2024-01-15T21:32:15Z'
  const signed = (text: string, seconds = toSeconds(at), key = privateKey) => ({
    'telnyx-timestamp': seconds,
    'telnyx-signature-ed25519': sign(null, Buffer.from(`${seconds}|${text}`), key).toString('base64'),
  })
  const sent = { body, headers: signed(body), at }
  const withStatus = (status: string, more: JsonObject = {}) =>
    JSON.stringify({ data: { ...data, payload: { ...payload, to: [{ status }], ...more } } })

  it('accepts a signature over the time and the raw body, for five minutes', async () => {
    expect(await isAccepted('telnyx', sent, { webhookKey })).toBe(true)
    expect(await isAccepted('telnyx', { ...sent, at: '2024-01-15T21:37:15Z' }, { webhookKey })).toBe(true)
    expect(await isAccepted('telnyx', { ...sent, at: '2024-01-15T21:37:16Z' }, { webhookKey })).toBe(false)
    expect(await isAccepted('telnyx', { ...sent, at: '2024-01-15T21:27:14Z' }, { webhookKey })).toBe(false)
    expect(await isAccepted('telnyx', { ...sent, body: `${body} ` }, { webhookKey })).toBe(false)
  })

  it('rejects a different key, a different time and a missing or malformed signature', async () => {
    const other = generateKeyPairSync('ed25519')
    const otherKey = Buffer.from(String(other.publicKey.export({ format: 'jwk' }).x), 'base64url').toString('base64')
    expect(await isAccepted('telnyx', sent, { webhookKey: otherKey })).toBe(false)
    const forged = { ...sent, headers: signed(body, toSeconds(at), other.privateKey) }
    expect(await isAccepted('telnyx', forged, { webhookKey })).toBe(false)
    const toHeaders = (more: Readonly<Record<string, string>>) => ({ ...sent, headers: { ...sent.headers, ...more } })
    const later = String(Number(toSeconds(at)) + 1)
    for (const more of [{ 'telnyx-timestamp': later }, { 'telnyx-timestamp': '' }, { 'telnyx-signature-ed25519': 'x' }])
      expect(await isAccepted('telnyx', toHeaders(more), { webhookKey })).toBe(false)
    expect(await isAccepted('telnyx', { ...sent, headers: {} }, { webhookKey })).toBe(false)
    for (const key of ['', 'x', `${webhookKey}=`, webhookKey.slice(1)])
      expect(await isAccepted('telnyx', sent, { webhookKey: key }), key).toBe(false)
    expect(await isAccepted('telnyx', sent, {})).toBe(false)
  })

  it('uses the form of a key that Telnyx shows', () => {
    const bytes = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
    expect(bytes.toString('base64')).toBe(webhookKey)
    expect(findReader('telnyx').findFault(webhookKey)).toBeUndefined()
    expect(findReader('telnyx').findFault(`${webhookKey}\n`)).toBe('must be the public key of the Telnyx account')
  })

  it('reads the final status of a message', () => {
    const report = {
      ...{ type: 'delivered', messageIds: [payload.id], eventId: data.id, reason: undefined },
      atMs: Date.parse('2024-01-15T21:32:14.148Z'),
    }
    expect(read('telnyx', sent)).toEqual([report])
    const error = {
      ...{ code: '40300', title: 'Destination number unreachable', source: { pointer: '/to/0/phone_number' } },
      detail: 'The destination number is not reachable on the carrier network.',
    }
    for (const status of ['delivery_failed', 'sending_failed'])
      expect(read('telnyx', { body: withStatus(status, { errors: [error] }) })).toEqual([
        { ...report, type: 'bounced', reason: error.detail },
      ])
    const { detail, ...rest } = error
    expect(detail).toBeDefined()
    expect(read('telnyx', { body: withStatus('delivery_failed', { errors: [rest] }) })[0]?.reason).toBe(error.title)
    for (const status of ['queued', 'sending', 'sent', 'delivery_unconfirmed', 'constructor'])
      expect(read('telnyx', { body: withStatus(status) }), status).toEqual([])
    const named = (name: string) => JSON.stringify({ data: { ...data, event_type: name } })
    expect(read('telnyx', { body: named('message.sent') })).toEqual([])
    expect(read('telnyx', { body: named('message.received') })).toEqual([])
    expect(() => read('telnyx', { body: '{' })).toThrow('The body is not JSON.')
  })
})

describe('vonage', () => {
  const webhookKey = 'my_secret_key_for_testing'
  // The example from Vonage's own library, with its signatures.
  const fields = {
    ...{ 'message-timestamp': '2013-11-21 15:27:30', messageId: '020000001B0FE827', msisdn: '14843472194' },
    ...{ text: 'Test again', timestamp: '1385047698', to: '13239877404', type: 'text' },
  }
  const sha256 = 'DDB8397C2B90AAC7F3882D306475C9A5058C92322EEF43C92B298B6E0FC0D330'
  const sha512 =
    'E0D3C650F8C9D1A5C174D10DDDBFB003E561F59B265616208B0487C5D819481CD3C311D59CF6165ECD1139622D5BA3A256C0D763AC4A9AD9144B5A426B94FE82'
  const at = '2013-11-21T15:30:00Z'
  const asForm = (given: Readonly<Record<string, string>>) => ({ body: new URLSearchParams(given).toString(), at })
  const asJson = (given: JsonObject) => ({
    ...{ body: JSON.stringify(given), headers: { 'content-type': 'application/json; charset=utf-8' }, at },
  })
  // From the documentation of the SMS API.
  const receipt = {
    ...{ msisdn: '447700900000', to: 'AcmeInc', 'network-code': '12345', messageId: '0A0000001234567B' },
    ...{ price: '0.03330000', status: 'delivered', scts: '2001011400', 'err-code': '0', 'api-key': 'abcd1234' },
    ...{ 'client-ref': 'my-personal-reference', 'message-timestamp': '2020-01-01 12:00:00 +0000' },
    ...{ timestamp: '1582650446', nonce: 'ec11dd3e-1e7f-4db5-9467-82b02cd223b9' },
    sig: '1A20E4E2069B609FDA6CECA9DE18D5CAFE99720DDB628BD6BE8B19942A336E1C',
  }

  it('accepts the documented signatures over the sorted fields of a form and of JSON, for a day', async () => {
    for (const sig of [sha256, sha512, sha256.toLowerCase()])
      for (const sent of [asForm({ ...fields, sig }), asForm({ sig, ...fields }), asJson({ ...fields, sig })])
        expect(await isAccepted('nexmo', sent, { webhookKey }), sent.body).toBe(true)
    const sent = asForm({ ...fields, sig: sha256 })
    expect(await isAccepted('nexmo', { ...sent, at: '2013-11-22T15:28:18Z' }, { webhookKey })).toBe(true)
    expect(await isAccepted('nexmo', { ...sent, at: '2013-11-22T15:28:19Z' }, { webhookKey })).toBe(false)
    expect(await isAccepted('nexmo', { ...sent, at: '2013-11-21T15:23:17Z' }, { webhookKey })).toBe(false)
  })

  it('rejects a different key, changed fields and the weak algorithms', async () => {
    expect(await isAccepted('nexmo', asForm({ ...fields, sig: sha256 }), { webhookKey: `${webhookKey}x` })).toBe(false)
    expect(await isAccepted('nexmo', asForm({ ...fields, sig: sha256 }), {})).toBe(false)
    expect(await isAccepted('nexmo', asForm(fields), { webhookKey })).toBe(false)
    const changed = [{ messageId: '020000001B0FE828' }, { timestamp: '1385047699' }, { status: 'failed' }, { '': '' }]
    for (const more of changed)
      expect(await isAccepted('nexmo', asForm({ ...fields, sig: sha256, ...more }), { webhookKey })).toBe(false)
    // The documented signatures with MD5, HMAC-MD5 and HMAC-SHA1.
    const weak = ['d2e7b1dc968737c5998ad624e02f90b7', 'DDEBD46008C2D4E93CCE578A332A52D5']
    for (const sig of [...weak, '27D0D05C2876C7CB1720DBCDBA4D492E1E55C09A'])
      expect(await isAccepted('nexmo', asForm({ ...fields, sig }), { webhookKey }), sig).toBe(false)
  })

  const toSig = (text: string) => createHmac('sha256', webhookKey).update(text).digest('hex')

  it('signs "&" and "=" in values as "_", and rejects them in names', async () => {
    const sig = toSig('&text=a_b_c&timestamp=1385047698')
    expect(await isAccepted('nexmo', asForm({ text: 'a&b=c', timestamp: '1385047698', sig }), { webhookKey })).toBe(
      true,
    )
    const merged = { 'text=a_b_c&timestamp': '1385047698', sig }
    expect(await isAccepted('nexmo', asForm(merged), { webhookKey })).toBe(false)
    const hidden = { 'status=failed&timestamp': '1385047698', timestamp: '1385047698' }
    const ofHidden = toSig('&status=failed&timestamp=1385047698&timestamp=1385047698')
    expect(await isAccepted('nexmo', asForm({ ...hidden, sig: ofHidden }), { webhookKey })).toBe(false)
  })

  it('rejects a body of more than 16 KiB without reading it', async () => {
    const toSent = (text: string) =>
      asForm({ text, timestamp: '1385047698', sig: toSig(`&text=${text}&timestamp=1385047698`) })
    expect(await isAccepted('nexmo', toSent('x'.repeat(16_000)), { webhookKey })).toBe(true)
    expect(await isAccepted('nexmo', toSent('x'.repeat(16_384)), { webhookKey })).toBe(false)
  })

  it('reads a receipt', () => {
    const report = {
      ...{ type: 'delivered', messageIds: ['0A0000001234567B'], eventId: 'delivered', reason: undefined },
      atMs: Date.parse('2020-01-01T12:00:00Z'),
    }
    expect(read('nexmo', asForm(receipt))).toEqual([report])
    expect(read('nexmo', asJson(receipt))).toEqual([report])
    const failed = { ...receipt, status: 'failed', 'err-code': '6', 'message-timestamp': '2020-01-01 12:00:00' }
    expect(read('nexmo', asForm(failed))).toEqual([
      { ...report, type: 'bounced', eventId: 'failed', reason: 'Vonage reported error 6.' },
    ])
    const types = ['rejected', 'expired', 'accepted', 'buffered', 'unknown', 'toString'].map(
      (status) => read('nexmo', asForm({ ...receipt, status }))[0]?.type,
    )
    expect(types).toEqual(['bounced', 'bounced', undefined, undefined, undefined, undefined])
    expect(read('nexmo', asForm(fields)), 'an incoming message').toEqual([])
    expect(() => read('nexmo', { ...asJson({}), body: '{' })).toThrow('The body is not JSON.')
  })
})

describe('whatsapp', () => {
  const webhookKey = '0123456789abcdef0123456789abcdef'
  const wamid = 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBJBM0NBNTdCNUI4OTU1QkQyMDgA'
  const status = { id: wamid, status: 'delivered', timestamp: '1749416384', recipient_id: '16505551234' }
  const toBody = (statuses: readonly JsonObject[], field = 'messages') =>
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '102290129340398',
          changes: [
            {
              value: {
                messaging_product: 'whatsapp',
                metadata: { display_phone_number: '15550783881', phone_number_id: '106540352242922' },
                statuses,
              },
              field,
            },
          ],
        },
      ],
    })
  const toSignature = (body: string, key = webhookKey) =>
    `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
  const body = toBody([status])
  const sent = { body, headers: { 'x-hub-signature-256': toSignature(body) } }

  it('accepts a signature over the raw body', async () => {
    // The documented test of Meta's scheme, which GitHub uses too.
    const known = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    const hello = { body: 'Hello, World!', headers: { 'x-hub-signature-256': known } }
    expect(await isAccepted('whatsapp-business', hello, { webhookKey: "It's a Secret to Everybody" })).toBe(true)
    expect(await isAccepted('whatsapp-business', sent, { webhookKey })).toBe(true)
    expect(await isAccepted('whatsapp-business', { ...sent, body: `${body}\n` }, { webhookKey })).toBe(false)
    expect(await isAccepted('whatsapp-business', sent, { webhookKey: webhookKey.replace('0', '1') })).toBe(false)
    expect(await isAccepted('whatsapp-business', sent, {})).toBe(false)
    expect(await isAccepted('whatsapp-business', { body }, { webhookKey })).toBe(false)
    const sha1 = `sha1=${createHmac('sha1', webhookKey).update(body).digest('hex')}`
    for (const given of [sha1, 'sha256=', toSignature(body).replace('sha256=', ''), toSignature(body, 'x')])
      expect(
        await isAccepted('whatsapp-business', { body, headers: { 'x-hub-signature-256': given } }, { webhookKey }),
      ).toBe(false)
  })

  it('reads the statuses of messages', () => {
    const report = { type: 'delivered', messageIds: [wamid], eventId: 'delivered', atMs: 1_749_416_384_000 }
    expect(read('whatsapp-business', sent)).toEqual([{ ...report, reason: undefined }])
    const details =
      'Message failed to send because more than 24 hours have passed since the customer last replied to this number.'
    const error = { code: 131_047, title: 'Re-engagement message', message: 'Re-engagement message' }
    const failed = { ...status, status: 'failed', errors: [{ ...error, error_data: { details } }] }
    const opened = { ...status, status: 'read', timestamp: 'x' }
    const statuses = [failed, { ...failed, errors: [error] }, { ...failed, errors: [] }, opened]
    expect(read('whatsapp-business', { body: toBody(statuses) })).toEqual([
      { ...report, type: 'bounced', eventId: 'failed', reason: details },
      { ...report, type: 'bounced', eventId: 'failed', reason: error.title },
      { ...report, type: 'bounced', eventId: 'failed', reason: undefined },
      { ...report, type: 'opened', eventId: 'read', reason: undefined, atMs: undefined },
    ])
    const others = ['sent', 'played', 'deleted', 'constructor'].map((name) => ({ ...status, status: name }))
    expect(read('whatsapp-business', { body: toBody(others) })).toEqual([])
    expect(read('whatsapp-business', { body: toBody([status], 'account_update') })).toEqual([])
    expect(() => read('whatsapp-business', { body: '{' })).toThrow('The body is not JSON.')
  })

  it('answers a challenge only with the saved token', () => {
    const ask = (
      more: Readonly<Record<string, string>> = {},
      credentials: JsonObject = { verifyToken: 'meatyhamhock' },
    ) =>
      findReader('whatsapp-business').answerChallenge?.(
        new URLSearchParams({
          ...{ 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': 'meatyhamhock' },
          ...more,
        }),
        credentials,
      )
    expect(ask()).toBe('1158201444')
    expect(ask({ 'hub.verify_token': 'meatyhamhoc' })).toBeUndefined()
    expect(ask({ 'hub.mode': 'unsubscribe' })).toBeUndefined()
    expect(ask({}, {})).toBeUndefined()
    expect(ask({ 'hub.verify_token': '' }, { verifyToken: '' })).toBeUndefined()
    for (const challenge of ['', '<script>', '1 2', 'x'.repeat(201)])
      expect(ask({ 'hub.challenge': challenge }), challenge).toBeUndefined()
  })
})

// An error other than 400 would make the provider repeat the call, and return 500.
test('every reader verifies and reads any JSON', async () => {
  const names =
    'event data payload id to status errors entry changes field value statuses message-id event_type signature timestamp token toString'
  const values = ['message.finalized', 'messages', 'delivered', 'failed', 'hard_bounce', 'read', 'm-1']
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, depthSize: 'medium' },
      fc.constantFrom<unknown>(...values, null, 1, true, ''),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names.split(' '), '__proto__'), tie('value'), { maxKeys: 6 }),
    ),
  }))
  const headers = { 'content-type': 'application/json' }
  await fc.assert(
    fc.asyncProperty(value, async (any) => {
      const sent = { body: JSON.stringify(any), headers }
      for (const [providerId, { types, credential, read: readAny }] of reportReaders)
        try {
          expect(await isAccepted(providerId, sent, { [credential]: 'a key that verifies nothing' })).toBe(false)
          for (const { type, messageIds } of readAny(toCall(sent)).reports) {
            expect(types, providerId).toContain(type)
            expect(messageIds.every((id) => typeof id === 'string' && id !== '')).toBe(true)
          }
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 400) throw error
        }
    }),
    { numRuns: draws(300, 20_000) },
  )
})

test('a timestamp of Mailgun that cannot be converted to text is not genuine', async () => {
  for (const timestamp of [{ toString: 1 }, [[]], null, true]) {
    const body = JSON.stringify({ signature: { timestamp, token: '', signature: '' } })
    expect(await isAccepted('mailgun', { body }, { webhookKey: 'a long enough signing key' })).toBe(false)
  }
})

test.each([...reportReaders].flatMap(([id, { maxBodyBytes }]) => (maxBodyBytes ? [[id, maxBodyBytes] as const] : [])))(
  'a call of %s is not verified if its body has more than %i bytes',
  async (providerId, maxBodyBytes) => {
    const reader = { ...findReader(providerId), isGenuine: () => true }
    const verify = (bytes: number) =>
      isGenuineCall(reader, toCall({ body: 'x'.repeat(bytes) }), { credentials: {}, load: async () => '' })
    expect([await verify(maxBodyBytes), await verify(maxBodyBytes + 1)]).toEqual([true, false])
  },
)

test('every provider whose body must be parsed to verify it has a limit', () => {
  const limited = [...reportReaders].filter(([, { maxBodyBytes }]) => maxBodyBytes !== undefined)
  expect(limited.map(([id]) => id)).toEqual(['mailgun', 'ses', 'twilio', 'nexmo'])
})
