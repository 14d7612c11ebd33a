import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sealedPlaces } from '../secrets/sealed-places.ts'
import { drivers } from '../store/stores.fixture.ts'
import { createTestChannels, environmentId, serveWebhook, toDelivery, vault } from './channels.fixture.ts'
import { serveSmtp } from './email/smtp-server.fixture.ts'
import { noDevice } from './webhook/webhook-draft.ts'

const mail = { subject: 'Hello {{ t.name }}', body: '<p>Body</p>' }

describe.each(drivers)('messages (%s)', (driver) => {
  test('of an in-app step count as delivered once they are stored for their recipient', async (context) => {
    const channels = await createTestChannels(driver, context)
    const outputs = {
      subject: 'Su\u0000bject \ud800',
      body: '<b>Hi</b>\u0000',
      avatar: 'https://example.com/a.png',
      primaryAction: { label: 'Go', redirect: { url: '/go', target: '_self' } },
      secondaryAction: { label: 'No' },
      redirect: { url: '/all' },
      data: { a: [1, { b: null }] },
    }
    const { notes } = await channels.put(toDelivery('in_app', outputs))
    expect(notes.map(({ detail, status }) => `${detail} ${status}`)).toEqual([
      'Message created Pending',
      'Message sent Success',
    ])
    const [row] = await channels.db.selectFrom('messages').selectAll().execute()
    expect(row).toMatchObject({
      environmentId,
      channel: 'in_app',
      status: 'sent',
      providerId: 'novu',
      subject: 'Su\uFFFDbject \uFFFD',
      avatar: 'https://example.com/a.png',
      seen: 0,
      delivery: null,
      tags: '["a"]',
    })
    expect(JSON.parse(row?.content ?? '')).toBe('<b>Hi</b>\u0000')
    expect(JSON.parse(row?.cta ?? '')).toEqual({
      type: 'redirect',
      data: { url: '/all' },
      action: {
        status: 'pending',
        buttons: [
          { type: 'primary', content: 'Go', url: '/go', target: '_self' },
          { type: 'secondary', content: 'No' },
        ],
      },
    })
    expect(JSON.parse(row?.data ?? '')).toEqual({ a: [1, { b: null }] })
    expect(await channels.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  test('are stored once and sent once, however often the step is settled', async (context) => {
    const channels = await createTestChannels(driver, context)
    const server = await serveSmtp()
    await channels.addIntegration(
      { providerId: 'nodemailer', channel: 'email' },
      { host: '127.0.0.1', port: server.port, from: 'a@b.example' },
    )
    const delivery = toDelivery('email', mail)
    const first = await channels.put(delivery)
    const second = await channels.put(delivery)
    expect(second.messages.map(({ id }) => id)).toEqual(first.messages.map(({ id }) => id))
    expect(second.notes).toEqual([])
    expect(second.messages[0]?.status).toBe('pending')
    await channels.deliver(delivery)
    await channels.deliver(delivery)
    expect(server.received).toHaveLength(1)
    const [ended] = first.messages
    if (ended) await channels.send({ ...ended, status: 'sent' })
    expect(server.received).toHaveLength(1)
    expect(await channels.db.selectFrom('messages').selectAll().execute()).toHaveLength(1)
  })

  test('without a delivering integration are kept in the outbox as they would have been sent', async (context) => {
    const channels = await createTestChannels(driver, context)
    const stored = await channels.put(toDelivery('email', mail))
    expect(stored.notes.at(-1)).toMatchObject({ status: 'Success', detail: 'Message kept in the outbox' })
    await channels.put(toDelivery('sms', { body: 'code 1' }))
    await channels.put(toDelivery('push', { subject: 'T', body: 'B' }))
    await channels.put(toDelivery('chat', { body: 'chat' }))
    await channels.put(toDelivery('tool', { body: 'tool' }))
    const kept = await channels.db.selectFrom('outbox').selectAll().orderBy('id').execute()
    expect(kept.map(({ channel, recipient }) => [channel, recipient])).toEqual([
      ['email', 'ada@example.com'],
      ['sms', '+4912345'],
      ['push', 'ada'],
      ['chat', 'ada'],
      ['tool', 'ada'],
    ])
    const contents = kept.map(({ content }) => JSON.parse(content))
    expect(contents[0]).toMatchObject({
      to: 'ada@example.com',
      subject: 'Hello {{ t.name }}',
      html: '<p>Body</p>',
      text: 'Body',
    })
    expect(contents[1]).toMatchObject({ to: '+4912345', content: 'code 1' })
    expect(contents[2]).toMatchObject({ title: 'T', content: 'B' })
    expect(contents[3]).toMatchObject({ text: 'chat' })
    const statuses = await channels.db.selectFrom('messages').select('status').execute()
    expect(statuses.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent', 'sent', 'sent'])
  })

  test('to a recipient without an address are reported and not sent', async (context) => {
    const channels = await createTestChannels(driver, context)
    const subscriber = { _id: '0000000000000000000000b1', subscriberId: 'ada', email: null, phone: null }
    for (const [type, code] of [
      ['email', 'subscriber_email_missing'],
      ['sms', 'subscriber_phone_missing'],
    ] as const) {
      const { messages, notes } = await channels.put(toDelivery(type, { ...mail }, { subscriber }))
      expect(messages).toMatchObject([{ status: 'warning', errorId: code, delivery: null }])
      expect(notes.at(-1)).toMatchObject({ status: 'Failed', source: 'Payload', raw: { code } })
    }
    expect(await channels.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  test("are sent through the integration's SMTP server, translated and in their layout", async (context) => {
    const channels = await createTestChannels(driver, context)
    const server = await serveSmtp({ user: 'me', password: 'canary-password' })
    const credentials = {
      host: '127.0.0.1',
      port: server.port,
      user: 'me',
      password: 'canary-password',
      from: 'a@b.example',
    }
    await channels.addIntegration({ providerId: 'nodemailer', channel: 'email' }, credentials)
    const stamp = { environmentId, createdAt: 1, updatedAt: 1 }
    const content = JSON.stringify({ name: 'Welt', foot: 'Fuß für {{ subscriber.firstName }}' })
    for (const [resourceType, resourceId] of [
      ['workflow', 'welcome'],
      ['layout', 'standard'],
    ] as const) {
      const id = `00000000000000000000${resourceType.slice(0, 4)}`
      await channels.db
        .insertInto('translations')
        .values({ id, resourceType, resourceId, locale: 'de', content, ...stamp })
        .execute()
    }
    const layout = {
      identifier: 'standard',
      name: 'Standard',
      description: null,
      variables: '[]',
      controlValues: '{}',
      isDefault: 1,
      isTranslationEnabled: 1,
    } as const
    await channels.db
      .insertInto('layouts')
      .values({
        id: '0000000000000000000000c1',
        ...layout,
        content: '<main>{{{body}}}</main><footer>{{ t.foot }}</footer>',
        ...stamp,
      })
      .execute()
    const [row] = await channels.deliver(toDelivery('email', mail))
    expect(row).toMatchObject({
      status: 'sent',
      errorId: null,
      delivery: null,
      email: 'ada@example.com',
      subject: 'Hello Welt',
    })
    expect(row?.providerMessageId).toBe(`<${row?.id}@b.example>`)
    expect(JSON.parse(row?.deliveredAt ?? '')).toHaveLength(1)
    expect(server.received).toMatchObject([{ from: 'a@b.example', to: ['ada@example.com'], user: 'me' }])
    expect(server.received[0]?.source).toContain('<main><p>Body</p></main><footer>Fu=C3=9F f=C3=BCr Ada</footer>')
    const none = await channels.deliver(
      toDelivery('email', mail, { overrides: { channels: { email: { layoutId: null } } } }),
    )
    expect(JSON.parse(none[0]?.content ?? '')).toBe('<p>Body</p>')
    const notes = (await channels.put(toDelivery('email', mail, { overrides: { layoutIdentifier: null } }))).notes
    expect(notes.filter(({ status }) => status === 'Warning')).toEqual([])
    const escaped = { subject: '{{ t.foot }}', body: '{{ t.foot }}' }
    const tricky = { ...toDelivery('email', mail).subscriber, firstName: '<A>' }
    const [deliveredMessage] = await channels.deliver(
      toDelivery('email', escaped, { subscriber: tricky, overrides: { layoutIdentifier: null } }),
    )
    expect([deliveredMessage?.subject, JSON.parse(deliveredMessage?.content ?? '')]).toEqual([
      'Fuß für <A>',
      'Fuß für &lt;A&gt;',
    ])
    const missing = await channels.put(
      toDelivery('email', mail, { overrides: { steps: { step: { layoutId: 'nowhere' } } } }),
    )
    expect(missing.notes).toContainEqual(
      expect.objectContaining({ status: 'Warning', detail: expect.stringContaining('"nowhere"') }),
    )
  })

  test('rejected by a provider are kept with the reason, without secrets', async (context) => {
    const channels = await createTestChannels(driver, context)
    const server = await serveSmtp({ user: 'me', password: 'right' })
    const credentials = {
      host: '127.0.0.1',
      port: server.port,
      user: 'me',
      password: 'canary-password',
      from: 'a@b.example',
    }
    await channels.addIntegration({ providerId: 'nodemailer', channel: 'email' }, credentials)
    const { messages } = await channels.put(toDelivery('email', mail))
    const [message] = messages
    if (!message) throw new Error('a message is expected')
    expect(message.delivery).not.toContain('canary')
    const sent = await channels.send(message)
    expect(sent).toMatchObject({ notes: [{ status: 'Failed' }], patch: { status: 'error', errorId: 'EAUTH' } })
    const tables = [
      sent,
      await channels.db.selectFrom('messages').selectAll().execute(),
      await channels.db.selectFrom('integrations').selectAll().execute(),
    ]
    expect(JSON.stringify(tables)).not.toContain('canary')
  })

  test('of chat steps have the format that the receiver expects', async (context) => {
    const channels = await createTestChannels(driver, context)
    const slack = await serveWebhook()
    const discord = await serveWebhook(200, '{"id":"998"}')
    await channels.addIntegration({ providerId: 'slack', channel: 'chat', identifier: 'slack-1' })
    await channels.addIntegration({ providerId: 'discord', channel: 'chat', identifier: 'discord-1' })
    const subscriber = {
      ...toDelivery('chat', {}).subscriber,
      channels: [
        { providerId: 'slack', credentials: { webhookUrl: slack.url } },
        { providerId: 'discord', integrationIdentifier: 'discord-1', credentials: { webhookUrl: discord.url } },
      ],
    }
    const card = {
      type: 'card',
      title: 'Deploy',
      children: [
        { type: 'text', content: 'done' },
        { type: 'actions', children: [{ type: 'link-button', label: 'Open', url: 'https://example.com' }] },
      ],
    }
    const providers = {
      slack: {
        text: 'changed',
        _passthrough: { body: { username: 'bot' }, headers: { 'X-One': '1' }, query: { a: 'b' } },
      },
    }
    const rows = await channels.deliver(toDelivery('chat', { body: 'Hi', card }, { subscriber, providers }))
    expect(rows.map(({ status, providerId, providerMessageId }) => [status, providerId, providerMessageId])).toEqual([
      ['sent', 'slack', null],
      ['sent', 'discord', '998'],
    ])
    expect(slack.received).toMatchObject([
      { method: 'POST', url: '/hook?a=b', body: { text: 'changed', username: 'bot' } },
    ])
    expect(slack.received[0]?.headers).toMatchObject({
      'x-one': '1',
      'content-type': 'application/json',
      'idempotency-key': rows[0]?.id,
    })
    expect(slack.received[0]?.body['blocks']).toEqual([
      { type: 'section', text: { type: 'mrkdwn', text: 'Hi' } },
      { type: 'header', text: { type: 'plain_text', text: 'Deploy' } },
      { type: 'section', text: { type: 'plain_text', text: 'done' } },
      {
        type: 'actions',
        elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://example.com' }],
      },
    ])
    expect(discord.received).toMatchObject([
      {
        url: '/hook?wait=true',
        body: { content: 'Hi', embeds: [{ title: 'Deploy', description: 'done\nOpen: https://example.com' }] },
      },
    ])
    expect(JSON.stringify(rows)).not.toContain(slack.url)
  })

  test('of push steps report a missing device, in the outbox and at an API', async (context) => {
    const channels = await createTestChannels(driver, context)
    const outputs = { subject: 'T', body: 'B' }
    const own = toDelivery('push', outputs).subscriber
    const devices = [{ providerId: 'expo', credentials: { deviceTokens: ['d1', 'd1'] } }]
    const noted = async (change: object) => {
      const { notes } = await channels.put(toDelivery('push', outputs, change))
      return notes.map(({ detail }) => detail)
    }
    expect(await noted({})).toEqual([noDevice, 'Message created', 'Message kept in the outbox'])
    expect(await noted({ subscriber: { ...own, channels: devices } })).not.toContain(noDevice)
    const kept = await channels.db.selectFrom('outbox').select('content').orderBy('id').execute()
    expect(kept.map(({ content }) => JSON.parse(content).target)).toEqual([[], ['d1']])
    await channels.addIntegration({ providerId: 'expo', channel: 'push' }, { apiKey: 'key' })
    const [message] = await channels.deliver(toDelivery('push', outputs))
    expect(message).toMatchObject({ status: 'warning', errorId: 'device_tokens_missing' })
  })

  test('of SMS and push steps are sent to a webhook, signed if it has a key', async (context) => {
    const channels = await createTestChannels(driver, context)
    const hook = await serveWebhook(202, '{"data":{"id":42}}')
    const keys = {
      hmacKey: 'canary-key',
      apiKey: 'canary-api',
      apiKeyRequestHeader: 'X-Api-Key',
      idPath: 'data.id',
      from: '+1',
    }
    await channels.addIntegration({ providerId: 'generic-sms', channel: 'sms' }, { baseUrl: hook.url, ...keys })
    await channels.addIntegration({ providerId: 'push-webhook', channel: 'push' }, { webhookUrl: hook.url })
    const [sms] = await channels.deliver(
      toDelivery('sms', { body: 'code' }, { overrides: { providers: { 'generic-sms': { to: '+99' } } } }),
    )
    const subscriber = {
      ...toDelivery('push', {}).subscriber,
      channels: [{ providerId: 'push-webhook', credentials: { deviceTokens: ['d1', 'd1'] } }],
    }
    const [push] = await channels.deliver(toDelivery('push', { subject: 'T', body: 'B' }, { subscriber }))
    expect(sms).toMatchObject({ status: 'sent', providerMessageId: '42', phone: '+99' })
    expect(push).toMatchObject({ status: 'sent', deviceTokens: '["d1"]', title: 'T' })
    const [first, second] = hook.received
    expect(first?.body).toMatchObject({
      to: '+99',
      from: '+1',
      content: 'code',
      payload: { order: 7 },
      messageId: sms?.id,
    })
    expect(first?.headers['x-api-key']).toBe('canary-api')
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(first?.headers['service-signature'])) ?? []
    expect(v1).toBe(createHmac('sha256', 'canary-key').update(`${t}.${first?.text}`).digest('hex'))
    expect(second?.body).toMatchObject({ target: ['d1'], title: 'T', content: 'B' })
    expect(JSON.stringify(await channels.db.selectFrom('messages').selectAll().execute())).not.toContain('canary')
  })

  test('to a webhook that fails, rejects or redirects become errors', async (context) => {
    const channels = await createTestChannels(driver, context)
    const failing = await serveWebhook(500, 'no such channel')
    const cases = [
      [failing.url, 'http_500'],
      ['http://10.0.0.1/hook', 'PRIVATE_IP'],
      ['http://localhost/hook', 'BLOCKED_HOSTNAME'],
      ['file:///etc/passwd', 'UNSUPPORTED_SCHEME'],
      ['not a url', 'INVALID_URL'],
    ] as const
    for (const [webhookUrl, code] of cases) {
      const identifier = code
      await channels.addIntegration({ providerId: 'chat-webhook', channel: 'chat', identifier }, { webhookUrl })
      const [row] = await channels.deliver(
        toDelivery('chat', { body: 'x' }, { overrides: { chat: { integrationIdentifier: identifier } } }),
      )
      expect(row).toMatchObject({ status: 'error', errorId: code, delivery: null })
      expect(row?.errorText).not.toContain(webhookUrl)
    }
    const headers = { 'Content-Length': '0' }
    const overrides = {
      chat: { integrationIdentifier: 'http_500' },
      providers: { 'chat-webhook': { _passthrough: { headers } } },
    }
    const [row] = await channels.deliver(toDelivery('chat', { body: 'x' }, { overrides }))
    expect(row).toMatchObject({ status: 'error', errorId: 'header_refused' })
    expect(failing.received).toHaveLength(1)
  })

  test('rejected by a webhook never show its secrets, even if the webhook prints them', async (context) => {
    const channels = await createTestChannels(driver, context)
    const echo = await serveWebhook(400, 'bad key canary-api for /hook/canary-path, signed by canary-hmac')
    const keys = { apiKey: 'canary-api', apiKeyRequestHeader: 'x-key', hmacKey: 'canary-hmac' }
    await channels.addIntegration(
      { providerId: 'generic-sms', channel: 'sms' },
      { baseUrl: `${echo.url}/canary-path`, ...keys },
    )
    const { messages } = await channels.put(toDelivery('sms', { body: 'x' }))
    const [message] = messages
    if (!message) throw new Error('a message is expected')
    const sent = await channels.send(message)
    expect(sent.patch).toMatchObject({ status: 'error', errorId: 'http_400' })
    expect(JSON.stringify(sent)).not.toMatch(/canary-(api|hmac)/)
    expect(sent.patch.errorText).toContain('bad key ******')
  })

  test('are stored regardless of what the provider, the trigger or the step sends', async (context) => {
    const channels = await createTestChannels(driver, context)
    const bad = 'a\u0000b\ud800'
    const failing = await serveWebhook(500, 'no\u0000way')
    await channels.addIntegration({ providerId: 'slack', channel: 'chat' }, { webhookUrl: failing.url })
    const [row] = await channels.deliver(toDelivery('chat', { body: bad }))
    expect(row?.errorText).toBe('The webhook answered 500: no\uFFFDway')
    const taking = await serveWebhook(200, JSON.stringify({ id: bad }))
    await channels.addIntegration({ providerId: 'generic-sms', channel: 'sms' }, { baseUrl: taking.url, idPath: 'id' })
    expect(await channels.deliver(toDelivery('sms', { body: bad }))).toMatchObject([
      { status: 'sent', providerMessageId: 'a\uFFFDb\uFFFD' },
    ])
    const overrides = {
      layoutIdentifier: bad,
      email: { subject: bad, to: [`${bad}@example.com`] },
      tool: { integrationIdentifier: bad },
    }
    for (const type of ['email', 'push', 'tool', 'in_app'] as const) {
      const outputs = { subject: bad, title: bad, body: `${bad} {{ t["${bad}"] }}`, avatar: bad, preheader: bad }
      const { notes } = await channels.put(toDelivery(type, outputs, { overrides }))
      expect(notes.map(({ detail }) => detail).join('')).not.toMatch(/\p{Surrogate}|\u0000/u)
    }
  })

  test('use the integration that the trigger names, or else the first with matching conditions', async (context) => {
    const channels = await createTestChannels(driver, context)
    const hook = await serveWebhook()
    const add = (identifier: string, row: object = {}) =>
      channels.addIntegration(
        { providerId: 'generic-sms', channel: 'sms', identifier, ...row },
        { baseUrl: `${hook.url}/${identifier}` },
      )
    await add('plain')
    await add('primary', { isPrimary: 1 })
    await add('off', { active: 0, isPrimary: 1 })
    await add('agent', { kind: 'agent', isPrimary: 1, priority: 99 })
    const conditions = [
      { value: 'AND', children: [{ on: 'subscriber', field: 'subscriberId', operator: 'EQUAL', value: 'grace' }] },
    ]
    await add('for-grace', { isPrimary: 1, priority: 9, conditions: JSON.stringify(conditions) })
    await channels.deliver(toDelivery('sms', { body: '1' }))
    await channels.deliver(toDelivery('sms', { body: '2' }, { overrides: { sms: { integrationIdentifier: 'plain' } } }))
    const grace = { ...toDelivery('sms', {}).subscriber, subscriberId: 'grace' }
    await channels.deliver(toDelivery('sms', { body: '3' }, { subscriber: grace }))
    expect(hook.received.map(({ url }) => url)).toEqual(['/hook/primary', '/hook/plain', '/hook/for-grace'])
    const [row] = await channels.deliver(
      toDelivery('sms', { body: '4' }, { overrides: { sms: { integrationIdentifier: 'off' } } }),
    )
    expect(row).toMatchObject({ status: 'error', errorId: 'integration_not_found' })
  })

  test('whose integration credentials cannot be decrypted become errors, and do not block others', async (context) => {
    const channels = await createTestChannels(driver, context)
    await channels.addIntegration({ providerId: 'slack', channel: 'chat', credentials: 'v1.altered' })
    const [row] = await channels.deliver(toDelivery('chat', { body: 'x' }))
    expect(row).toMatchObject({ status: 'error', errorId: 'credentials_unreadable', delivery: null })
    expect(await channels.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  test('of unsupported providers are kept in the outbox, and the run reports that', async (context) => {
    const channels = await createTestChannels(driver, context)
    await channels.addIntegration({ providerId: 'sparkpost', channel: 'email' }, { apiKey: 'canary' })
    const { notes } = await channels.put(toDelivery('email', mail))
    expect(notes).toContainEqual(
      expect.objectContaining({ status: 'Warning', detail: expect.stringContaining('"sparkpost"') }),
    )
    expect(await channels.db.selectFrom('outbox').selectAll().execute()).toHaveLength(1)
  })

  test('are sent through each integration for which the recipient has an address, and no other', async (context) => {
    const channels = await createTestChannels(driver, context)
    const hook = await serveWebhook()
    const [one, two] = [
      await channels.addIntegration({ providerId: 'slack', channel: 'chat', identifier: 'one' }),
      await channels.addIntegration({ providerId: 'slack', channel: 'chat', identifier: 'two' }),
    ]
    const at = (path: string) => ({ providerId: 'slack', credentials: { webhookUrl: `${hook.url}/${path}` } })
    const deliver = async (...addresses: object[]) => {
      hook.received.length = 0
      const subscriber = { ...toDelivery('chat', {}).subscriber, channels: addresses as never }
      await channels.deliver(toDelivery('chat', { body: 'x' }, { subscriber }))
      return hook.received.map(({ url }) => url)
    }
    expect(await deliver({ ...at('a'), _integrationId: two })).toEqual(['/hook/a'])
    expect(await deliver({ ...at('a'), integrationIdentifier: 'one' }, { ...at('b'), _integrationId: two })).toEqual([
      '/hook/a',
      '/hook/b',
    ])
    expect(await deliver({ ...at('all'), _integrationId: '' }, { ...at('b'), _integrationId: one })).toEqual([
      '/hook/b',
      '/hook/all',
    ])
    expect(await deliver({ ...at('gone'), _integrationId: '000000000000000000000000' })).toEqual([])
    // Before credentials were replaced on update, later ones were stored after existing ones.
    expect(
      await deliver({ ...at('old'), integrationIdentifier: 'one' }, { ...at('new'), _integrationId: one }),
    ).toEqual(['/hook/new'])
    expect(await deliver(at('old'), at('new'))).toEqual(['/hook/new', '/hook/new'])
  })

  test('of push steps are not sent through an API without a device, even if the API has its own URL', async (context) => {
    const channels = await createTestChannels(driver, context)
    const sandbox = { baseUrl: 'https://api.sandbox.push.apple.com' }
    await channels.addIntegration({ providerId: 'apns', channel: 'push', isPrimary: 1 }, sandbox)
    const hook = await serveWebhook(200, '{"data":[{"status":"ok","id":"1"}]}')
    await channels.addIntegration({ providerId: 'expo', channel: 'push' }, { baseUrl: hook.url })
    await channels.addIntegration({ providerId: 'push-webhook', channel: 'push' }, { baseUrl: hook.url })
    const { subscriber } = toDelivery('push', {})
    const addresses = [
      { providerId: 'expo', credentials: { deviceTokens: ['d1'] } },
      // An API has no use for a webhook.
      { providerId: 'apns', credentials: { webhookUrl: hook.url } },
    ]
    const change = { subscriber: { ...subscriber, channels: addresses } }
    const rows = await channels.deliver(toDelivery('push', { subject: 'T', body: 'B' }, change))
    expect(rows.map(({ providerId, status }) => [providerId, status])).toEqual([
      ['expo', 'sent'],
      ['push-webhook', 'sent'],
    ])
  })

  test('use the webhook endpoint stored for the recipient and the most contexts of the run', async (context) => {
    const channels = await createTestChannels(driver, context)
    const hook = await serveWebhook()
    await channels.addIntegration({ providerId: 'slack', channel: 'chat', identifier: 'slack-1' })
    const stored = [['all'], ['acme', 'tenant:acme'], ['both', 'tenant:acme', 'region:eu'], ['globex', 'tenant:globex']]
    for (const [index, [name, ...contextKeys]] of stored.entries()) {
      const id = `0000000000000000000000d${index}`
      await channels.db
        .insertInto('channelEndpoints')
        .values({
          ...{ id, environmentId, identifier: id, integrationIdentifier: 'slack-1', providerId: 'slack' },
          ...{ channel: 'chat', connectionIdentifier: null, subscriberId: 'ada', type: 'webhook' },
          contextKeys: JSON.stringify(contextKeys),
          endpoint: vault.seal(JSON.stringify({ url: `${hook.url}/${name}` }), sealedPlaces.endpoint(id)),
          ...{ createdAt: 1, updatedAt: 1 },
        })
        .execute()
    }
    const deliver = async (...contextKeys: string[]) => {
      const delivery = toDelivery('chat', { body: 'x' })
      await channels.deliver({ ...delivery, run: { ...delivery.run, contextKeys } })
      return hook.received.at(-1)?.url.split('/').at(-1)
    }
    expect(await deliver()).toBe('all')
    expect(await deliver('tenant:acme')).toBe('acme')
    expect(await deliver('region:eu', 'tenant:acme')).toBe('both')
    expect(await deliver('tenant:globex', 'region:eu')).toBe('globex')
    expect(await deliver('tenant:other')).toBe('all')
  })
})
