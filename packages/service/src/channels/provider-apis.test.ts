import { createHash } from 'node:crypto'
import type { JsonObject, MessageType } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { drivers } from '../store/stores.fixture.ts'
import { providerApis } from './apis/api-request.ts'
import { createTestChannels, serveWebhook, toDelivery } from './channels.fixture.ts'
import { serveProvider } from './fake-provider.fixture.ts'

const secret = 'canary-secret'
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`
const mail = { subject: 'Hi', body: '<p>Hello</p>', replyTo: 'help@shop.example' }
const payload = { attachments: [{ file: 'aGk=', name: 'a.txt', mime: 'text/plain' }] }
const sender = { from: 'shop@shop.example', senderName: 'Shop' }

/** The UUID that identifies a message in every attempt to send it. */
function toKey(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

interface Case {
  readonly credentials: JsonObject
  readonly outputs: JsonObject
  /** The provider's response to an accepted message. */
  readonly answer: string
  readonly answerHeaders?: Readonly<Record<string, string>>
  readonly id: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The body; a form is compared as an object of its fields. */
  readonly body: JsonObject
  /** The body fields with the idempotency key, which `body` omits. */
  readonly key?: (key: string) => JsonObject
}

// Requests and responses are taken from each provider's documentation.
const cases: Readonly<Record<string, Case>> = {
  sendgrid: {
    credentials: { apiKey: secret, ...sender },
    outputs: mail,
    answer: '',
    answerHeaders: { 'x-message-id': 'sg-1' },
    id: 'sg-1',
    url: '/v3/mail/send',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: {
      personalizations: [{ to: [{ email: 'ada@example.com' }] }],
      from: { email: 'shop@shop.example', name: 'Shop' },
      reply_to: { email: 'help@shop.example' },
      subject: 'Hi',
      content: [
        { type: 'text/plain', value: 'Hello' },
        { type: 'text/html', value: '<p>Hello</p>' },
      ],
      attachments: [{ filename: 'a.txt', content: 'aGk=', type: 'text/plain' }],
    },
  },
  resend: {
    credentials: { apiKey: secret, ...sender },
    outputs: mail,
    answer: '{"id":"re-1"}',
    id: 're-1',
    url: '/emails',
    headers: { authorization: `Bearer ${secret}` },
    body: {
      from: 'Shop <shop@shop.example>',
      to: ['ada@example.com'],
      reply_to: ['help@shop.example'],
      subject: 'Hi',
      html: '<p>Hello</p>',
      text: 'Hello',
      attachments: [{ filename: 'a.txt', content: 'aGk=', content_type: 'text/plain' }],
    },
  },
  postmark: {
    credentials: { apiKey: secret, ...sender },
    outputs: mail,
    answer: '{"ErrorCode":0,"MessageID":"pm-1"}',
    id: 'pm-1',
    url: '/email',
    headers: { 'x-postmark-server-token': secret, accept: 'application/json' },
    body: {
      From: '"Shop" <shop@shop.example>',
      To: 'ada@example.com',
      ReplyTo: 'help@shop.example',
      Subject: 'Hi',
      HtmlBody: '<p>Hello</p>',
      TextBody: 'Hello',
      Attachments: [{ Name: 'a.txt', Content: 'aGk=', ContentType: 'text/plain' }],
    },
  },
  sendinblue: {
    credentials: { apiKey: secret, ...sender },
    outputs: mail,
    answer: '{"messageId":"<br-1@x>"}',
    id: '<br-1@x>',
    url: '/v3/smtp/email',
    headers: { 'api-key': secret },
    key: (key) => ({ headers: { idempotencyKey: key } }),
    body: {
      sender: { email: 'shop@shop.example', name: 'Shop' },
      to: [{ email: 'ada@example.com' }],
      replyTo: { email: 'help@shop.example' },
      subject: 'Hi',
      htmlContent: '<p>Hello</p>',
      textContent: 'Hello',
      attachment: [{ name: 'a.txt', content: 'aGk=' }],
    },
  },
  mailgun: {
    credentials: { apiKey: secret, domain: 'mg.shop.example', ...sender },
    outputs: mail,
    answer: '{"id":"<mg-1>","message":"Queued. Thank you."}',
    id: '<mg-1>',
    url: '/v3/mg.shop.example/messages',
    headers: { authorization: basic(`api:${secret}`), 'content-type': 'application/x-www-form-urlencoded' },
    body: {
      from: '"Shop" <shop@shop.example>',
      to: 'ada@example.com',
      'h:Reply-To': 'help@shop.example',
      subject: 'Hi',
      html: '<p>Hello</p>',
      text: 'Hello',
    },
  },
  twilio: {
    credentials: { accountSid: 'AC/1', token: secret, from: '+1555', statusCallback: 'https://shop.example/reports' },
    outputs: { body: 'Hé & hi' },
    answer: '{"sid":"SM1"}',
    id: 'SM1',
    url: '/2010-04-01/Accounts/AC%2F1/Messages.json',
    headers: { authorization: basic(`AC/1:${secret}`), 'content-type': 'application/x-www-form-urlencoded' },
    body: {
      ...{ To: '+4912345', From: '+1555', Body: 'Hé & hi' },
      StatusCallback: 'https://shop.example/reports',
    },
  },
  nexmo: {
    credentials: { apiKey: 'key', secretKey: secret, from: 'Shop' },
    outputs: { body: 'hi' },
    answer: '{"messages":[{"status":"0","message-id":"nx-1"}]}',
    id: 'nx-1',
    url: '/sms/json',
    headers: {},
    body: { api_key: 'key', api_secret: secret, to: '4912345', from: 'Shop', text: 'hi', type: 'text' },
  },
  telnyx: {
    credentials: { apiKey: secret, from: '+1555' },
    outputs: { body: 'hi' },
    answer: '{"data":{"id":"tx-1"}}',
    id: 'tx-1',
    url: '/v2/messages',
    headers: { authorization: `Bearer ${secret}` },
    body: { to: '+4912345', from: '+1555', text: 'hi' },
  },
  expo: {
    credentials: { apiKey: secret },
    outputs: { subject: 'T', body: 'B' },
    answer: '{"data":[{"status":"ok","id":"ex-1"},{"status":"error","message":"gone"}]}',
    id: 'ex-1',
    url: '/--/api/v2/push/send',
    headers: { authorization: `Bearer ${secret}` },
    body: { to: ['d1', 'd2'], title: 'T', body: 'B' },
  },
  'one-signal': {
    credentials: { apiKey: secret, applicationId: 'app' },
    outputs: { subject: 'T', body: 'B' },
    answer: '{"id":"os-1"}',
    id: 'os-1',
    url: '/notifications?c=push',
    headers: { authorization: `Key ${secret}` },
    key: (key) => ({ idempotency_key: key }),
    body: {
      app_id: 'app',
      target_channel: 'push',
      include_subscription_ids: ['d1', 'd2'],
      headings: { en: 'T' },
      contents: { en: 'B' },
    },
  },
}
const rows = Object.entries(cases).map(([providerId, one]) => ({ providerId, ...one }))

const prepare = (providerId: string, outputs: JsonObject, change: Parameters<typeof toDelivery>[2] = {}) => {
  const type = providerApis[providerId]?.channel as MessageType
  const delivery = toDelivery(type, outputs, change)
  const channels = [{ providerId, credentials: { deviceTokens: ['d1', 'd2'] } }]
  const files = providerId === 'mailgun' ? {} : payload
  return { ...delivery, run: { ...delivery.run, payload: files }, subscriber: { ...delivery.subscriber, channels } }
}

// Providers that sign requests or build their own URL are covered in proved-apis.test.ts.
test('covers every other provider with an API', () => {
  const others = Object.entries(providerApis).filter(([, { toAuth, address }]) => !toAuth && !address)
  expect(Object.keys(cases).sort()).toEqual(others.map(([id]) => id).sort())
})

describe.each(drivers)('provider API (%s)', (driver) => {
  test.for(rows)('$providerId accepts a message', async (one, context) => {
    const { providerId, credentials, outputs } = one
    const channels = await createTestChannels(driver, context)
    const server = await serveWebhook(202, one.answer, one.answerHeaders)
    const baseUrl = server.url.replace('/hook', '/')
    const channel = providerApis[providerId]?.channel ?? ''
    await channels.addIntegration({ providerId, channel }, { ...credentials, baseUrl })
    const [message] = await channels.deliver(prepare(providerId, outputs))
    expect(message).toMatchObject({ status: 'sent', errorText: null, providerMessageId: one.id, providerId })
    const [request] = server.received
    expect(server.received).toHaveLength(1)
    expect(request).toMatchObject({
      method: 'POST',
      url: one.url,
      headers: { ...one.headers, 'idempotency-key': message?.id },
    })
    const isForm = request?.headers['content-type'] === 'application/x-www-form-urlencoded'
    expect(isForm ? Object.fromEntries(new URLSearchParams(request.text)) : request?.body).toEqual({
      ...one.body,
      ...one.key?.(toKey(message?.id ?? '')),
    })
  })

  test.for(rows)(
    '$providerId reports a rejection without revealing its key',
    async ({ providerId, credentials, outputs }, context) => {
      const channels = await createTestChannels(driver, context)
      const server = await serveWebhook(401, `bad key ${secret}`)
      const channel = providerApis[providerId]?.channel ?? ''
      await channels.addIntegration({ providerId, channel }, { ...credentials, baseUrl: server.url })
      const [message] = await channels.deliver(prepare(providerId, outputs))
      expect(message).toMatchObject({ status: 'error', errorId: 'http_401' })
      expect(JSON.stringify(message)).not.toContain(secret)
    },
  )

  test.for(rows)(
    '$providerId retries a deferred message with the same key, but no message without a response',
    async ({ providerId, credentials, outputs, answer, answerHeaders = {}, id }, context) => {
      const channels = await createTestChannels(driver, context, 600)
      const provider = await serveProvider(() => ({ status: 202, text: answer, headers: answerHeaders }))
      const channel = providerApis[providerId]?.channel ?? ''
      await channels.addIntegration({ providerId, channel }, { ...credentials, baseUrl: provider.url })
      provider.answerNext({ status: 429 })
      const [deferred] = await channels.deliver(prepare(providerId, outputs))
      if (!deferred) throw new Error('a message is expected')
      expect(deferred).toMatchObject({ status: 'pending', attempts: 1, errorId: null })
      const { patch } = await channels.send(deferred)
      expect(patch).toMatchObject({ status: 'sent', providerMessageId: id, attempts: 2 })
      const keys = provider.received.map(({ headers }) => headers['idempotency-key'])
      expect(keys).toEqual([deferred.id, deferred.id])

      provider.answerNext(undefined)
      const [lost] = await channels.deliver(prepare(providerId, outputs))
      expect(lost).toMatchObject({ status: 'error', retryAt: null, delivery: null })
      expect(provider.received).toHaveLength(3)
    },
  )

  test.for([
    ['nexmo', '{"messages":[{"status":"4","error-text":"Bad Credentials"}]}', 'Bad Credentials'],
    ['expo', '{"data":[{"status":"error","message":"not registered"},{"status":"error"}]}', 'not registered'],
    ['expo', 'nonsense', 'did not accept the message'],
    [
      'one-signal',
      '{"id":"","errors":["All included players are not subscribed"]}',
      'All included players are not subscribed',
    ],
    ['one-signal', '{"errors":{"invalid_player_ids":["d1"]}}', '{"invalid_player_ids":["d1"]}'],
    ['one-signal', '{"id":null,"errors":[]}', 'did not accept the message.'],
    ['one-signal', 'nonsense', 'did not accept the message.'],
  ] as const)(
    '%s rejects the message if its response has status 200 and %s',
    async ([providerId, answer, words], context) => {
      const channels = await createTestChannels(driver, context)
      const server = await serveWebhook(200, answer)
      const channel = providerApis[providerId]?.channel ?? ''
      await channels.addIntegration({ providerId, channel }, { ...cases[providerId]?.credentials, baseUrl: server.url })
      const [message] = await channels.deliver(prepare(providerId, cases[providerId]?.outputs ?? {}))
      expect(message).toMatchObject({ status: 'error', errorId: 'provider_refused', providerMessageId: null })
      expect(message?.errorText).toContain(words)
    },
  )

  test.for([
    ['nexmo', '{"messages":[{"status":"1","error-text":"Throughput Rate Exceeded - please wait [ 50 ]"}]}'],
    ['nexmo', '{"messages":[{"status":"2"},{"status":"10","error-text":"Too Many Existing Binds"}]}'],
    ['expo', '{"data":[{"status":"error","message":"slow","details":{"error":"MessageRateExceeded"}}]}'],
    [
      'expo',
      '{"data":[{"status":"error","details":{"error":"DeviceNotRegistered"}},{"status":"error","details":{"error":"MessageRateExceeded"}}]}',
    ],
  ] as const)(
    '%s retries the message if its response has status 200 and %s',
    async ([providerId, refusal], context) => {
      const channels = await createTestChannels(driver, context)
      const { answer = '', outputs = {}, credentials, id } = cases[providerId] ?? {}
      const provider = await serveProvider(() => ({ text: answer }))
      const channel = providerApis[providerId]?.channel ?? ''
      await channels.addIntegration({ providerId, channel }, { ...credentials, baseUrl: provider.url })
      provider.answerNext({ text: refusal, headers: { 'retry-after': '4' } })
      const [message] = await channels.deliver(prepare(providerId, outputs))
      if (!message) throw new Error('a message is expected')
      expect(message).toMatchObject({ status: 'pending', attempts: 1, errorId: null })
      expect(Number(message.retryAt) - Number(message.updatedAt)).toBeGreaterThanOrEqual(4000)
      expect((await channels.send(message)).patch).toMatchObject({ status: 'sent', providerMessageId: id })
    },
  )

  test('ignores an empty message id, and errors about some of the devices', async (context) => {
    const channels = await createTestChannels(driver, context)
    const sms = await serveWebhook(200, '{"id":""}')
    await channels.addIntegration({ providerId: 'generic-sms', channel: 'sms' }, { webhookUrl: sms.url, idPath: 'id' })
    const [text] = await channels.deliver(toDelivery('sms', { body: 'b' }))
    expect(text).toMatchObject({ status: 'sent', providerMessageId: null })
    const push = await serveWebhook(200, '{"id":"os-1","errors":{"invalid_player_ids":["d2"]}}')
    const credentials = { ...cases['one-signal']?.credentials, baseUrl: push.url }
    await channels.addIntegration({ providerId: 'one-signal', channel: 'push' }, credentials)
    const [message] = await channels.deliver(prepare('one-signal', { subject: 'T', body: 'B' }))
    expect(message).toMatchObject({ status: 'sent', providerMessageId: 'os-1' })
  })

  test.for([
    ['Hi Jürgen, 5 € [Δ]: ok?\n', {}, 'text'],
    ['¡Señor, ça va!', {}, 'unicode'],
    ['Привет', {}, 'unicode'],
    ['ok 👍', {}, 'unicode'],
    ['`code`', {}, 'unicode'],
    ['plain', { text: 'Привет' }, 'unicode'],
    ['plain', { _passthrough: { body: { text: 'Привет' } } }, 'unicode'],
    ['Привет', { type: 'text' }, 'text'],
  ] as const)('sends the SMS %j with the overrides %j to Vonage as %s', async ([body, nexmo, type], context) => {
    const channels = await createTestChannels(driver, context)
    const provider = await serveProvider(() => ({ text: cases['nexmo']?.answer ?? '' }))
    const credentials = { ...cases['nexmo']?.credentials, baseUrl: provider.url }
    await channels.addIntegration({ providerId: 'nexmo', channel: 'sms' }, credentials)
    await channels.deliver(prepare('nexmo', { body }, { overrides: { providers: { nexmo } } }))
    expect(new URLSearchParams(provider.received[0]?.text).get('type')).toBe(type)
  })

  test('refuses a mail that refers to a file, and sends nothing', async (context) => {
    const channels = await createTestChannels(driver, context)
    const server = await serveWebhook(200, '{"id":"1"}')
    const credentials = { ...cases['resend']?.credentials, baseUrl: server.url }
    await channels.addIntegration({ providerId: 'resend', channel: 'email' }, credentials)
    const overrides = { email: { attachments: [{ filename: 'a', path: '/etc/passwd' }] } }
    const [message] = await channels.deliver(prepare('resend', mail, { overrides }))
    expect(message).toMatchObject({ status: 'error', errorId: 'mail_invalid', delivery: null })
    expect(message?.errorText).toContain('"attachments.1.path"')
    expect(server.received).toEqual([])
  })

  test('hands a mail with an image in its body to the next integration if the API does not support it', async (context) => {
    const channels = await createTestChannels(driver, context)
    const provider = await serveProvider(() => ({ status: 202, headers: { 'x-message-id': 'sg-1' } }))
    const row = { channel: 'email', configurations: '{"failover":true}' } as const
    const credentials = { apiKey: secret, ...sender, baseUrl: provider.url }
    await channels.addIntegration({ ...row, providerId: 'sendinblue', isPrimary: 1 }, credentials)
    await channels.addIntegration({ ...row, providerId: 'sendgrid' }, credentials)
    const overrides = {
      email: { attachments: [{ filename: 'logo.png', content: 'aGk=', encoding: 'base64', cid: 'logo' }] },
    }
    const [first] = await channels.deliver(prepare('sendinblue', mail, { overrides }))
    expect(first).toMatchObject({ status: 'pending', providerId: 'sendgrid' })
    if (first) expect((await channels.send(first)).patch).toMatchObject({ status: 'sent', providerMessageId: 'sg-1' })
    expect(provider.received).toMatchObject([
      {
        url: '/v3/mail/send',
        body: { attachments: [{}, { content: 'aGk=', content_id: 'logo', disposition: 'inline' }] },
      },
    ])
  })

  test('counts a mail as sent if Brevo accepted it before a crash', async (context) => {
    const channels = await createTestChannels(driver, context)
    const provider = await serveProvider(({ body }) => {
      const { idempotencyKey } = body['headers'] as JsonObject
      const keys = provider.received.map((one) => (one.body['headers'] as JsonObject)['idempotencyKey'])
      const isRepeated = keys.filter((key) => key === idempotencyKey).length > 1
      const refusal = '{"code":"duplicate_parameter","message":"Idempotency key already used"}'
      return isRepeated ? { status: 400, text: refusal } : { status: 201, text: '{"messageId":"<br-1@x>"}' }
    })
    const credentials = { ...cases['sendinblue']?.credentials, baseUrl: provider.url }
    await channels.addIntegration({ providerId: 'sendinblue', channel: 'email' }, credentials)
    const { messages } = await channels.put(prepare('sendinblue', mail))
    const [message] = messages
    if (!message) throw new Error('a message is expected')
    // The outcome of the first attempt is not stored.
    expect((await channels.send(message)).patch).toMatchObject({ status: 'sent', providerMessageId: '<br-1@x>' })
    const repeated = await channels.send(message)
    expect(repeated.patch).toMatchObject({ status: 'sent', errorId: null, providerMessageId: null })
    expect(provider.received).toHaveLength(2)
  })

  test('waits for the answer to a request that Resend still processes', async (context) => {
    const channels = await createTestChannels(driver, context)
    const provider = await serveProvider(() => ({ text: '{"id":"re-1"}' }))
    const credentials = { ...cases['resend']?.credentials, baseUrl: provider.url }
    await channels.addIntegration({ providerId: 'resend', channel: 'email' }, credentials)
    provider.answerNext({ status: 409, text: '{"statusCode":409,"name":"concurrent_idempotent_requests"}' })
    const [message] = await channels.deliver(prepare('resend', mail))
    expect(message).toMatchObject({ status: 'pending', attempts: 1 })
    if (message) expect((await channels.send(message)).patch).toMatchObject({ providerMessageId: 're-1' })
  })

  test('reports missing credentials and sends nothing', async (context) => {
    const channels = await createTestChannels(driver, context)
    await channels.addIntegration({ providerId: 'twilio', channel: 'sms' }, { from: '+1' })
    const [message] = await channels.deliver(prepare('twilio', { body: 'b' }))
    expect(message).toMatchObject({ status: 'error', errorId: 'credentials_missing' })
    expect(message?.errorText).toContain('"accountSid" and "token"')
  })

  test('applies overrides to the message or passes them to the API', async (context) => {
    const channels = await createTestChannels(driver, context)
    const server = await serveWebhook(200, '{"id":"1"}')
    await channels.addIntegration(
      { providerId: 'resend', channel: 'email' },
      { ...cases['resend']?.credentials, baseUrl: server.url },
    )
    const overrides = {
      email: { subject: 'Other', cc: 'bob@example.com' },
      providers: {
        resend: { tags: [{ name: 'a', value: 'b' }], _passthrough: { headers: { 'X-A': '1' }, body: { text: '' } } },
      },
    }
    const [message] = await channels.deliver(prepare('resend', mail, { overrides }))
    expect(message).toMatchObject({ status: 'sent', subject: 'Other' })
    expect(server.received[0]).toMatchObject({
      headers: { 'x-a': '1' },
      body: { subject: 'Other', cc: ['bob@example.com'], tags: [{ name: 'a', value: 'b' }], text: '' },
    })
  })
})
