import { createVerify, generateKeyPairSync } from 'node:crypto'
import type { JsonObject, MessageType } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { drivers } from '../store/stores.fixture.ts'
import { providerApis } from './apis/api-request.ts'
import { createTestChannels, toDelivery } from './channels.fixture.ts'
import { type FakeAnswer, type FakeProvider, serveProvider } from './fake-provider.fixture.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const toPem = (key: typeof rsa.privateKey): string => String(key.export({ type: 'pkcs8', format: 'pem' }))
const aws = { apiKey: 'AKID', secretKey: 'canary-secret', region: 'eu-central-1' }
const accessToken = 'canary-access-token'
const apple = { secretKey: toPem(ec.privateKey), apiKey: 'KEY1', projectName: 'TEAM1', applicationId: 'com.shop.app' }

interface Case {
  readonly outputs: JsonObject
  readonly credentials: (provider: FakeProvider) => JsonObject
  readonly accepted: FakeAnswer
  readonly id: string
  readonly request: JsonObject
  /** Rejections: the response, the message's error code, and whether the integration is at fault. */
  readonly refused: readonly (readonly [answer: FakeAnswer, code: string])[]
  readonly putOff: readonly FakeAnswer[]
}

const json = (status: number, body: JsonObject, headers: Record<string, string> = {}): FakeAnswer => ({
  ...{ status, headers },
  text: JSON.stringify(body),
})
const fcmError = (status: number, code: string): FakeAnswer =>
  json(status, { error: { code: status, message: code, status: 'X', details: [{ errorCode: code }] } })
