import { type } from 'arktype'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { agent } from '../agent/agent.ts'
import type { AgentContext } from '../agent/agent-context.ts'
import { card, text } from '../workflow/cards/card-builders.ts'
import { workflow } from '../workflow/workflow.ts'
import { eventBody, mount, type Service, sendEvent, startService, until } from './turn.fixture.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(() => {
  service.replies.length = 0
  service.answers.length = 0
})

const refund = { refund: { schema: z.object({ orderId: z.string(), urgent: z.boolean().default(false) }) } }

describe('an event', () => {
  it('is acknowledged immediately, and its turn replies in order with the secret', async () => {
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const support = agent('support', {
      onMessage: async ({ message, reply, typing, conversation, subscriber, platform, history, signal }) => {
        await gate
        // Deliberately not awaited: the turn still waits for both and keeps their order.
        void typing()
        void reply(`You said ${message.text} ${conversation.id} ${subscriber?.subscriberId} ${platform}`)
        await reply({ markdown: `**${history.length}** ${signal.aborted}` })
      },
    })
    const { bridge } = mount([support], service)
    const body = eventBody(service, {
      subscriber: { subscriberId: 'ada' },
      platform: 'web',
      history: [{ role: 'user', text: 'Earlier' }],
    })
    expect(await sendEvent(bridge, body)).toEqual({ status: 200, body: { status: 'ack' } })
    expect(service.replies).toEqual([])
    release()
    const replies = await service.received(3)
    const head = { version: 1, agentId: 'support', conversationId: 'c1', integrationIdentifier: 'slack-1' }
    const turnId = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(replies.map((reply) => reply.body)).toEqual([
      { ...head, deliveryId: body['deliveryId'], turnId, sequence: 0, typing: true },
      { ...head, deliveryId: body['deliveryId'], turnId, sequence: 1, reply: { text: 'You said Hello c1 ada web' } },
      { ...head, deliveryId: body['deliveryId'], turnId, sequence: 2, reply: { markdown: '**1** false' } },
    ])
    expect(replies[0]).toMatchObject({
      path: '/api/v1/agents/support/reply',
      headers: { authorization: 'ApiKey sk', 'idempotency-key': `${replies[0]?.body.turnId}.0` },
    })
  })

  it('reaches the handler with its name, and is acknowledged even without one', async () => {
    const seen: unknown[] = []
    const support = agent('support', {
      onMessage: () => undefined,
      onReaction: ({ reaction }) => void seen.push(reaction),
      onResolve: ({ conversation }) => void seen.push(conversation),
    })
    const { bridge } = mount([support], service)
    const reaction = { emoji: '+1', messageId: 'm1', author: { userId: 'u1', extra: 1 } }
    const one = { ...eventBody(service, { message: null, reaction }), conversationId: 'one' }
    expect((await sendEvent(bridge, one, { event: 'onReaction' })).status).toBe(200)
    await until(() => seen.length === 1)
    const resolved = eventBody(service, { message: null, conversation: { status: 'resolved', metadata: { a: 1 } } })
    expect((await sendEvent(bridge, resolved, { event: 'onResolve' })).status).toBe(200)
    await until(() => seen.length === 2)
    expect(seen).toEqual([
      { emoji: '+1', messageId: 'm1', added: true, author: { userId: 'u1' } },
      { id: 'c1', status: 'resolved', metadata: { a: 1 } },
    ])
    const action = eventBody(service, { message: null, action: { id: 'x' } })
    expect((await sendEvent(bridge, action, { event: 'onAction' })).body).toEqual({ status: 'ack' })
  })

  it('is acknowledged before the agent’s code starts, because that code can block the process', async () => {
    let began = false
    const onMessage = (): void => {
      began = true
    }
    const { status } = await sendEvent(mount([agent('support', { onMessage })], service).bridge, eventBody(service))
    expect([status, began]).toEqual([200, false])
    await until(() => began)
  })

  it('that is delivered twice is acknowledged twice and handled once', async () => {
    let turns = 0
    const { bridge } = mount([agent('support', { onMessage: () => void turns++ })], service)
    const body = eventBody(service)
    for (let attempt = 0; attempt < 3; attempt++) expect((await sendEvent(bridge, body)).status).toBe(200)
    await sendEvent(bridge, eventBody(service))
    await until(() => turns === 2)
    expect(turns).toBe(2)
  })
})

