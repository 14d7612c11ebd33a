import type { JsonObject } from '@trestle/protocol'
import fc from 'fast-check'
import { describe, expect, type TestContext, test } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { createManualClock } from '../../clock/manual-clock.ts'
import type { ServiceOptions } from '../../config/generated/service-options.ts'
import { conversationLimits } from '../../conversations/base/conversation-limits.ts'
import type { StoreDriver } from '../../store/store.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { startAgents } from './agents.fixture.ts'

/** Starts a conversation with one message from a user, and returns a way to reply. */
async function startTalk(driver: StoreDriver, context: TestContext, options: ServiceOptions = {}) {
  const scene = await startAgents(driver, context, options)
  const path = await scene.begin()
  const said = await scene.ok(`POST ${path}/messages`, { text: 'Hello' })
  const [event] = await scene.waitForEvents(1)
  if (!event) throw new Error('no event has come')
  return {
    ...scene,
    path,
    event,
    said: said._id as string,
    show: () => scene.ok(`GET ${path}`),
    send: (action: JsonObject, ...rest: [] | [Parameters<typeof scene.reply>[2]]) =>
      scene.reply(event, action, ...rest),
  }
}

const card = { type: 'card', title: 'T', children: [{ type: 'text', content: 'c' }] }

describe.each(drivers)('agent replies (%s)', (driver) => {
  test('send, edit, delete and mark messages', async (context) => {
    const { send, show, said, ok, path } = await startTalk(driver, context)
    const files = [
      { name: 'a.txt', mimeType: 'text/plain', data: Buffer.from('hello').toString('base64') },
      { name: 'b.png', url: 'https://files.test/b.png' },
    ]
    const sent = await send({ reply: { text: 't', markdown: '*t*', card, files } })
    expect(sent).toMatchObject({ status: 200, body: { data: { messageId: expect.any(String) } } })
    const { messageId } = sent.body.data
    const other = (await send({ reply: { text: 'other' } })).body.data.messageId
    await send({ edit: { messageId: other, markdown: '**better**' } })
    await send({
      addReactions: [
        { messageId: said, emoji: '👀' },
        { messageId, emoji: 'x' },
      ],
    })
    await send({ addReactions: [{ messageId: said, emoji: '👀' }] })
    const { messages } = await show()
    expect(messages).toMatchObject([
      { _id: said, role: 'user', reactions: [{ emoji: '👀', by: 'agent' }] },
      {
        ...{
          _id: messageId,
          role: 'agent',
          text: 't',
          markdown: '*t*',
          card,
          reactions: [{ emoji: 'x', by: 'agent' }],
        },
        files: [
          { name: 'a.txt', mimeType: 'text/plain', size: 5 },
          { name: 'b.png', url: 'https://files.test/b.png' },
        ],
      },
      { _id: other, markdown: '**better**', editedAt: expect.any(String) },
    ])
    expect(messages[0].reactions).toHaveLength(1)
    expect(messages[2].text).toBeUndefined()
    expect(await ok(`GET ${path}/messages/${messageId}/files/0`)).toEqual(files[0])
    expect(await ok(`GET ${path}/messages/${messageId}/files/1`)).toEqual(files[1])
    expect(await send({ deleteMessages: [messageId, other] })).toMatchObject({ status: 200, body: { data: {} } })
    expect((await send({ deleteMessages: [messageId] })).status).toBe(200)
    const after = (await show()).messages
    expect(after.map((one: JsonObject) => one['deletedAt'] !== undefined)).toEqual([false, true, true])
    expect(JSON.stringify(after)).not.toContain('better')
    expect((await send({ edit: { messageId, text: 'again' } })).status).toBe(409)
  })

  test('store conversation metadata field by field', async (context) => {
    const { send, show } = await startTalk(driver, context)
    await send({ metadata: { a: 1, b: { deep: true }, __proto__x: 'x' } })
    await send({ metadata: { a: null, c: [1] } })
    await send({ metadata: JSON.parse('{"__proto__": {"polluted": 1}}') })
    const { metadata } = await show()
    expect(JSON.stringify(metadata)).toBe('{"b":{"deep":true},"__proto__x":"x","c":[1],"__proto__":{"polluted":1}}')
    expect(({} as JsonObject)['polluted']).toBeUndefined()
    const large = { filler: 'x'.repeat(40_000) }
    expect((await send({ metadata: large })).status).toBe(200)
    expect(await send({ metadata: { more: 'x'.repeat(40_000) } })).toMatchObject({
      status: 422,
      body: { errors: { metadata: {} } },
    })
    expect(Object.keys((await show()).metadata)).not.toContain('more')
  })

  test('show the agent as typing, for a while', async (context) => {
    const clock = createManualClock()
    const { send, show } = await startTalk(driver, context, { clock })
    await send({ typing: true })
    expect(await show()).toMatchObject({ isTyping: true, typingUntil: expect.any(String) })
    clock.advance(conversationLimits.typingMs - 1)
    expect(await show()).toMatchObject({ isTyping: true })
    clock.advance(1)
    expect(await show()).toMatchObject({ isTyping: false })
    await send({ typing: true })
    await send({ typing: false })
    expect(await show()).toMatchObject({ isTyping: false })
    await send({ typing: true })
    await send({ reply: { text: 'done' } })
    expect(await show()).toMatchObject({ isTyping: false })
  })

  test('ask a question and accept one answer', async (context) => {
    const { send, show, ok, call, path, waitForEvents, event } = await startTalk(driver, context)
    const question = {
      ...{
        questionId: `${event.body.deliveryId}.size.0`,
        id: 'size',
        type: 'choice',
        text: 'Which?',
        value: { order: 7 },
      },
      options: [
        { value: 's', label: 'Small' },
        { value: 'l', label: 'Large' },
      ],
    }
    const asked = (await send({ question })).body.data
    expect((await send({ question })).body.data).toEqual(asked)
    expect((await show()).questions).toMatchObject([{ status: 'open', options: question.options, ...asked }])
    expect((await show()).messages).toHaveLength(2)
    const { questionId } = question
    for (const [body, status] of [
      [{ questionId, text: 's' }, 422],
      [{ questionId, approved: true }, 422],
      [{ questionId, choice: 'm' }, 422],
      [{ questionId }, 422],
      [{ questionId, choice: 's', note: 'x' }, 422],
      [{ questionId, choice: 'l' }, 202],
      [{ questionId, choice: 's' }, 409],
    ] as const)
      expect([body, (await call('POST', `${path}/answers`, body)).status]).toEqual([body, status])
    const [, action] = await waitForEvents(2)
    expect(action).toMatchObject({
      event: 'onAction',
      body: {
        action: {
          ...{ id: 'size', value: { order: 7 }, sourceMessageId: asked.messageId },
          answer: { questionId, type: 'choice', choice: 'l' },
        },
        history: [{ text: 'Hello' }, { text: 'Which?' }, { role: 'user', text: 'Large' }],
      },
    })
    expect(await show()).toMatchObject({
      messages: [{}, { questionId, role: 'agent' }, { questionId, role: 'user', text: 'Large' }],
      questions: [{ status: 'answered', answer: { choice: 'l' } }],
    })
    await send({ question: { questionId: 'q2', id: 'ok', type: 'approval', text: 'Ok?', labels: { reject: 'Never' } } })
    await ok(`POST ${path}/answers`, { questionId: 'q2', approved: false, note: 'too dear' })
    await send({ question: { questionId: 'q3', id: 'why', type: 'text', text: 'Why?' } })
    await ok(`POST ${path}/answers`, { questionId: 'q3', text: 'Because' })
    const events = await waitForEvents(4)
    expect(events.slice(2).map(({ body }) => body.action.answer)).toEqual([
      { questionId: 'q2', type: 'approval', approved: false, note: 'too dear' },
      { questionId: 'q3', type: 'text', text: 'Because' },
    ])
    expect((await show()).messages.map(({ text }: JsonObject) => text)).toContain('Never: too dear')
  })

  test('ask questions that stay unformatted, cannot be edited, and can be answered only by named users', async (context) => {
    const { send, show, call, ok, path } = await startTalk(driver, context)
    const text = 'Refund {"amount":"\u202e00.1 EUR","to":"a\u200bda\u{e0041}\u2028"}?\nSure?'
    const question = { questionId: 'q', id: 'refund', type: 'approval', text, by: ['bob', 'eve'] }
    const { messageId } = (await send({ question: { ...question, labels: { approve: 'Y\u202ees' } } })).body.data
    const seen = 'Refund {"amount":"\\u202e00.1 EUR","to":"a\\u200bda\\udb40\\udc41\\u2028"}?\nSure?'
    const conversation = await show()
    expect(conversation.questions).toMatchObject([
      { text: seen, labels: { approve: 'Y\\u202ees' }, by: ['bob', 'eve'] },
    ])
    expect(conversation.messages.at(-1)).toMatchObject({ text: seen })
    expect((await send({ edit: { messageId, text: 'Send you a gift card?' } })).status).toBe(409)
    expect((await show()).questions).toMatchObject([{ text: seen, status: 'open' }])
    const answer = { questionId: 'q', approved: true }
    const refused = await call('POST', `${path}/answers`, answer)
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([403, expect.stringContaining('Only bob, eve')])
    await send({ question: { ...question, questionId: 'q2', by: ['ada', 'studio'] } })
    await ok(`POST ${path}/answers`, { ...answer, questionId: 'q2' })
    expect((await send({ edit: { messageId, text: 'again' } })).status).toBe(409)
  })

  test('end the conversation, and are still shown afterwards', async (context) => {
    const { send, show, waitForEvents } = await startTalk(driver, context)
    await send({ resolve: { summary: 'All is well' } })
    expect(await show()).toMatchObject({ status: 'resolved', summary: 'All is well' })
    expect((await waitForEvents(2))[1]).toMatchObject({
      event: 'onResolve',
      body: { conversation: { status: 'resolved' } },
    })
    expect((await send({ reply: { text: 'Goodbye' } })).status).toBe(200)
    await send({ resolve: {} })
    await send({ error: { code: 'TurnTimedOut', message: 'The agent took too long.' } })
    expect(await show()).toMatchObject({
      ...{ status: 'resolved', summary: 'All is well' },
      messages: [
        {},
        { text: 'Goodbye' },
        {
          role: 'system',
          text: 'The agent took too long.',
          error: { code: 'TurnTimedOut', message: 'The agent took too long.' },
        },
      ],
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await waitForEvents(2)).toHaveLength(2)
  })

  test('with the same key are applied once, even if many arrive concurrently', async (context) => {
    const { send, show } = await startTalk(driver, context)
    const again = () => send({ reply: { text: 'once' } }, { turnId: 'turn', sequence: 3 })
    const answers = await Promise.all(Array.from({ length: 20 }, again))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect((await show()).messages).toHaveLength(2)
    expect(await send({ reply: { text: 'other' } }, { turnId: 'turn', sequence: 3 })).toMatchObject({ status: 422 })
    expect((await send({ reply: { text: 'next' } }, { turnId: 'turn', sequence: 4 })).status).toBe(200)
    expect((await show()).messages).toHaveLength(3)
    // A rejected reply does not use up its key.
    const { messageId } = (await send({ reply: { text: 'x' } })).body.data
    await send({ deleteMessages: [messageId] })
    const late = () => send({ edit: { messageId, text: 'y' } }, { turnId: 'turn', sequence: 5 })
    expect([(await late()).status, (await late()).status]).toEqual([409, 409])
  })
})

const text = (length: number): string => 'x'.repeat(length)
const megabytes = (count: number): string => Buffer.alloc(count * 1024 * 1024).toString('base64')
const option = { value: 'a', label: 'A' }
const asked = { questionId: 'q', id: 'i', type: 'text', text: 't' }

const wrong: readonly (readonly [string, JsonObject, field: string])[] = [
  ['nothing', {}, 'general'],
  ['two things', { reply: { text: 'x' }, typing: true }, 'general'],
  ['a field that is not known', { reply: { text: 'x' }, extra: 1 }, 'extra'],
  ['a null', { reply: null }, 'reply'],
  ['content that says nothing', { reply: {} }, 'reply'],
  ['content with empty texts', { reply: { text: '', files: [] } }, 'reply'],
  ['a long text', { reply: { text: text(100_001) } }, 'reply.text'],
  ['long Markdown', { reply: { markdown: text(100_001) } }, 'reply.markdown'],
  ['a text that no database stores', { reply: { text: 'a\0b' } }, 'reply.text'],
  ['a card without children', { reply: { card: { type: 'card' } } }, 'reply.card'],
  ['a card that is a text', { reply: { card: 'card' } }, 'reply.card'],
  [
    'a large card',
    { reply: { card: { type: 'card', children: [{ type: 'text', content: text(100_000) }] } } },
    'reply.card',
  ],
  ['eleven files', { reply: { files: Array(11).fill({ name: 'a', data: '' }) } }, 'reply.files'],
  ['a file without content', { reply: { files: [{ name: 'a' }] } }, 'reply.files.0'],
  ['a file with two contents', { reply: { files: [{ name: 'a', data: '', url: 'https://a.test' }] } }, 'reply.files.0'],
  ['a file that is not Base64', { reply: { files: [{ name: 'a', data: 'a$' }] } }, 'reply.files.0.data'],
  ['a file with half a Base64', { reply: { files: [{ name: 'a', data: 'YWI' }] } }, 'reply.files.0.data'],
  ['a file by a script', { reply: { files: [{ name: 'a', url: 'javascript:alert(1)' }] } }, 'reply.files.0.url'],
  ['a large file', { reply: { files: [{ name: 'a', data: megabytes(6) }] } }, 'reply.files.0.data'],
  [
    'large files',
    {
      reply: {
        files: [
          { name: 'a', data: megabytes(3) },
          { name: 'b', data: megabytes(3) },
        ],
      },
    },
    'reply',
  ],
  ['an edit without a message', { edit: { text: 'x' } }, 'edit.messageId'],
  ['an edit of an unknown message', { edit: { messageId: 'nothing', text: 'x' } }, 'edit.messageId'],
  ['no messages to delete', { deleteMessages: [] }, 'deleteMessages'],
  ['unknown messages to delete', { deleteMessages: ['nothing'] }, 'deleteMessages.0'],
  ['a reaction to nothing', { addReactions: [{ messageId: 'nothing', emoji: 'x' }] }, 'addReactions.0.messageId'],
  ['a reaction without an emoji', { addReactions: [{ messageId: 'nothing' }] }, 'addReactions.0.emoji'],
  ['typing that is a word', { typing: 'yes' }, 'typing'],
  ['an end that is a word', { resolve: 'done' }, 'resolve'],
  ['a long summary', { resolve: { summary: text(10_001) } }, 'resolve.summary'],
  ['metadata that is a list', { metadata: [] }, 'metadata'],
  ['large metadata', { metadata: { a: text(70_000) } }, 'metadata'],
  ['an unknown error', { error: { code: 'Other', message: 'x' } }, 'error.code'],
  ['an error without a message', { error: { code: 'TurnFailed' } }, 'error.message'],
  ['a question without a text', { question: { ...asked, text: '' } }, 'question.text'],
  ['a choice without options', { question: { ...asked, type: 'choice' } }, 'question.options'],
  ['options of a text', { question: { ...asked, options: [option] } }, 'question.options'],
  ['options of one value', { question: { ...asked, type: 'choice', options: [option, option] } }, 'question.options'],
  ['people who may answer a text', { question: { ...asked, by: ['ada'] } }, 'question.by'],
  ['an approval by nobody', { question: { ...asked, type: 'approval', by: [] } }, 'question.by'],
  ['labels of a text', { question: { ...asked, labels: {} } }, 'question.labels'],
  ['a large value', { question: { ...asked, value: text(70_000) } }, 'question.value'],
]

describe('rejects a reply', () => {
  test('that is invalid, without changing anything', async (context) => {
    const { send, show, said } = await startTalk('sqlite', context)
    const before = await show()
    for (const [what, action, field] of wrong) {
      const { status, body } = await send(action)
      expect([what, status, Object.keys(body.errors ?? {})[0]]).toEqual([what, 422, field])
    }
    for (const action of [{ edit: { messageId: said, text: 'x' } }, { deleteMessages: [said] }])
      expect(await send(action)).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining('of the agent') },
      })
    expect(await show()).toEqual(before)
  })

  test('whose files exceed the size limit together with earlier ones', async (context) => {
    const { send, show } = await startTalk('sqlite', context)
    const largest = { files: [{ name: 'a', data: megabytes(5) }] }
    const sent: string[] = []
    for (let count = 0; count < 10; count++) {
      const { status, body } = await send({ reply: largest })
      expect(status).toBe(200)
      sent.push(body.data.messageId)
    }
    const one = { files: [{ name: 'b', data: 'YQ==' }] }
    expect((await send({ reply: one })).status).toBe(413)
    // Replacing a file and deleting messages both free space.
    expect((await send({ edit: { messageId: sent[0], ...one } })).status).toBe(200)
    expect((await send({ reply: one })).status).toBe(200)
    expect((await send({ reply: largest })).status).toBe(413)
    await send({ deleteMessages: [sent[1]] })
    expect((await send({ reply: largest })).status).toBe(200)
    expect((await show()).messages.at(-1).files).toEqual([{ name: 'a', size: 5 * 1024 * 1024 }])
  })

  test('for another conversation, or with a different key or header', async (context) => {
    const { send, show, event, service, begin, ok, waitForEvents } = await startTalk('sqlite', context)
    const before = await show()
    const reply = { reply: { text: 'x' } }
    for (const [fields, field] of [
      [{ agentId: 'other' }, 'agentId'],
      [{ conversationId: 'other' }, 'conversationId'],
      [{ integrationIdentifier: 'other' }, 'integrationIdentifier'],
      [{ deliveryId: 'other' }, 'deliveryId'],
      [{ version: 2 }, 'version'],
      [{ sequence: -1 }, 'sequence'],
      [{ sequence: 1.5 }, 'sequence'],
      [{ turnId: '' }, 'turnId'],
    ] as const) {
      const { status, body } = await send(reply, { fields, key: 't.0', turnId: 't' })
      expect([field, status >= 400 && status < 500, JSON.stringify(body).includes(field)]).toEqual([field, true, true])
    }
    // The delivery of another conversation.
    const other = await begin()
    await ok(`POST ${other}/messages`, { text: 'Hi' })
    const deliveryId = (await waitForEvents(2))[1]?.body.deliveryId
    expect(await send(reply, { fields: { deliveryId } })).toMatchObject({
      status: 422,
      body: { errors: { deliveryId: {} } },
    })
    for (const key of ['', 'x', 't.1']) expect((await send(reply, { key, turnId: 't' })).status).toBe(400)
    expect((await send(reply, { secret: 'sk_unknown' })).status).toBe(401)
    const host = await fetch(event.body.replyUrl, { method: 'POST', body: '{}' })
    expect(host.status).toBe(401)
    expect(event.body.replyUrl.startsWith(`${service.url}/v1/agents/support/conversations/`)).toBe(true)
    expect(await show()).toEqual(before)
  })
})