const snsError = (status: number, code: string): FakeAnswer => ({
  status,
  text: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>m</Message></Error></ErrorResponse>`,
})
const sesError = (status: number, name: string): FakeAnswer =>
  json(status, { message: name }, { 'x-amzn-errortype': `${name}:http://internal.amazon.com/` })
const whatsappError = (status: number, code: number): FakeAnswer => json(status, { error: { code, message: 'm' } })

// Requests and responses are taken from each provider's documentation.
const cases: Readonly<Record<string, Case>> = {
  ses: {
    outputs: { subject: 'Hi', body: '<p>Hello</p>', replyTo: 'help@shop.example' },
    credentials: () => ({ ...aws, from: 'shop@shop.example', senderName: 'Shöp', configurationSet: 'events' }),
    accepted: json(200, { MessageId: 'ses-1' }),
    id: 'ses-1',
    request: {
      url: '/v2/email/outbound-emails',
      headers: {
        authorization: expect.stringMatching(
          /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/ses\/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=[0-9a-f]{64}$/,
        ),
        'x-amz-date': expect.stringMatching(/^\d{8}T\d{6}Z$/),
      },
      body: {
        FromEmailAddress: '=?UTF-8?B?U2jDtnA=?= <shop@shop.example>',
        Destination: { ToAddresses: ['ada@example.com'] },
        ReplyToAddresses: ['help@shop.example'],
        ConfigurationSetName: 'events',
        Content: {
          Simple: {
            Subject: { Data: 'Hi', Charset: 'UTF-8' },
            Body: {
              Html: { Data: '<p>Hello</p>', Charset: 'UTF-8' },
              Text: { Data: 'Hello', Charset: 'UTF-8' },
            },
            Attachments: [
              {
                ...{ FileName: 'a.txt', RawContent: 'aGk=', ContentType: 'text/plain' },
                ContentTransferEncoding: 'BASE64',
              },
            ],
          },
        },
      },
    },
    refused: [[sesError(400, 'MessageRejected'), 'http_400']],
    putOff: [sesError(429, 'TooManyRequestsException'), sesError(400, 'TooManyRequestsException')],
  },
  sns: {
    outputs: { body: 'Hé & hi' },
    credentials: () => ({ ...aws, from: 'Shop' }),
    accepted: {
      text: '<PublishResponse><PublishResult><MessageId>sns-1</MessageId></PublishResult></PublishResponse>',
    },
    id: 'sns-1',
    request: {
      url: '/',
      headers: {
        authorization: expect.stringContaining('/eu-central-1/sns/aws4_request'),
        'content-type': 'application/x-www-form-urlencoded',
      },
      form: {
        ...{ Action: 'Publish', Version: '2010-03-31', PhoneNumber: '+4912345', Message: 'Hé & hi' },
        'MessageAttributes.entry.1.Name': 'AWS.SNS.SMS.SMSType',
        'MessageAttributes.entry.1.Value.DataType': 'String',
        'MessageAttributes.entry.1.Value.StringValue': 'Transactional',
        'MessageAttributes.entry.2.Name': 'AWS.SNS.SMS.SenderID',
        'MessageAttributes.entry.2.Value.DataType': 'String',
        'MessageAttributes.entry.2.Value.StringValue': 'Shop',
      },
    },
    refused: [
      [snsError(400, 'InvalidParameter'), 'http_400'],
      [snsError(403, 'InvalidClientTokenId'), 'http_403'],
    ],
    putOff: [snsError(400, 'Throttling'), snsError(429, 'Throttled')],
  },
  fcm: {
    outputs: { subject: 'Hi', body: 'Hello' },
    credentials: ({ url }) => ({
      serviceAccount: JSON.stringify({
        ...{ project_id: 'shop/1', client_email: 'me@shop.example', private_key: toPem(rsa.privateKey) },
        token_uri: `${url}/token`,
      }),
    }),
    accepted: json(200, { name: 'projects/shop/messages/1' }),
    id: 'projects/shop/messages/1',
    request: {
      url: '/v1/projects/shop%2F1/messages:send',
      headers: { authorization: `Bearer ${accessToken}` },
      body: {
        message: {
          token: 'd1',
          notification: { title: 'Hi', body: 'Hello' },
          android: { notification: { tag: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
        },
      },
    },
    refused: [
      [fcmError(404, 'UNREGISTERED'), 'device_unregistered'],
      [fcmError(400, 'INVALID_ARGUMENT'), 'http_400'],
      [json(500, { error: { status: 'INTERNAL' } }), 'http_500'],
    ],
    putOff: [fcmError(429, 'QUOTA_EXCEEDED'), json(503, { error: { status: 'UNAVAILABLE' } })],
  },
  apns: {
    outputs: { subject: 'Hi', body: 'Hello' },
    credentials: () => apple,
    accepted: { headers: { 'apns-id': 'apns-1' } },
    id: 'apns-1',
    request: {
      url: '/3/device/d1',
      headers: {
        ...{ 'apns-topic': 'com.shop.app', 'apns-push-type': 'alert', 'apns-priority': '10' },
        ...{ 'apns-id': expect.any(String), 'apns-collapse-id': expect.any(String) },
        authorization: expect.stringMatching(/^bearer [\w-]+\.[\w-]+\.[\w-]+$/),
      },
      body: { aps: { alert: { title: 'Hi', body: 'Hello' } } },
    },
    refused: [
      [json(410, { reason: 'Unregistered', timestamp: 1 }), 'device_unregistered'],
      [json(400, { reason: 'BadDeviceToken' }), 'http_400'],
      [json(403, { reason: 'InvalidProviderToken' }), 'http_403'],
    ],
    putOff: [json(429, { reason: 'TooManyRequests' }), json(503, { reason: 'Shutdown' })],
  },
  'whatsapp-business': {
    outputs: { body: 'Hello' },
    credentials: () => ({ apiToken: 'canary-api-token', phoneNumberIdentification: '106' }),
    accepted: json(200, { messaging_product: 'whatsapp', messages: [{ id: 'wamid.1' }] }),
    id: 'wamid.1',
    request: {
      url: '/106/messages',
      headers: { authorization: 'Bearer canary-api-token' },
      body: {
        ...{ messaging_product: 'whatsapp', recipient_type: 'individual', to: '+4912345', type: 'text' },
        text: { body: 'Hello' },
      },
    },
    refused: [
      [whatsappError(400, 131026), 'http_400'],
      [whatsappError(401, 190), 'http_401'],
      [whatsappError(500, 131000), 'http_500'],
    ],
    putOff: [whatsappError(400, 80007), whatsappError(429, 130429)],
  },
  telegram: {
    outputs: { body: 'Hello' },
    credentials: () => ({ token: '1:canary-token' }),
    accepted: json(200, { ok: true, result: { message_id: 7 } }),
    id: '7',
    request: { url: '/bot1%3Acanary-token/sendMessage', headers: {}, body: { chat_id: '42', text: 'Hello' } },
    refused: [
      [json(403, { ok: false, description: 'Forbidden: bot was blocked by the user' }), 'http_403'],
      [json(401, { ok: false, description: 'Unauthorized' }), 'http_401'],
    ],
    putOff: [json(429, { ok: false, parameters: { retry_after: 3 } })],
  },
}
const ids = Object.keys(cases)

test('covers every provider that signs its requests or has its own address', () => {
  const expectedProviders = Object.entries(providerApis).filter(([, { toAuth, address }]) => toAuth || address)
  expect(ids.toSorted()).toEqual(expectedProviders.map(([id]) => id).sort())
})

describe.each(drivers)('API with signed requests or its own address (%s)', (driver) => {
  async function start(context: Parameters<typeof createTestChannels>[1], providerId: string, more: JsonObject = {}) {
    const one = cases[providerId]
    if (!one) throw new Error('no case')
    const provider = await serveProvider(
      ({ url }) => (url === '/token' ? json(200, { access_token: accessToken, expires_in: 3599 }) : one.accepted),
      providerId === 'apns' ? 'http2' : 'http1',
    )
    const channels = await createTestChannels(driver, context, 600)
    const channel = providerApis[providerId]?.channel ?? ''
    const credentials = { ...one.credentials(provider), baseUrl: provider.url, ...more }
    await channels.addIntegration({ providerId, channel }, credentials)
    const deliver = (tokens: readonly string[] = ['d1'], change: JsonObject = {}) => {
      const delivery = toDelivery(channel as MessageType, one.outputs, change)
      const subscriberChannels = [{ providerId, credentials: { deviceTokens: tokens, channel: '42' } }]
      const payload = { attachments: [{ file: 'aGk=', name: 'a.txt', mime: 'text/plain' }] }
      const own = providerId === 'whatsapp-business' ? [] : subscriberChannels
      return channels.deliver({
        ...delivery,
        run: { ...delivery.run, payload: channel === 'email' ? payload : {} },
        subscriber: { ...delivery.subscriber, channels: own },
      })
    }
    return { one, provider, channels, deliver, sent: () => provider.received.filter(({ url }) => url !== '/token') }
  }

  test.for(ids)('%s accepts a message', async (providerId, context) => {
    const { one, deliver, sent } = await start(context, providerId)
    const [message] = await deliver()
    expect(message).toMatchObject({ status: 'sent', errorText: null, providerMessageId: one.id, providerId })
    expect(sent()).toHaveLength(1)
    const [request] = sent()
    const { form, ...expected } = one.request
    expect(request).toMatchObject({ method: 'POST', ...expected })
    if (form) expect(Object.fromEntries(new URLSearchParams(request?.text))).toEqual(form)
    else expect(request?.body).toEqual(expected['body'])
  })

  test.for(ids.flatMap((id) => (cases[id]?.refused ?? []).map(([answer, code]) => [id, code, answer] as const)))(
    '%s rejects a message with %s, and it is not retried',
    async ([providerId, code, answer], context) => {
      const { deliver, provider, channels, sent } = await start(context, providerId)
      await deliver()
      provider.answerNext(answer)
      const [message] = await deliver()
      expect(message).toMatchObject({ status: 'error', errorId: code, providerMessageId: null, delivery: null })
      expect(message?.errorText).not.toContain('canary')
      if (message) await channels.send(message)
      expect(sent()).toHaveLength(2)
    },
  )

  test.for(ids.flatMap((id) => (cases[id]?.putOff ?? []).map((answer) => [id, answer.text ?? '', answer] as const)))(
    '%s defers a message with %s, and it is retried with the same keys',
    async ([providerId, _text, answer], context) => {
      const { deliver, provider, channels, sent, one } = await start(context, providerId)
      await deliver()
      provider.answerNext(answer)
      const [message] = await deliver()
      expect(message).toMatchObject({ status: 'pending', attempts: 1, errorId: null })
      if (!message) throw new Error('a message is expected')
      if (providerId === 'telegram') expect(message.retryAt).toBeGreaterThan(Date.now() + 2000)
      const again = await channels.send(message)
      expect(again.patch).toMatchObject({ status: 'sent', providerMessageId: one.id })
      const [, first, second] = sent()
      expect(second?.text).toBe(first?.text)
      const keys = ['idempotency-key', 'apns-id', 'apns-collapse-id']
      for (const name of keys) expect(second?.headers[name]).toBe(first?.headers[name])
    },
  )

  test.for(ids)(
    '%s marks a message without a response as unknown and does not retry it',
    async (providerId, context) => {
      const { deliver, provider, channels, sent } = await start(context, providerId)
      await deliver()
      provider.answerNext(undefined)
      const [message] = await deliver()
      expect(message).toMatchObject({ status: 'error', errorId: 'BridgeRequestTimeout', delivery: null })
      if (message) await channels.send(message)
      expect(sent()).toHaveLength(2)
    },
  )

  test('fcm and apns send a separate message to each device', async (context) => {
    for (const providerId of ['fcm', 'apns']) {
      const { deliver, provider, sent } = await start(context, providerId)
      await deliver()
      provider.answerNext({ status: 400 })
      const messages = await deliver(['a', 'b'])
      expect(messages.map(({ status }) => status)).toEqual(['error', 'sent'])
      expect(messages.map(({ deviceTokens }) => deviceTokens)).toEqual(['["a"]', '["b"]'])
      expect(sent()).toHaveLength(3)
    }
  })

  describe('a token', () => {
    test('of a service account is requested once, with a grant signed by the account’s key', async (context) => {
      const { deliver, provider } = await start(context, 'fcm')
      await deliver(['a', 'b'])
      await deliver(['c'])
      const grants = provider.received.filter(({ url }) => url === '/token')
      expect(grants).toHaveLength(1)
      const form = new URLSearchParams(grants[0]?.text)
      expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
      const [head, claims, signature = ''] = (form.get('assertion') ?? '').split('.')
      const verifier = createVerify('sha256').update(`${head}.${claims}`)
      expect(verifier.verify(rsa.publicKey, signature, 'base64url')).toBe(true)
      const { iat, ...rest } = JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())
      expect(rest).toEqual({
        ...{ iss: 'me@shop.example', aud: `${provider.url}/token`, exp: iat + 3600 },
        scope: 'https://www.googleapis.com/auth/firebase.messaging',
      })
    })

    test('that is rejected is replaced by a new one, once', async (context) => {
      const { deliver, provider, channels } = await start(context, 'fcm')
      await deliver()
      provider.answerNext(json(401, { error: { status: 'UNAUTHENTICATED', message: accessToken } }))
      const [message] = await deliver()
      expect(message).toMatchObject({ status: 'pending', attempts: 1 })
      if (!message) throw new Error('a message is expected')
      const refused = json(401, { error: { status: 'UNAUTHENTICATED', message: accessToken } })
      provider.answerNext(json(200, { access_token: accessToken, expires_in: 3599 }), refused)
      const sent = await channels.send(message)
      expect(sent.patch).toMatchObject({ status: 'error', errorId: 'http_401' })
      expect(JSON.stringify(sent)).not.toContain('canary')
    })

    test.for([
      [json(400, { error: 'invalid_grant', error_description: 'Invalid JWT' }), 'error', 'invalid_grant: Invalid JWT'],
      [json(200, { access_token: 'a\nb' }), 'error', 'answered 200'],
      [{ text: 'nonsense' }, 'error', 'answered 200'],
      [{ status: 503 }, 'pending', ''],
      [undefined, 'pending', ''],
    ] as const)(
      'that is not granted (%j) prevents the message from being sent',
      async ([answer, status, words], context) => {
        const { deliver, provider, sent } = await start(context, 'fcm')
        provider.answerNext(answer)
        const [message] = await deliver()
        expect(message?.status).toBe(status)
        if (status === 'error') expect(message).toMatchObject({ errorId: 'token_refused' })
        expect(message?.errorText ?? '').toContain(words)
        expect(sent()).toEqual([])
        expect((await deliver())[0]).toMatchObject({ status: 'sent' })
      },
    )

    test('of APNs is signed with the account’s key, and cached', async (context) => {
      const { deliver, sent } = await start(context, 'apns')
      await deliver(['a', 'b'])
      const [one, two] = sent().map(({ headers }) => headers.authorization)
      expect(one).toBe(two)
      const [head = '', claims = '', signature = ''] = one?.slice(7).split('.') ?? []
      const verifier = createVerify('sha256').update(`${head}.${claims}`)
      expect(verifier.verify({ key: ec.publicKey, dsaEncoding: 'ieee-p1363' }, signature, 'base64url')).toBe(true)
      expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'ES256', kid: 'KEY1' })
      expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({ iss: 'TEAM1', iat: expect.any(Number) })
    })
  })

  test.for([
    ['fcm', { serviceAccount: 'nonsense' }, 'service account'],
    ['fcm', { serviceAccount: { project_id: 'a', client_email: 'b', private_key: 'c' } }, 'RSA key'],
    ['apns', { secretKey: 'nonsense' }, '.p8 file'],
    ['apns', { secretKey: '' }, '"secretKey"'],
    ['ses', { region: '' }, '"region"'],
  ] as const)('%s reports unusable credentials %j', async ([providerId, change, words], context) => {
    const { deliver, sent } = await start(context, providerId, change)
    const [message] = await deliver()
    expect(message).toMatchObject({ status: 'error' })
    expect(message?.errorText).toContain(words)
    expect(sent()).toEqual([])
  })

  test('a chat message needs a recipient’s address, and is skipped without one', async (context) => {
    const { channels, provider } = await start(context, 'telegram')
    const [none] = await channels.deliver(toDelivery('chat', { body: 'b' }))
    expect(none).toMatchObject({ status: 'warning', errorId: 'chat_address_missing' })
    const overrides = { providers: { telegram: { to: '99', parse_mode: 'HTML', content: 'other' } } }
    await channels.deliver(toDelivery('chat', { body: 'b' }, { overrides }))
    expect(provider.received.map(({ body }) => body)).toEqual([{ chat_id: '99', text: 'other', parse_mode: 'HTML' }])
  })

  test('a longer text than a chat provider accepts is truncated, unless it has markup', async (context) => {
    const body = `${'x'.repeat(4094)}👍${'y'.repeat(100)}`
    const expected = `${'x'.repeat(4094)}…`
    const telegram = await start(context, 'telegram')
    const subscriber = { ...toDelivery('chat', {}).subscriber, channels: [] }
    for (const parse_mode of [undefined, 'HTML']) {
      const overrides = { providers: { telegram: { to: '99', ...(parse_mode && { parse_mode }) } } }
      await telegram.channels.deliver(toDelivery('chat', { body }, { overrides, subscriber }))
    }
    expect(telegram.provider.received.map((one) => one.body['text'])).toEqual([expected, body])
    const whatsapp = await start(context, 'whatsapp-business')
    await whatsapp.channels.deliver(toDelivery('chat', { body }))
    await whatsapp.channels.deliver(toDelivery('chat', { body: 'x'.repeat(4096) }))
    const texts = whatsapp.provider.received.map((one) => (one.body['text'] as JsonObject)['body'])
    expect(texts).toEqual([expected, 'x'.repeat(4096)])
  })

  test('overrides turn a WhatsApp message into a template message, and extend an FCM message', async (context) => {
    const whatsapp = await start(context, 'whatsapp-business')
    const template = { name: 'hello', language: { code: 'en' } }
    const overrides = { providers: { 'whatsapp-business': { type: 'template', template } } }
    await whatsapp.channels.deliver(toDelivery('chat', { body: 'b' }, { overrides }))
    expect(whatsapp.provider.received[0]?.body).toMatchObject({ type: 'template', template })
    expect(whatsapp.provider.received[0]?.body).not.toHaveProperty('text')
    const fcm = await start(context, 'fcm')
    const data = { providers: { fcm: { data: { a: '1' }, android: { priority: 'HIGH' } } } }
    const delivery = toDelivery('push', { subject: 's', body: 'b' }, { overrides: data })
    const own = [{ providerId: 'fcm', credentials: { deviceTokens: ['d'] } }]
    await fcm.channels.deliver({ ...delivery, subscriber: { ...delivery.subscriber, channels: own } })
    const tag = expect.any(String)
    expect(fcm.sent()[0]?.body['message']).toMatchObject({
      data: { a: '1' },
      android: { priority: 'HIGH', notification: { tag } },
    })
  })
})