describe('an agent', () => {
  it('edits, deletes, reacts, stores data and ends the conversation', async () => {
    const support = agent('support', {
      onMessage: async ({ reply, react, setMetadata, resolve, edit, delete: remove }) => {
        const sent = await reply({ card: card({ title: 'Order' }, text('On its way')) })
        await sent.edit('Arrived')
        await edit('m9', { markdown: '_gone_' })
        await sent.delete()
        await remove('m9')
        await react('eyes')
        await react('+1', 'm2')
        await setMetadata({ step: 2, old: null })
        await resolve('Told where it is')
      },
    })
    await sendEvent(mount([support], service).bridge, eventBody(service))
    const actions = (await service.received(9)).map(({ body }) => {
      const { version, agentId, conversationId, integrationIdentifier, deliveryId, turnId, sequence, ...action } = body
      return action
    })
    expect(actions).toEqual([
      { reply: { card: { type: 'card', title: 'Order', children: [{ type: 'text', content: 'On its way' }] } } },
      { edit: { messageId: 'm1', text: 'Arrived' } },
      { edit: { messageId: 'm9', markdown: '_gone_' } },
      { deleteMessages: ['m1'] },
      { deleteMessages: ['m9'] },
      { addReactions: [{ messageId: 'p1', emoji: 'eyes' }] },
      { addReactions: [{ messageId: 'm2', emoji: '+1' }] },
      { metadata: { step: 2, old: null } },
      { resolve: { summary: 'Told where it is' } },
    ])
  })

  it('asks a question, and receives the typed answer as an action', async () => {
    const seen: unknown[] = []
    const support = agent('support', {
      actions: { ...refund, name: {} },
      onMessage: async ({ approve, choose, ask }) => {
        await approve('refund', { text: 'Refund?', value: { orderId: '7' }, labels: { approve: 'Yes' } })
        await choose('name', { text: 'Which?', options: [{ value: 'a', label: 'A' }] })
        const { questionId } = await ask('name', { text: 'Your name?' })
        seen.push(questionId)
      },
      onAction: ({ action }) => void seen.push(action),
    })
    const { bridge } = mount([support], service)
    const body = eventBody(service)
    await sendEvent(bridge, body)
    const questions = (await service.received(3)).map((reply) => reply.body.question)
    const id = String(body['deliveryId'])
    expect(questions).toEqual([
      {
        questionId: `${id}.refund.0`,
        id: 'refund',
        type: 'approval',
        text: 'Refund?',
        value: { orderId: '7' },
        labels: { approve: 'Yes' },
      },
      { questionId: `${id}.name.0`, id: 'name', type: 'choice', text: 'Which?', options: [{ value: 'a', label: 'A' }] },
      { questionId: `${id}.name.1`, id: 'name', type: 'text', text: 'Your name?' },
    ])
    const answer = { questionId: `${id}.refund.0`, type: 'approval', approved: true }
    const action = { id: 'refund', value: { orderId: '7' }, answer }
    const answered = await sendEvent(bridge, eventBody(service, { message: null, action }), { event: 'onAction' })
    expect(answered.status).toBe(200)
    await until(() => seen.length === 2)
    expect(seen).toEqual([`${id}.name.1`, { id: 'refund', value: { orderId: '7', urgent: false }, answer }])
  })

  it('asks questions in order, even if they are not awaited', async () => {
    const support = agent('support', {
      actions: refund,
      onMessage: ({ approve, reply, setMetadata }) => {
        const value = { orderId: '7' }
        void approve('refund', { text: 'first', value })
        value.orderId = '8'
        void reply('second')
        void setMetadata({ third: true })
      },
    })
    await sendEvent(mount([support], service).bridge, eventBody(service))
    expect((await service.received(3)).map(({ body }) => body)).toMatchObject([
      { sequence: 0, question: { text: 'first', value: { orderId: '7' } } },
      { sequence: 1, reply: { text: 'second' } },
      { sequence: 2, metadata: { third: true } },
    ])
  })

  it('reports an invalid question immediately', async () => {
    const faults: string[] = []
    const support = agent('support', {
      actions: { ...refund, name: {} },
      onMessage: async ({ approve, ask, choose }) => {
        const wrong = [
          () => approve('refund', { text: 'Refund?', value: { orderId: 7 as never } }),
          () => ask('nobody' as never, { text: 'x' } as never),
          () => ask('name', { text: '' }),
          () => ask('name', { text: 'x', value: 1n }),
          () => choose('name', { text: 'x', options: [] }),
          () => choose('name', { text: 'x' } as never),
          () => ask('name', { text: 'x', txt: 1 } as never),
          () => approve('name', { text: 'x', labels: { aprove: 'Yes' } as never }),
          () => choose('name', { text: 'x', options: [{ value: 'a', label: 'A', lable: 'B' } as never] }),
        ]
        for (const question of wrong) await question().catch((error: Error) => faults.push(error.message))
        await ask('name', { text: 'Right' })
      },
    })
    await sendEvent(mount([support], service).bridge, eventBody(service))
    expect((await service.received(1)).map(({ body }) => body.question.text)).toEqual(['Right'])
    expect(faults).toEqual([
      expect.stringMatching(/^The question "refund": its value does not match the schema. \/orderId: /),
      'The question "nobody" is not an action of agent "support", which has: refund, name.',
      'The question "name" needs text of 1 to 100000 characters.',
      expect.stringContaining('cannot be sent as JSON'),
      expect.stringContaining('options must be a list of 1 to 100 options'),
      'The question "name" needs options to choose from.',
      expect.stringContaining('Did you mean text?'),
      'The question "name": the labels: unknown option "aprove". Did you mean approve?',
      'The question "name": option 0: unknown option "lable". Did you mean label?',
    ])
  })

  it('starts a workflow for the subscriber, once per delivery', async () => {
    const shipped = workflow('shipped', async () => undefined, { payloadSchema: z.object({ id: z.string() }) })
    const support = agent('support', {
      onMessage: async ({ trigger }) => {
        await trigger(shipped, { payload: { id: '7' } })
      },
    })
    service.answers.push({ status: 201, body: '{"data":{"acknowledged":true,"status":"processed"}}' })
    const body = eventBody(service, { subscriber: { subscriberId: 'ada' } })
    await sendEvent(mount([support], service).bridge, body)
    const [sent] = await service.received(1)
    expect(sent).toMatchObject({
      path: '/api/v1/events/trigger',
      headers: { authorization: 'ApiKey sk', 'idempotency-key': expect.stringMatching(/^trigger\.[0-9a-f]{64}$/) },
      body: { name: 'shipped', to: 'ada', payload: { id: '7' } },
    })
  })

  it('derives trigger keys from agent, delivery and position, so that repeated turns reuse them', async () => {
    const shipped = workflow('shipped', async () => undefined)
    const starts = (id: string) =>
      agent(id, {
        onMessage: async ({ trigger }) => {
          await trigger(shipped)
          await trigger(shipped)
          throw new Error('boom')
        },
        onError: async (_error, { trigger }) => void (await trigger(shipped)),
      })
    const keysOf = async (agentId: string, deliveryId: string): Promise<unknown[]> => {
      service.replies.length = 0
      const { bridge } = mount([starts(agentId)], service)
      const body = eventBody(service, { deliveryId, subscriber: { subscriberId: 'ada' } })
      await sendEvent(bridge, body, { agentId })
      const sent = (await service.received(4)).slice(0, 3)
      return sent.map(({ headers }) => headers['idempotency-key'])
    }
    const long = 'x'.repeat(220)
    const first = await keysOf('support', `${long}a`)
    expect(await keysOf('support', `${long}a`)).toEqual(first)
    const others = [...(await keysOf('support', `${long}b`)), ...(await keysOf('sales', `${long}a`))]
    expect(new Set([...first, ...others]).size).toBe(9)
  })

  it('sends files, and reports invalid content', async () => {
    const faults: string[] = []
    const wrong: unknown[] = [
      {},
      { text: '' },
      { txt: 'x' },
      { text: 'x'.repeat(100_001) },
      { card: { type: 'card', children: [{ type: 'text' }] } },
      { files: [{ name: 'a' }] },
      { files: [{ name: 'a', url: 'https://a.test', mimetype: 'text/plain' }] },
      { files: ['a'] },
      { files: [{ name: 'a', bytes: new Uint8Array(5 * 1024 * 1024 + 1) }] },
      { files: Array.from({ length: 11 }, () => ({ name: 'a', url: 'https://a.test' })) },
      7,
      null,
    ]
    const support = agent('support', {
      onMessage: async ({ reply }) => {
        for (const content of wrong) await reply(content as never).catch((error: Error) => faults.push(error.message))
        await reply({ files: [{ name: 'a.txt', mimeType: 'text/plain', bytes: new TextEncoder().encode('é') }] })
      },
    })
    await sendEvent(mount([support], service).bridge, eventBody(service))
    const [sent] = await service.received(1)
    expect(sent?.body.reply).toEqual({ files: [{ name: 'a.txt', mimeType: 'text/plain', data: 'w6k=' }] })
    expect(faults.map((fault) => fault.slice(0, 45))).toMatchInlineSnapshot(`
      [
        "A reply needs text, markdown, a card or files",
        "A reply needs text, markdown, a card or files",
        "A reply: unknown option "txt". Did you mean t",
        "A reply: text has 100001 characters; the maxi",
        "A reply: the card is invalid at /children/0/c",
        "A reply: file 0 must have a name, and either ",
        "A reply: file 0: unknown option "mimetype". D",
        "A reply: file 0 must have a name, and either ",
        "The files of a reply have more than 5242880 b",
        "A reply has 11 files; the maximum is 10.",
        "A reply: the options must be an object; got 7",
        "A reply: the options must be an object; got n",
      ]
    `)
  })
})