test('takes the reply URL from the settings, never from a request', async (context) => {
  const { begin, service, waitForEvents } = await startAgents('sqlite', context, {
    publicUrl: 'https://notify.example/base/',
    allowedHosts: ['evil.example'],
  })
  const path = await begin()
  const { request } = await import('node:http')
  await new Promise<void>((resolve, reject) => {
    const headers = {
      ...{ host: 'evil.example', 'x-forwarded-host': 'evil.example', 'content-type': 'application/json' },
      authorization: 'ApiKey sk_test_0123456789abcdef',
    }
    const sent = request(`${service.url}${path}/messages`, { method: 'POST', headers }, (response) => {
      expect(response.statusCode).toBe(201)
      response.resume().on('end', resolve)
    })
    sent.on('error', reject).end('{"text":"Hi"}')
  })
  const [event] = await waitForEvents(1)
  expect(event?.body.replyUrl).toMatch(
    /^https:\/\/notify\.example\/base\/v1\/agents\/support\/conversations\/\w+\/replies$/,
  )
  for (const publicUrl of ['ftp://x', 'https://a:b@x', 'https://x/?a=1', 'nothing'])
    await expect(startAgents('sqlite', context, { publicUrl })).rejects.toThrow('publicUrl')
})

test('accepts replies for an agent whose id needs escaping in a path', async (context) => {
  const { bridge, ok, begin, waitForEvents, reply } = await startAgents('sqlite', context)
  let count = 0
  for (const agentId of ['a/b', '..', '%2e', 'ä ö', 'v1.support']) {
    bridge.agents = [agentId]
    await ok('POST /v1/bridge/sync', { bridgeUrl: bridge.url })
    const path = await begin(agentId)
    await ok(`POST ${path}/messages`, { text: 'Hi' })
    const event = (await waitForEvents(++count)).at(-1)
    if (!event) continue
    expect(new URL(event.body.replyUrl).pathname).not.toMatch(/%2f|%5c|%2e/i)
    expect([agentId, (await reply(event, { reply: { text: 'x' } })).status]).toEqual([agentId, 200])
  }
})

