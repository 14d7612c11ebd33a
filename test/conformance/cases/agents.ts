import { agent } from '@trestle/core/agents'
import { beforeEach, describe, expect, test } from 'vitest'
import { secret } from '../call.ts'
import { startFakeApi } from '../fake-api.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

const api = await startFakeApi()
const { received } = api
const { host } = new URL(api.origin)
const apiUrl = `${api.origin}/api`
const replyUrl = `${apiUrl}/v1/agents/support/reply`

const support = agent('support', {
  onMessage: async ({ message, reply }) => {
    if (message.text === 'throw') throw new Error('as asked')
    if (message.text === 'throw nothing') throw undefined
    // None of this is awaited.
    if (message.text === 'late')
      void (async () => {
        await new Promise((resolve) => setTimeout(resolve, 50))
        await reply('late')
      })()
    if (message.text === 'forget') void reply({} as never)
    if (message.text === 'hello') await reply('Hello!')
    return undefined
  },
})
const hanging = agent('hanging', { timeoutMs: 300, onMessage: () => new Promise(() => undefined) })
const second = agent('second', { onMessage: () => undefined })
const twin = agent('twin', { onMessage: () => undefined })

let deliveries = 0
const event = (more: object = {}): Record<string, unknown> => ({
  version: 1,
  deliveryId: `${process.pid}-${++deliveries}`,
  replyUrl,
  conversationId: `c${deliveries}`,
  integrationIdentifier: 'web',
  message: { text: 'hello' },
  ...more,
})