describe('a stream', () => {
  it('is sent immediately, edited at a limited rate, and shown completely', async () => {
    async function* speak(): AsyncGenerator<string> {
      for (let word = 0; word < 60; word++) {
        yield `${word} `
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const support = agent('support', {
      onMessage: async ({ reply }) => {
        const sent = await reply(speak())
        await reply(`sent ${sent.messageId}`, { format: 'text' })
      },
    })
    await sendEvent(mount([support], service).bridge, eventBody(service))
    await until(() => service.replies.some(({ body }) => body.reply?.text))
    const [first, ...others] = service.replies
    const edits = others.slice(0, -1)
    expect(first?.body.reply.markdown).toBe('0 ')
    expect(edits.length).toBeGreaterThanOrEqual(2)
    expect(edits.length).toBeLessThanOrEqual(8)
    expect(edits.at(-1)?.body.edit).toEqual({
      messageId: 'm1',
      markdown: Array.from({ length: 60 }, (_, word) => `${word} `).join(''),
    })
    const gaps = edits.slice(0, -1).map(({ atMs }, index) => atMs - (service.replies[index]?.atMs ?? 0))
    for (const gap of gaps) expect(gap).toBeGreaterThan(450)
    expect(others.at(-1)?.body.reply.text).toBe('sent m1')
  })

  it('that is not awaited is sent completely', async () => {
    async function* speak(): AsyncGenerator<string> {
      yield 'One '
      await new Promise((resolve) => setTimeout(resolve, 30))
      yield 'two.'
    }
    const support = agent('support', { onMessage: ({ reply }) => void reply(speak()) })
    await sendEvent(mount([support], service).bridge, eventBody(service))
    expect((await service.received(2))[1]?.body.edit.markdown).toBe('One two.')
  })

  const replyWith = async (...parts: readonly (string | number)[]): Promise<unknown[]> => {
    let failure: unknown
    let done = false
    async function* speak(): AsyncGenerator<string> {
      for (const part of parts) {
        if (typeof part === 'string') yield part
        else await new Promise((resolve) => setTimeout(resolve, part))
      }
    }
    const onMessage = async ({ reply }: AgentContext): Promise<void> => {
      await reply(speak()).catch((error: unknown) => {
        failure = error
      })
      done = true
    }
    await sendEvent(mount([agent('support', { onMessage })], service).bridge, eventBody(service))
    await until(() => done)
    return [...service.replies.map(({ body }) => (body.reply ?? body.edit).markdown), ...(failure ? [failure] : [])]
  }

  it('that is split within a character never shows half of it', async () => {
    expect(await replyWith('Fine \ud83d', 30, '\ude00', 600, ' and \ud83d', 600, '\ude00!')).toEqual([
      'Fine ',
      'Fine 😀',
      'Fine 😀 and ',
      'Fine 😀 and 😀!',
    ])
    service.replies.length = 0
    expect(await replyWith('\ud83d', 30, '\ude00')).toEqual(['😀'])
  })

  it('has characters that cannot be stored replaced by U+FFFD', async () => {
    expect(await replyWith('a\0b\ude00c', 30, ' \ud83d')).toEqual(['a\ufffdb\ufffdc', 'a\ufffdb\ufffdc \ufffd'])
  })

  it('continues if an edit fails, unless it is the last one', async () => {
    service.answers.push({ status: 201, body: '{"data":{"messageId":"m1"}}' }, { status: 422 })
    expect(await replyWith('One', 30, ' two', 600, ' three', 600, ' four')).toEqual([
      'One',
      'One two',
      'One two three',
      'One two three four',
    ])
    service.replies.length = 0
    service.answers.push({ status: 201, body: '{"data":{"messageId":"m1"}}' }, { status: 422 })
    expect(await replyWith('One', 30, ' two')).toEqual(['One', 'One two', expect.any(Error)])
  })

  it('ends if its message is rejected', async () => {
    service.answers.push({ status: 422 })
    expect(await replyWith('One', 30, ' two', 30, ' three')).toEqual(['One', expect.any(Error)])
  })

  it('that fails shows the text received so far, and fails the turn', async () => {
    async function* speak(): AsyncGenerator<string> {
      yield 'Well'
      yield ', I'
      throw new Error('model gone')
    }
    const { bridge, log } = mount([agent('support', { onMessage: ({ reply }) => reply(speak()) })], service)
    await sendEvent(bridge, eventBody(service))
    const replies = await service.received(3)
    expect(replies.map(({ body }) => body.reply?.markdown ?? body.edit?.markdown ?? body.error.code)).toEqual([
      'Well',
      'Well, I',
      'TurnFailed',
    ])
    expect(log).toEqual(['Agent "support" failed in onMessage. Error: model gone'])
  })
})

test('validates options', () => {
  const onMessage = (): void => undefined
  expect(() => agent('', { onMessage })).toThrow(/The id of a agent|The id of an agent/)
  expect(() => agent('a', {} as never)).toThrow('Agent "a": the option onMessage is required.')
  expect(() => agent('a', { onMessage, onMesage: onMessage } as never)).toThrow('Did you mean onMessage?')
  expect(() => agent('a', { onMessage, timeoutMs: 0 })).toThrow('timeoutMs must be a number above 0')
  expect(() => agent('a', { onMessage, actions: { x: { schema: 7 as never } } })).toThrow(/the schema of action "x"/)
  expect(() => agent('a', { onMessage, actions: { x: { shema: {} } as never } })).toThrow('Did you mean schema?')
  expect(() => agent('a', { onMessage, actions: [] as never })).toThrow('actions must be an object of actions by id')
  expect(() => mount([{ id: 'a' }] as never, { apiUrl: '' })).toThrow(
    'agents must be an array of agents created with agent()',
  )
  expect(() => mount([], { apiUrl: '' }, { turnLimits: { running: 0 } })).toThrow('turnLimits must be')
})

test.each([
  ['a schema', z.string(), 'pass the schema of an action as { schema }; got the schema itself.'],
  ['a schema that is a function', type('string'), 'pass the schema of an action as { schema }; got the schema itself.'],
  ['a function', (value: unknown) => value, 'the options must be an object; got a function.'],
  ['null', null, 'the options must be an object; got null.'],
])('rejects an action that is %s, and names it', (_, action, fault) => {
  const actions = { refund: action as never }
  expect(() => agent('a', { onMessage: () => undefined, actions })).toThrow(`Agent "a", action "refund": ${fault}`)
})
