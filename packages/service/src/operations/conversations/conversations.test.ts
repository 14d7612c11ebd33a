import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Validator } from '@cfworker/json-schema'
import { describe, expect, test, vi } from 'vitest'
import { drivers } from '../../store/stores.fixture.ts'
import { productionKey, secretKey } from '../service.fixture.ts'
import { startAgents } from './agents.fixture.ts'

const schemaFile = new URL('../../../../testing/data/agent-event.schema.json', import.meta.url)
const validator = new Validator(JSON.parse(readFileSync(fileURLToPath(schemaFile), 'utf8')), '2020-12')

describe.each(drivers)('agents (%s)', (driver) => {
  test('match the last sync, in the same order', async (context) => {
    const { bridge, ok, call, begin } = await startAgents(driver, context)
    bridge.agents = ['zoe', 'support', 'adam']
    await ok('POST /v1/bridge/sync', { bridgeUrl: bridge.url })
    await begin('zoe')
    const list = await ok('GET /v1/studio/agents')
    expect(list.map(({ agentId }: { agentId: string }) => agentId)).toEqual(['zoe', 'support', 'adam'])
    expect(list[0].conversations).toBe(1)
    bridge.agents = ['adam']
    await ok('POST /v1/bridge/sync', { bridgeUrl: bridge.url })
    expect(await ok('GET /v1/studio/agents')).toEqual([{ agentId: 'adam', conversations: 0 }])
    expect((await call('POST', '/v1/studio/conversations', { agentId: 'zoe' })).status).toBe(404)
    // Existing conversations remain.
    expect((await call('GET', '/v1/studio/conversations?agentId=zoe')).body.data).toHaveLength(1)
    for (const agents of [['a', 'a'], [''], ['x'.repeat(256)]]) {
      bridge.agents = agents
      const refused = await call('POST', '/v1/bridge/sync', { bridgeUrl: bridge.url })
      expect(refused).toMatchObject({ status: 400, body: { message: expect.stringMatching(/agent/) } })
    }
    expect(await ok('GET /v1/studio/agents')).toEqual([{ agentId: 'adam', conversations: 0 }])
  })

  test('are invisible to another environment', async (context) => {
    const { begin, callWith, waitForEvents, ok, reply } = await startAgents(driver, context)
    const path = await begin()
    await ok(`POST ${path}/messages`, { text: 'Hello' })
    const [event] = await waitForEvents(1)
    const other = callWith(productionKey)
    expect((await other('GET', '/v1/studio/agents')).body.data).toEqual([])
    expect((await other('GET', '/v1/studio/conversations')).body.data).toEqual([])
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['POST', '/messages', { text: 'x' }],
      ['POST', '/actions', { actionId: 'x' }],
      ['POST', '/answers', { questionId: 'x', text: 'x' }],
      ['POST', '/reactions', { messageId: 'x', emoji: 'x' }],
      ['POST', '/resolve', undefined],
    ] as const)
      expect([rest, (await other(method, path + rest, body)).status]).toEqual([rest, 404])
    if (event) expect((await reply(event, { reply: { text: 'x' } }, { secret: productionKey })).status).toBe(404)
  })
})

