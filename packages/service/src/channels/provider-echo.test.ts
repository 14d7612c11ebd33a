import type { JsonObject, MessageType } from '@trestle/protocol'
import { describe, expect, test } from 'vitest'
import { drivers } from '../store/stores.fixture.ts'
import { createTestChannels, serveWebhook, toDelivery } from './channels.fixture.ts'
import { serveSmtpLines } from './email/smtp-server.fixture.ts'

const toBase64 = (text: string): string => Buffer.from(text).toString('base64')
const refusal = '535 5.7.8 refused: '
const secret = 'canary-password'
const outputs: Readonly<Record<string, JsonObject>> = {
  email: { subject: 'a', body: 'b' },
  sms: { body: 'b' },
  chat: { body: 'b' },
}

describe.each(drivers)('provider output (%s)', (driver) => {
  async function send(
    context: Parameters<typeof createTestChannels>[1],
    integration: { readonly providerId: string; readonly channel: MessageType },
    credentials: JsonObject,
  ) {
    const channels = await createTestChannels(driver, context)
    await channels.addIntegration(integration, credentials)
    const { messages } = await channels.put(toDelivery(integration.channel, outputs[integration.channel] ?? {}))
    const [message] = messages
    if (!message) throw new Error('a message is expected')
    return channels.send(message)
  }

  test.for(['PLAIN', 'LOGIN'])('contains no password encoded for AUTH %s', async (method, context) => {
    const server = await serveSmtpLines((line) => {
      if (line.startsWith('EHLO')) return `250-here\r\n250 AUTH ${method}`
      return line === 'AUTH LOGIN' ? '334 VXNlcm5hbWU6' : line === toBase64('me') ? '334 UGFzc3dvcmQ6' : refusal + line
    })
    const credentials = { host: '127.0.0.1', port: server.port, user: 'me', password: secret, from: 'a@b.example' }
    const sent = await send(context, { providerId: 'nodemailer', channel: 'email' }, credentials)
    expect(sent.patch).toMatchObject({ status: 'error', errorId: 'EAUTH' })
    expect(sent.patch.errorText).toContain(`${refusal}`)
    expect(sent.patch.errorText).toContain('******')
    for (const form of [secret, toBase64(secret), toBase64(`\0me\0${secret}`)])
      expect(JSON.stringify(sent)).not.toContain(form)
  })

  test('contains no secret for an accepted message', async (context) => {
    const server = await serveSmtpLines((line) => {
      if (line.startsWith('EHLO')) return '250-here\r\n250 AUTH PLAIN'
      return line.startsWith('AUTH') ? '235 yes' : line === '.' ? `250 taken from ${secret}` : undefined
    })
    const credentials = { host: '127.0.0.1', port: server.port, user: 'me', password: secret, from: 'a@b.example' }
    const sent = await send(context, { providerId: 'nodemailer', channel: 'email' }, credentials)
    expect(sent.patch).toMatchObject({ status: 'sent' })
    expect(sent.notes).toMatchObject([{ raw: { response: '250 taken from ******' } }])
  })

  test('is truncated', async (context) => {
    const server = await serveSmtpLines(() => `550 ${'x'.repeat(100_000)}`)
    const credentials = { host: '127.0.0.1', port: server.port, from: 'a@b.example' }
    const sent = await send(context, { providerId: 'nodemailer', channel: 'email' }, credentials)
    expect(sent.patch.errorText).toMatch(/550 x{100}/)
    expect(JSON.stringify(sent).length).toBeLessThan(3000)
    const hook = await serveWebhook(
      200,
      JSON.stringify({ messages: [{ status: '9', 'error-text': 'y'.repeat(50_000) }] }),
    )
    const keys = { apiKey: 'key', secretKey: secret, from: 'Shop', baseUrl: hook.url }
    const refused = await send(context, { providerId: 'nexmo', channel: 'sms' }, keys)
    expect(refused.patch).toMatchObject({ status: 'error', errorId: 'provider_refused' })
    expect(JSON.stringify(refused).length).toBeLessThan(3000)
    const naming = await serveWebhook(200, JSON.stringify({ id: 'z'.repeat(50_000) }))
    const named = await send(
      context,
      { providerId: 'generic-sms', channel: 'sms' },
      { baseUrl: naming.url, idPath: 'id' },
    )
    expect(named.patch).toMatchObject({ status: 'sent', providerMessageId: 'z'.repeat(500) })
  })

  test('contains no part of a secret if it is truncated', async (context) => {
    for (let length = 470; length < 500; length++) {
      const hook = await serveWebhook(400, `${'x'.repeat(length)}${secret}`)
      const keys = { baseUrl: hook.url, apiKey: secret, apiKeyRequestHeader: 'x-key' }
      const sent = await send(context, { providerId: 'generic-sms', channel: 'sms' }, keys)
      expect(JSON.stringify(sent)).not.toContain('canary')
    }
  })

  test('contains no webhook path, and no user and password in header form', async (context) => {
    const hook = await serveWebhook(404, 'Cannot POST /hook/T0/canary-path?key=canary-query')
    const webhookUrl = `${hook.url}/T0/canary-path?key=canary-query`
    const sent = await send(context, { providerId: 'slack', channel: 'chat' }, { webhookUrl })
    expect(sent.patch.errorText).toBe('The webhook answered 404: Cannot POST ******')
    const pair = toBase64(`AC1:${secret}`)
    const api = await serveWebhook(401, `who is ${pair}?`)
    const keys = { accountSid: 'AC1', token: secret, from: '+1', baseUrl: api.url }
    const refused = await send(context, { providerId: 'twilio', channel: 'sms' }, keys)
    expect(refused.patch.errorText).toBe('The provider answered 401: who is ******?')
  })
})
