import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { z } from 'zod'
import { draws } from '../../../../test/scope.ts'
import { agent } from '../agent/agent.ts'
import type { AgentContext } from '../agent/agent-context.ts'
import { eventBody, mount, type Service, sendEvent, startService, until } from './turn.fixture.ts'

let service: Service
const unhandled: unknown[] = []
const note = (error: unknown): void => void unhandled.push(error)

beforeAll(async () => {
  service = await startService()
  process.on('unhandledRejection', note)
})
afterAll(async () => {
  process.off('unhandledRejection', note)
  await service.close()
})
beforeEach(() => {
  service.replies.length = 0
  service.answers.length = 0
})
afterEach(() => {
  vi.unstubAllEnvs()
  expect(unhandled).toEqual([])
})

type OnError = (error: unknown, context: AgentContext) => unknown

const noop = (): void => undefined
const failed = { code: 'TurnFailed', message: 'The agent could not answer.' }

describe('a turn that fails', () => {
  it.each<[string, () => unknown]>([
    ['throws', () => Promise.reject(new Error('boom'))],
    ['throws nothing', () => Promise.reject(undefined)],
    [
      'throws what throws when it is read',
      () =>
        Promise.reject({
          get message(): string {
            throw new Error('inner')
          },
        }),
    ],
  ])('%s: the conversation is informed, and the next event is handled', async (_what, fail) => {
    let turns = 0
    const errors: unknown[] = []
    const onMessage = (): unknown => (turns++ === 0 ? fail() : undefined)
    const { bridge, log } = mount([agent('support', { onMessage })], service, {
      hooks: { onError: (error, report) => void errors.push([error, report.agentId, report.action]) },
    })
    await sendEvent(bridge, eventBody(service))
    await sendEvent(bridge, eventBody(service))
    const [reply] = await service.received(1)
    expect(reply?.body.error).toEqual(failed)
    await until(() => turns === 2)
    expect(errors).toHaveLength(1)
    expect((errors[0] as unknown[]).slice(1)).toEqual(['support', 'agent-event'])
    expect(log[0]).toMatch(/^Agent "support" failed in onMessage/)
  })

  it('and has an onError: its reply replaces the failure', async () => {
    const support = agent('support', {
      onMessage: () => Promise.reject(new Error('boom')),
      onError: (error, { reply }) => reply(`Sorry: ${(error as Error).message}`),
    })
    await sendEvent(mount([support], service).bridge, eventBody(service))
    await service.received(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(service.replies.map(({ body }) => body.reply)).toEqual([{ text: 'Sorry: boom' }])
  })

  it('and has an onError that asks the same question: it counts as a separate question, stable across repeated turns', async () => {
    const support = agent('support', {
      onMessage: async ({ ask }) => {
        await ask('why', { text: 'Which order?' })
        await ask('why', { text: 'Really?' })
        throw new Error('boom')
      },
      onError: async (_error, { ask }) => void (await ask('why', { text: 'That failed. What now?' })),
    })
    const body = eventBody(service)
    for (let run = 0; run < 2; run++) await sendEvent(mount([support], service).bridge, body)
    const ids = (await service.received(6)).map((reply) => reply.body.question.questionId)
    const id = body['deliveryId']
    expect(ids.sort()).toEqual([`${id}.why.0`, `${id}.why.1`, `${id}.why.e0`].flatMap((one) => [one, one]))
  })

  it.each<[string, OnError, number]>([
    ['says nothing', noop, 0],
    ['throws', () => Promise.reject(new Error('again')), 0],
    ['only hides that it is at work', (_error, { typing }) => typing(false), 1],
    ['only keeps data', (_error, { setMetadata }) => setMetadata({ failed: true }), 1],
    ['only reacts', (_error, { react }) => react('x'), 1],
  ])('and has an onError that %s: the failure is reported', async (_what, onError, before) => {
    const support = agent('support', { onMessage: () => Promise.reject(new Error('boom')), onError })
    await sendEvent(mount([support], service).bridge, eventBody(service))
    expect((await service.received(before + 1))[before]?.body.error).toEqual(failed)
  })

  it.each<[string, OnError]>([
    ['asks', async (_error, { ask }) => void (await ask('why', { text: 'What now?' }))],
    ['edits', (_error, { edit }) => edit('m1', 'Sorry')],
    ['ends the conversation', (_error, { resolve }) => resolve()],
  ])('and has an onError that %s: no additional failure is reported', async (_what, onError) => {
    const support = agent('support', { onMessage: () => Promise.reject(new Error('boom')), onError })
    await sendEvent(mount([support], service).bridge, eventBody(service))
    await service.received(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(service.replies.map(({ body }) => body.error)).toEqual([undefined])
  })

  it('after unawaited replies: they are sent, then the failure is reported', async () => {
    const support = agent('support', {
      onMessage: ({ reply, ask }) => {
        void reply('Your order 7 is refunded.')
        void ask('more', { text: 'Anything else?' })
        throw new Error('boom')
      },
    })
    await sendEvent(mount([support], service).bridge, eventBody(service))
    expect((await service.received(3)).map(({ body }) => body)).toMatchObject([
      { reply: { text: 'Your order 7 is refunded.' } },
      { question: { text: 'Anything else?' } },
      { error: failed },
    ])
  })

  it('while an unawaited reply never ends: the reason is reported at the time limit', async () => {
    async function* speak(): AsyncGenerator<string> {
      yield 'Well'
      await new Promise(() => undefined)
    }
    const support = agent('support', {
      timeoutMs: 100,
      onMessage: ({ reply }) => {
        void reply(speak())
        throw new Error('boom')
      },
    })
    const { bridge, log } = mount([support], service)
    await sendEvent(bridge, eventBody(service))
    expect((await service.received(2))[1]?.body.error).toEqual(failed)
    expect(log).toEqual(['Agent "support" failed in onMessage. Error: boom'])
  })

  it('because it hangs: it is stopped at its limit, its signal aborts, and later calls are not sent', async () => {
    let aborted = false
    let turns = 0
    const support = agent('support', {
      timeoutMs: 50,
      onMessage: async ({ reply, signal }) => {
        if (turns++ > 0) return
        signal.addEventListener('abort', () => {
          aborted = true
        })
        await new Promise((resolve) => setTimeout(resolve, 200))
        await reply('too late')
      },
    })
    const { bridge, log } = mount([support], service)
    await sendEvent(bridge, eventBody(service))
    await sendEvent(bridge, eventBody(service))
    const [reply] = await service.received(1)
    expect(reply?.body.error).toEqual({ code: 'TurnTimedOut', message: 'The agent took too long to answer.' })
    await until(() => log.some((line) => line.includes('continued after its turn had ended')))
    expect([aborted, turns, service.replies.length]).toEqual([true, 2, 1])
  })

  it('and replies after its end: nothing is sent, and nothing rejects', async () => {
    let kept: ((text: string) => Promise<unknown>) | undefined
    const support = agent('support', {
      onMessage: ({ reply }) => {
        kept = reply
      },
    })
    const { bridge, log } = mount([support], service)
    await sendEvent(bridge, eventBody(service))
    await until(() => kept !== undefined)
    await new Promise((resolve) => setTimeout(resolve, 20))
    let settled = false
    void (async () => {
      await kept?.('late').finally(() => {
        settled = true
      })
    })()
    await until(() => log.length === 1)
    expect([settled, service.replies, log[0]]).toEqual([false, [], expect.stringContaining('nothing was sent')])
  })
})

describe('the service that receives the replies', () => {
  it('is called again with the same key while it is unavailable', async () => {
    service.answers.push({ status: 503 }, { status: 429 })
    await sendEvent(
      mount([agent('support', { onMessage: ({ reply }) => reply('x') })], service).bridge,
      eventBody(service),
    )
    const replies = await service.received(3)
    expect(new Set(replies.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  it('rejects a reply: the turn fails, and the failure is reported', async () => {
    service.answers.push({ status: 422 })
    const { bridge, log } = mount([agent('support', { onMessage: ({ reply }) => reply('x') })], service)
    await sendEvent(bridge, eventBody(service))
    expect((await service.received(2))[1]?.body.error).toEqual(failed)
    expect(log).toEqual([
      'Agent "support" failed in onMessage. ApiRequestFailedError: The REST API answered 422 to the reply of an agent.',
    ])
  })

  it.each<[string, unknown, string]>([
    [
      'with a message and fields',
      {
        message: 'Bad\nbody; text: is no secret sk',
        errors: { text: { messages: ['is no secret sk'] }, 'reply.card': { messages: ['is too big', 'and wrong'] } },
      },
      ': Bad body; text: is no secret ***; reply.card: is too big',
    ],
    ['at length', { message: '😀'.repeat(5000) }, `: ${'😀'.repeat(499)}…`],
    ['in no form of its own', { message: 7, errors: [null] }, '.'],
    ['in no JSON', undefined, '.'],
  ])('rejects a reply %s: the error has the reason, and never the secret', async (_what, answer, reason) => {
    service.answers.push({ status: 422, body: answer === undefined ? '<html>' : JSON.stringify(answer) })
    let error: unknown
    const onError = (given: unknown): void => {
      error = given
    }
    const support = agent('support', { onMessage: ({ reply }) => reply('x'), onError })
    await sendEvent(mount([support], service).bridge, eventBody(service))
    await service.received(2)
    const message = `The REST API answered 422 to the reply of an agent${reason}`
    expect(error).toMatchObject({ code: 'ApiRequestFailedError', message, data: { statusCode: 422, message } })
  })

  it('rejects an unawaited reply: it is logged', async () => {
    service.answers.push({ status: 422 })
    const onMessage = ({ reply }: { reply: (text: string) => unknown }): void => void reply('x')
    const { bridge, log } = mount([agent('support', { onMessage })], service)
    await sendEvent(bridge, eventBody(service))
    await until(() => log.length === 1)
    expect(log[0]).toContain('A call by agent "support" in a turn failed.')
  })

  it('redirects: the secret is not sent to the new location', async () => {
    const other = await startService()
    service.answers.push({ status: 307, headers: { location: other.apiUrl } }, { status: 200 })
    await sendEvent(
      mount([agent('support', { onMessage: ({ reply }) => reply('x') })], service).bridge,
      eventBody(service),
    )
    await service.received(2)
    expect(other.replies).toEqual([])
    await other.close()
  })
})

describe('rejections before the acknowledgement', () => {
  const support = agent('support', {
    onMessage: noop,
    onAction: noop,
    actions: { refund: { schema: z.object({ orderId: z.string() }) } },
  })

  test.each<[string, string | undefined, object, string]>([
    ['a missing id of the delivery', 'onMessage', { deliveryId: undefined }, '/deliveryId'],
    ['an empty conversation', 'onMessage', { conversationId: '' }, '/conversationId'],
    ['an unknown version', 'onMessage', { version: 2 }, '/version'],
    ['no message', 'onMessage', { message: null }, '/message'],
    ['a message without a text', 'onMessage', { message: {} }, '/message/text'],
    ['an author without an id', 'onMessage', { message: { text: '', author: {} } }, '/message/author/userId'],
    ['no action', 'onAction', {}, '/action'],
    ['an action nobody declared', 'onAction', { action: { id: 'constructor' } }, '/action/id'],
    [
      'a value against the schema',
      'onAction',
      { action: { id: 'refund', value: { orderId: 7 } } },
      '/action/value/orderId',
    ],
    ['an answer of no kind', 'onAction', { action: { id: 'refund', answer: { type: 'x' } } }, '/action/answer'],
    ['no reaction', 'onReaction', {}, '/reaction'],
    ['a history that is no list', 'onMessage', { history: {} }, '/history'],
    ['an entry of nobody', 'onMessage', { history: [{ role: 'x', text: '' }] }, '/history/0/role'],
  ])('%s', async (_what, event, more, path) => {
    const answer = await sendEvent(mount([support], service).bridge, eventBody(service, more), { event })
    expect([answer.status, answer.body.code, answer.body.data[0].path.startsWith(path)]).toEqual([
      400,
      'RequestBodyInvalidError',
      true,
    ])
  })

  test.each([['x'], ['__proto__'], ['constructor'], ['onmessage'], ['']])('for the event %j', async (event) => {
    const { status, body } = await sendEvent(mount([support], service).bridge, eventBody(service), { event })
    expect([status, body.code]).toEqual([400, 'InvalidActionError'])
    expect(body.message).toContain('onMessage, onAction, onReaction, onResolve')
  })

  test.each([
    ['another host', 'http://evil.test/api/v1'],
    ['another port', 'http://127.0.0.1:1/api/v1'],
    ['another scheme', 'ftp://127.0.0.1/api/v1'],
    ['no address', 'nowhere'],
    ['a script', 'javascript:alert(1)'],
  ])('for a reply URL with %s', async (_what, replyUrl) => {
    const { bridge, log } = mount([support], service)
    const { status, body } = await sendEvent(bridge, eventBody(service, { replyUrl }))
    expect([status, body.code, body.data[0].path]).toEqual([400, 'RequestBodyInvalidError', '/replyUrl'])
    expect(log).toEqual([expect.stringContaining('An agent event was rejected: its replyUrl must')])
  })

  test.each([
    ['beside the path', '/other'],
    ['that only begins like it', '/apis/v1'],
    ['out of it', '/api/../admin'],
    ['out of it, encoded', '/api/%2e%2e/admin'],
    ['out of it, with an encoded slash', '/api/..%2fadmin'],
    ['out of it, with a backslash', '/api/..\\admin'],
  ])('for a reply URL %s', async (_what, path) => {
    const replyUrl = new URL(service.apiUrl).origin + path
    const { status, body } = await sendEvent(mount([support], service).bridge, eventBody(service, { replyUrl }))
    expect([status, body.data[0].path]).toEqual([400, '/replyUrl'])
  })

  test('for user info that makes the host look allowed', async () => {
    const replyUrl = service.apiUrl.replace('127.0.0.1', '127.0.0.1@evil.test')
    expect((await sendEvent(mount([support], service).bridge, eventBody(service, { replyUrl }))).status).toBe(400)
  })

  test('except for an unsigned event on this machine', async () => {
    const remote = mount([support], { apiUrl: 'https://api.test' }, { strictAuthentication: false })
    const answer = await sendEvent(remote.bridge, eventBody({ apiUrl: 'https://api.test' }))
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('strictAuthentication')])
    const local = mount([support], service, { strictAuthentication: false })
    expect((await sendEvent(local.bridge, eventBody(service))).status).toBe(200)
  })

  test('for a bridge without a secret key or without the API address', async () => {
    vi.stubEnv('SERVICE_API_URL', '')
    const keyless = mount([support], service, { secretKey: '', strictAuthentication: false })
    expect((await sendEvent(keyless.bridge, eventBody(service))).body.code).toBe('MissingSecretKeyError')
    const { bridge } = mount([support], { apiUrl: '' })
    expect((await sendEvent(bridge, eventBody(service))).body).toMatchObject({ code: 'ApiRequestFailedError' })
  })

  test('for an agent that does not exist or exists twice', async () => {
    const { bridge } = mount([support, support], service)
    const unknown = await sendEvent(bridge, {}, { agentId: 'constructor' })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'AgentNotFoundError'])
    const twice = await sendEvent(bridge, eventBody(service))
    expect([twice.status, twice.body]).toMatchObject([
      409,
      { code: 'AgentAlreadyExistsError', data: { agentId: 'support' } },
    ])
  })
})

test('returns a code for any body, and never ends the process', async () => {
  // Without a reply, so that no event waits for another one.
  const support = agent('support', { onMessage: () => undefined })
  const { bridge } = mount([support], service)
  const names = fc.constantFrom('onMessage', 'onAction', 'onReaction', 'onResolve', '__proto__', 'x')
  const anything = fc.anything({ maxDepth: 4, withNullPrototype: true }).filter((value) => {
    try {
      return JSON.stringify(value) !== undefined
    } catch {
      return false
    }
  })
  const statuses = new Map<number, number>()
  const keys = fc.constantFrom(
    ...['message', 'action', 'reaction', 'conversation', 'history', 'subscriber', 'notification', 'context', 'version'],
    ...['platform', '__proto__', 'constructor', 'deliveryId', 'replyUrl', 'conversationId'],
  )
  await fc.assert(
    fc.asyncProperty(names, fc.array(fc.tuple(keys, anything), { maxLength: 4 }), async (event, changes) => {
      // Written as text, so that __proto__ is a field like any other.
      const fields = Object.entries(eventBody(service)).filter(([key]) => !changes.some(([changed]) => changed === key))
      const members = [...fields, ...changes].map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
      const { status, body } = await sendEvent(bridge, `{${members.join(',')}}`, { event })
      // The accepted event ends, so that events do not accumulate.
      await new Promise((resolve) => setImmediate(resolve))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) expect(body).toEqual({ status: 'ack' })
      else
        expect([400, body.message, Array.isArray(body.data) || body.data === null]).toEqual([
          status,
          expect.any(String),
          true,
        ])
    }),
    { numRuns: draws(300, 3000) },
  )
  // Both paths must be taken several times; otherwise the test proves nothing.
  expect(Math.min(...statuses.values())).toBeGreaterThan(2)
  expect([...statuses.keys()].sort()).toEqual([200, 400])
  expect(Object.hasOwn(Object.prototype, 'text')).toBe(false)
})

test.each([
  ['nested too deep', `{"message":${'['.repeat(200)}${']'.repeat(200)}}`, 400],
  ['no JSON', '{', 400],
  ['a list', '[]', 400],
])('returns a code for a body that is %s', async (_what, body, status) => {
  const { bridge } = mount([agent('support', { onMessage: noop })], service)
  const answer = await sendEvent(bridge, body)
  expect(answer.status).toBe(status)
})