describe.each(drivers)('conversations (%s)', (driver) => {
  test('send user messages to the agent, with history', async (context) => {
    const { ok, call, bridge, waitForEvents, reply, addSubscriber } = await startAgents(driver, context)
    await addSubscriber('ada', { firstName: 'Ada' })
    expect((await call('POST', '/v1/studio/conversations', { agentId: 'support', subscriberId: 'bob' })).status).toBe(
      404,
    )
    const begun = await ok('POST /v1/studio/conversations', { agentId: 'support', subscriberId: 'ada' })
    expect(begun).toMatchObject({ platform: 'web', status: 'open', title: '', subscriberId: 'ada' })
    const path = `/v1/studio/conversations/${begun._id}`
    const written = await ok(`POST ${path}/messages`, { text: '  Where is my order?\n\nIt is late. ' })
    const [first] = await waitForEvents(1)
    if (!first) return
    expect(validator.validate(first.body).errors).toEqual([])
    expect(first).toMatchObject({
      agentId: 'support',
      event: 'onMessage',
      body: {
        conversationId: begun._id,
        message: {
          text: '  Where is my order?\n\nIt is late. ',
          platformMessageId: written._id,
          author: { userId: 'ada' },
        },
        conversation: { status: 'open', messageCount: 1, metadata: {} },
        history: [],
        subscriber: { subscriberId: 'ada', firstName: 'Ada' },
        platform: 'web',
      },
    })
    await reply(first, { reply: { markdown: 'Which **one**?' } })
    await reply(first, { metadata: { asked: true } })
    await ok(`POST ${path}/messages`, { text: 'Number 7' })
    const second = (await waitForEvents(2))[1]
    expect(second?.body.history).toMatchObject([
      { role: 'user', messageId: written._id },
      { role: 'agent', text: 'Which **one**?' },
    ])
    expect(second?.body.conversation.metadata).toEqual({ asked: true })
    expect(second?.body.deliveryId).not.toBe(first.body.deliveryId)
    expect(await ok(`GET ${path}`)).toMatchObject({
      title: 'Where is my order? It is late.',
      messageCount: 3,
      deliveries: [{ event: 'onMessage' }, { event: 'onMessage', messageId: expect.any(String) }],
    })
    expect(bridge.events).toHaveLength(2)
    await addNothing(call, path)
  })

  test('send clicks, reactions and resolutions to the agent once each', async (context) => {
    const { begin, ok, call, waitForEvents, reply, bridge } = await startAgents(driver, context)
    const path = await begin()
    await ok(`POST ${path}/messages`, { text: 'Hi' })
    const [event] = await waitForEvents(1)
    if (!event) return
    const { messageId } = (await reply(event, { reply: { text: 'Hello' } })).body.data
    await ok(`POST ${path}/actions`, { actionId: 'buy', value: { deep: [1, null, 'x'] }, sourceMessageId: messageId })
    const reaction = { messageId, emoji: '👍' }
    await ok(`POST ${path}/reactions`, reaction)
    await ok(`POST ${path}/reactions`, reaction)
    await ok(`POST ${path}/reactions`, { ...reaction, added: false })
    await ok(`POST ${path}/resolve`)
    await ok(`POST ${path}/resolve`)
    const events = await waitForEvents(5)
    for (const { body } of events) expect(validator.validate(body).errors).toEqual([])
    expect(events.map(({ event: name }) => name)).toEqual([
      'onMessage',
      'onAction',
      'onReaction',
      'onReaction',
      'onResolve',
    ])
    expect(events[1]?.body.action).toMatchObject({
      id: 'buy',
      value: { deep: [1, null, 'x'] },
      sourceMessageId: messageId,
    })
    expect(events[2]?.body.reaction).toMatchObject({ emoji: '👍', added: true, messageId })
    expect(events[3]?.body.reaction).toMatchObject({ added: false })
    expect(await ok(`GET ${path}`)).toMatchObject({ status: 'resolved' })
    // A new message reopens the conversation.
    await ok(`POST ${path}/messages`, { text: 'One more thing' })
    expect(await ok(`GET ${path}`)).toMatchObject({ status: 'open' })
    expect((await waitForEvents(6))[5]?.body.conversation.status).toBe('open')
    expect(bridge.events).toHaveLength(6)
    for (const [rest, body, status] of [
      ['/actions', { actionId: 'buy', sourceMessageId: 'nothing' }, 422],
      ['/reactions', { messageId: 'nothing', emoji: 'x' }, 422],
      ['/answers', { questionId: 'nothing', text: 'x' }, 404],
      ['/messages', { text: '' }, 422],
      ['/messages', { text: 'x'.repeat(100_001) }, 422],
      ['/actions', { actionId: 'x', value: 'x'.repeat(70_000) }, 422],
    ] as const)
      expect([rest, (await call('POST', path + rest, body)).status]).toEqual([rest, status])
  })

  test('are listed in pages, most recent activity first', async (context) => {
    const { begin, ok, call } = await startAgents(driver, context, { work: false })
    const paths: string[] = []
    for (let count = 0; count < 5; count++) paths.push(await begin())
    await ok(`POST ${paths[1]}/messages`, { text: 'News' })
    const ids = paths.map((path) => path.split('/').at(-1))
    const first = (await call('GET', '/v1/studio/conversations?limit=3')).body
    const rest = (await call('GET', `/v1/studio/conversations?limit=3&after=${first.next}`)).body
    const listed = [...first.data, ...rest.data].map(({ _id }) => _id)
    expect(listed).toEqual([ids[1], ids[4], ids[3], ids[2], ids[0]])
    expect(first.data[0]).toMatchObject({ title: 'News', messageCount: 1 })
    await ok(`POST ${paths[2]}/resolve`)
    const resolved = (await call('GET', '/v1/studio/conversations?status=resolved')).body.data
    expect(resolved.map(({ _id }: { _id: string }) => _id)).toEqual([ids[2]])
  })

  test('stream changes to every open page', async (context) => {
    const { begin, ok, service } = await startAgents(driver, context, { work: false })
    const quiet = await begin()
    const path = await begin()
    const closing = new AbortController()
    const response = await fetch(`${service.url}/v1/studio/events`, {
      headers: { authorization: `ApiKey ${secretKey}` },
      signal: closing.signal,
    })
    let text = ''
    const reading = (async () => {
      for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk)
    })().catch(() => undefined)
    await vi.waitFor(() => expect(text).toContain('connected'))
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await ok(`POST ${path}/messages`, { text: 'Hi' })
    await vi.waitFor(() => expect(text).toContain('event: conversation.changed'), 30_000)
    const changeEvents = [...text.matchAll(/event: conversation.changed\ndata: (.*)\n/g)].map(([, data = '']) =>
      JSON.parse(data),
    )
    expect(changeEvents).toEqual([{ conversationId: path.split('/').at(-1), agentId: 'support' }])
    expect(text).not.toContain(quiet.split('/').at(-1))
    closing.abort()
    await reading
  })
})

async function addNothing(call: (method: string, path: string) => Promise<{ readonly text: string }>, path: string) {
  expect((await call('GET', path)).text).toBe((await call('GET', path)).text)
}
