import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { JsonObject } from '@trestle/protocol'
import { describe, expect, it, type TestContext } from 'vitest'
import { serveProvider } from '../../channels/fake-provider.fixture.ts'
import { startTestService } from '../service.fixture.ts'

const waiting = { timeout: 15_000, interval: 20 }

/** A call of a provider about a message, at a time in seconds since 1970. */
interface ProviderCall {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

interface ProviderCase {
  readonly channel: 'email' | 'sms' | 'chat'
  readonly credentials: JsonObject
  /** The documented response to a message. */
  readonly response: JsonObject
  /** The id of the message as reported, which may differ from that in the response. */
  readonly reportedId: string
  /** Whether a proof expires. */
  readonly expires: boolean
  readonly toCall: (messageId: string, seconds: number) => ProviderCall
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const secret = '0123456789abcdef0123456789abcdef'
const json = { 'content-type': 'application/json' }
const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex')

const cases: Readonly<Record<string, ProviderCase>> = {
  sendinblue: {
    channel: 'email',
    credentials: { apiKey: 'x', from: 'shop@example.com', webhookKey: secret },
    response: { messageId: '<201798300811.5787683@relay.domain.com>' },
    reportedId: '201798300811.5787683@relay.domain.com',
    expires: false,
    toCall: (messageId, seconds) => ({
      body: JSON.stringify({
        event: 'delivered',
        email: 'ada@example.com',
        'message-id': messageId,
        ts_event: seconds,
      }),
      headers: { ...json, authorization: `Bearer ${secret}` },
    }),
  },
  nexmo: {
    channel: 'sms',
    credentials: { apiKey: 'x', secretKey: 'x', from: 'Shop', webhookKey: secret },
    response: { 'message-count': '1', messages: [{ to: '4912345', 'message-id': '0A0000000123ABCD1', status: '0' }] },
    reportedId: '0A0000000123ABCD1',
    expires: true,
    toCall(messageId, seconds) {
      const fields = { messageId, status: 'delivered', timestamp: String(seconds) }
      const sig = hmac(`&messageId=${messageId}&status=delivered&timestamp=${seconds}`)
      return { body: JSON.stringify({ ...fields, sig }), headers: json }
    },
  },
  telnyx: {
    channel: 'sms',
    credentials: {
      ...{ apiKey: 'x', from: '+15005550006' },
      webhookKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
    },
    response: { data: { id: '40385f64-5717-4562-b3fc-2c963f66afa6', record_type: 'message' } },
    reportedId: '40385f64-5717-4562-b3fc-2c963f66afa6',
    expires: true,
    toCall(messageId, seconds) {
      const payload = { id: messageId, to: [{ phone_number: '+4912345', status: 'delivered' }] }
      const body = JSON.stringify({ data: { event_type: 'message.finalized', id: `event-${messageId}`, payload } })
      const signature = sign(null, Buffer.from(`${seconds}|${body}`), privateKey).toString('base64')
      return { body, headers: { ...json, 'telnyx-timestamp': `${seconds}`, 'telnyx-signature-ed25519': signature } }
    },
  },
  'whatsapp-business': {
    channel: 'chat',
    credentials: {
      ...{ apiToken: 'x', phoneNumberIdentification: '106540352242922', webhookKey: secret },
      verifyToken: 'meatyhamhock',
    },
    response: { messaging_product: 'whatsapp', messages: [{ id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI=' }] },
    reportedId: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI=',
    expires: false,
    toCall(messageId, seconds) {
      const statuses = [{ id: messageId, status: 'delivered', timestamp: `${seconds}`, recipient_id: '4912345' }]
      const changes = [{ field: 'messages', value: { messaging_product: 'whatsapp', statuses } }]
      const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] })
      return { body, headers: { ...json, 'x-hub-signature-256': `sha256=${hmac(body)}` } }
    },
  },
}

async function start(context: TestContext, providerId: string, { channel, credentials, response }: ProviderCase) {
  const tested = await startTestService('sqlite', context, { work: true })
  const { call, addSubscriber } = tested
  const provider = await serveProvider(() => ({ text: JSON.stringify(response) }))
  const { body } = await call('POST', '/v1/integrations', {
    ...{ providerId, channel, identifier: 'reporting', active: true },
    credentials: { ...credentials, baseUrl: provider.url },
  })
  await addSubscriber('ada', { email: 'ada@example.com', phone: '+4912345' })
  await call('POST', '/v1/workflows', {
    name: 'Hello',
    notificationGroupId: (await call('GET', '/v1/notification-groups')).body.data[0]._id,
    active: true,
    steps: [{ template: { type: channel, content: 'Hi', ...(channel === 'email' && { subject: 'Hi' }) } }],
  })
  const { reportsUrl } = body.data
  const findMessage = async () => (await call('GET', '/v1/messages')).body.data[0]
  const post = async ({ body, headers }: ProviderCall): Promise<readonly [number, JsonObject]> => {
    const reply = await fetch(reportsUrl, { method: 'POST', headers, body })
    return [reply.status, JSON.parse(await reply.text())]
  }
  return { ...tested, reportsUrl, findMessage, post }
}

const nowSeconds = () => Math.floor(Date.now() / 1000)
const dayAndMore = 25 * 60 * 60

describe.each(Object.entries(cases))('delivery reports of %s', (providerId, one) => {
  it('reach the message by the id in the response of the provider, once', async (context) => {
    const { call, findMessage, post } = await start(context, providerId, one)
    await call('POST', '/v1/events/trigger', { name: 'hello', to: 'ada' })
    await expect.poll(findMessage, waiting).toMatchObject({ status: 'sent' })
    const genuine = one.toCall(one.reportedId, nowSeconds())
    expect(await post(one.toCall('another-message', nowSeconds()))).toEqual([200, { stored: 0 }])
    const tampered = { ...genuine, body: genuine.body.replace('delivered', 'failed') }
    const withoutProof = { ...genuine, headers: json, body: genuine.body.replace(/,"sig":"\w+"/, '') }
    expect((await post(withoutProof))[0]).toBe(401)
    if (!('authorization' in genuine.headers)) expect((await post(tampered))[0]).toBe(401)
    const old = one.toCall(one.reportedId, nowSeconds() - dayAndMore)
    if (one.expires) expect((await post(old))[0]).toBe(401)
    expect((await findMessage()).reports).toEqual([])
    expect(await post(genuine)).toEqual([200, { stored: 1 }])
    expect(await post(genuine)).toEqual([200, { stored: 0 }])
    expect((await findMessage()).reports).toMatchObject([{ type: 'delivered' }])
  })
})

describe('the challenge of a provider', () => {
  it('is answered as text if it contains the token of the integration', async (context) => {
    const whatsapp = cases['whatsapp-business'] as ProviderCase
    const { call, reportsUrl } = await start(context, 'whatsapp-business', whatsapp)
    const ask = async (url: string, token = 'meatyhamhock', challenge = '1158201444') => {
      const query = { 'hub.mode': 'subscribe', 'hub.challenge': challenge, 'hub.verify_token': token, 'hub.new': '1' }
      const reply = await fetch(`${url}?${new URLSearchParams(query)}`)
      return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() }
    }
    expect(await ask(reportsUrl)).toEqual({ status: 200, type: 'text/plain; charset=utf-8', text: '1158201444' })
    const others = { providerId: 'resend', channel: 'email', credentials: { webhookKey: `whsec_${secret}` } }
    const { body: resend } = await call('POST', '/v1/integrations', others)
    const refused = [
      await ask(reportsUrl, 'meatyhamhoc'),
      await ask(reportsUrl, 'meatyhamhock', '<b>'),
      await ask(resend.data.reportsUrl),
      await ask(reportsUrl.replace(/\w{24}/, '0'.repeat(24))),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    expect(new Set(refused.map(({ text }) => JSON.parse(text).message)).size).toBe(1)
    expect((await fetch(reportsUrl)).status).toBe(401)
    expect((await call('GET', '/v1/integrations')).body.data[0].credentials.verifyToken).not.toContain('meaty')
  })
})