/** `agent-event`: the agent protocol, over a real server. */
export function agents(mount: Mount): void {
  describe('agents', () => {
    beforeEach(() => {
      received.length = 0
      api.answer = { status: 201, body: '{"data":{"messageId":"m1"}}' }
    })

    // Calls are signed with the older key; the newer one is used for the API.
    const secretKey = ['newer', secret]
    const silent = { warn: () => undefined, error: () => undefined }
    const site = useSite(mount, { agents: [support, second, hanging], apiUrl, secretKey, logger: silent })
    const doubled = useSite(mount, { agents: [twin, second, twin], apiUrl, secretKey })
    const keyless = useSite(mount, { agents: [support], apiUrl, secretKey: '', strictAuthentication: false })
    const narrow = useSite(mount, {
      agents: [hanging],
      apiUrl,
      secretKey,
      logger: silent,
      turnLimits: { running: 1, waiting: 1 },
    })
    const query = { action: 'agent-event', agentId: 'support', event: 'onMessage' }
    const send = (body: unknown, event = 'onMessage') => site.call({ query: { ...query, event }, body })

    test('acknowledges an event, and sends its reply to the API with the secret', async () => {
      const body = event()
      const { status, json } = await send(body)
      expect([status, json]).toEqual([200, { status: 'ack' }])
      await expect.poll(() => received.length, { timeout: 5000 }).toBe(1)
      expect(received[0]).toMatchObject({
        authorization: 'ApiKey newer',
        body: { deliveryId: body['deliveryId'], conversationId: body['conversationId'], reply: { text: 'Hello!' } },
      })
      expect((await send(body)).json).toEqual({ status: 'ack' })
      expect((await send(event())).status).toBe(200)
      await expect.poll(() => received.length, { timeout: 5000 }).toBe(2)
      expect(received[1]?.body['deliveryId']).not.toBe(body['deliveryId'])
    })

    test.each([
      ['throw', 'support', 'TurnFailed'],
      ['throw nothing', 'support', 'TurnFailed'],
      ['hang', 'hanging', 'TurnTimedOut'],
    ])(
      'acknowledges an event for an agent that does "%s", and informs the conversation',
      async (text, agentId, code) => {
        const { json } = await site.call({ query: { ...query, agentId }, body: event({ message: { text } }) })
        expect(json).toEqual({ status: 'ack' })
        await expect.poll(() => received.length, { timeout: 5000 }).toBe(1)
        expect(received[0]?.body['error']).toMatchObject({ code })
      },
    )

    test.each([['late'], ['forget']])('continues to serve after an agent that does "%s"', async (text) => {
      expect((await send(event({ message: { text } }))).json).toEqual({ status: 'ack' })
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(received).toEqual([])
      expect((await send(event({ message: { text: 'say nothing' } }))).json).toEqual({ status: 'ack' })
    })

    test.each<[string, unknown, string]>([
      ['nothing in it', {}, '/deliveryId'],
      ['no message', event({ message: null }), '/message'],
      ['a message that is a text', event({ message: 'x' }), '/message'],
      ['a text that is a number', event({ message: { text: 1 } }), '/message/text'],
      ['a list as history', event({ history: [[]] }), '/history/0'],
      ['a reply to another host', event({ replyUrl: 'http://127.0.0.1:1/api/x' }), '/replyUrl'],
      ['a reply outside the API', event({ replyUrl: `http://${host}/x` }), '/replyUrl'],
      ['a reply with a key in its address', event({ replyUrl: `http://a:b@${host}/api/x` }), '/replyUrl'],
      ['an id of 256 characters', event({ deliveryId: 'x'.repeat(256) }), '/deliveryId'],
      ['1001 entries of history', event({ history: Array(1001).fill({ role: 'user', text: '' }) }), '/history'],
      ['inherited names', JSON.parse('{"__proto__":{"deliveryId":"d"},"constructor":1}'), '/deliveryId'],
    ])('rejects an event with %s: RequestBodyInvalidError with its path', async (_title, body, path) => {
      const { status, json } = await send(body)
      expect([status, json.code]).toEqual([400, 'RequestBodyInvalidError'])
      expect(json.data.map((issue: { path: string }) => issue.path)).toContain(path)
      expect(received).toEqual([])
    })

    test.each([['onmessage'], ['__proto__'], ['toString'], ['x'.repeat(300)]])(
      'rejects the event %s: InvalidActionError',
      async (name) => {
        const { status, json } = await send(event(), name)
        expect([status, json.code]).toEqual([400, 'InvalidActionError'])
      },
    )

    test('rejects excess events with AgentBusyError, and accepts a rejected one later', async () => {
      const bodies = [1, 2, 3].map(() => event())
      const asks = { ...query, agentId: 'hanging' }
      // Sent in parallel: if the process stops after the response, an event is acknowledged only when the agent has
      // finished.
      const asked = []
      for (const body of bodies) {
        asked.push(narrow.call({ query: asks, body }))
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const answers = await Promise.all(asked)
      expect(answers.map(({ status, json }) => [status, json.code])).toEqual([
        [200, undefined],
        [200, undefined],
        [503, 'AgentBusyError'],
      ])
      await expect.poll(() => received.length, { timeout: 5000 }).toBe(2)
      expect((await narrow.call({ query: asks, body: bodies[2] })).status).toBe(200)
      await expect.poll(() => received.length, { timeout: 5000 }).toBe(3)
    })

    test('rejects an event for an agent that does not exist or exists twice', async () => {
      const missing = await site.call({ query: { ...query, agentId: 'none' }, body: event() })
      expect([missing.status, missing.json.code]).toEqual([404, 'AgentNotFoundError'])
      const twice = await doubled.call({ query: { ...query, agentId: 'twin' }, body: event() })
      expect([twice.status, twice.json.code, twice.json.data]).toEqual([
        409,
        'AgentAlreadyExistsError',
        { agentId: 'twin' },
      ])
      expect((await doubled.call({ query: { ...query, agentId: 'second' }, body: event() })).status).toBe(200)
    })

    test('lists agents in definition order at discovery, and fails if two have the same id', async () => {
      const { json } = await site.call({ query: { action: 'discover' } })
      expect(json).toMatchObject({
        workflows: [],
        agents: ['support', 'second', 'hanging'].map((agentId) => ({ agentId })),
      })
      const failed = await doubled.call({ query: { action: 'discover' } })
      expect([failed.status, failed.json.code, failed.json.data.errors]).toMatchObject([
        409,
        'AgentAlreadyExistsError',
        [{ agentId: 'twin', code: 'AgentAlreadyExistsError', data: { agentId: 'twin' } }],
      ])
    })

    test('rejects events without a secret: MissingSecretKeyError', async () => {
      const { status, json } = await keyless.call({ query, body: event(), signature: null })
      expect([status, json.code]).toEqual([400, 'MissingSecretKeyError'])
    })
  })
}