test('responds to malformed replies and actions with API errors', async (context) => {
  const { send, show, said, call, path } = await startTalk('sqlite', context)
  const { messageId } = (await send({ reply: { text: 'mine' } })).body.data
  const hostile = fc.constantFrom<unknown>(
    ...[null, true, -1, 2 ** 60, '', '\0', '\ud800', 'x'.repeat(5000), '__proto__', [], {}, said, messageId, 'q'],
    JSON.parse('{"__proto__":{"x":1},"constructor":1}'),
  )
  const value = fc.oneof(hostile, fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>)
  const valid: readonly JsonObject[] = [
    { reply: { text: 't', card, files: [{ name: 'a', data: 'YQ==' }] } },
    { question: { questionId: 'q', id: 'i', type: 'choice', text: 't', options: [option] } },
    { edit: { messageId, text: 'x' } },
    { deleteMessages: ['nothing'] },
    { addReactions: [{ messageId: said, emoji: 'x' }] },
    { typing: true },
    { resolve: { summary: 's' } },
    { metadata: { a: 1 } },
    { error: { code: 'TurnFailed', message: 'm' } },
    { text: 'x' },
    { actionId: 'a', value: 1, sourceMessageId: messageId },
    { questionId: 'q', choice: 'a' },
    { messageId, emoji: 'x', added: true },
  ]
  const acts = ['messages', 'actions', 'answers', 'reactions', 'resolve']
  const change = fc.tuple(fc.nat(), value, fc.boolean())
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...valid), fc.array(change, { maxLength: 3 }), async (base, changes) => {
      const body = changes.reduce<JsonObject>((whole, [at, given, isDeep]) => alter(whole, { at, given, isDeep }), base)
      const answers = [
        await send(body),
        ...(await Promise.all(acts.map((act) => call('POST', `${path}/${act}`, body)))),
      ]
      for (const { status, body: answer, text: said } of answers) {
        expect([200, 201, 202, 400, 404, 409, 413, 422, 503], `${JSON.stringify(body)}: ${said}`).toContain(status)
        if (status >= 400) expect(answer).toMatchObject({ statusCode: status, message: expect.any(String) })
      }
    }),
    { numRuns: draws(20, 1000) },
  )
  expect((await show()).messages.length).toBeGreaterThan(1)
  expect(Object.keys(Object.prototype)).toEqual([])
})

interface Alteration {
  readonly at: number
  readonly given: unknown
  readonly isDeep: boolean
}

/** Replaces a field or a nested field. */
function alter(whole: JsonObject, { at, given, isDeep }: Alteration): JsonObject {
  const names = Object.keys(whole)
  const name = names[at % Math.max(1, names.length)] ?? 'extra'
  const inner = whole[name]
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner)
  return { ...whole, [name]: isDeep && isObject ? alter(inner as JsonObject, { at, given, isDeep: false }) : given }
}
