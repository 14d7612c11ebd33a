import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { draws } from '../../../../../test/scope.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { productionKey } from '../service.fixture.ts'
import { botToken, type SlackScene, signingSecret, startSlack } from './slack.fixture.ts'

const hasty = { bridge: { allow: ['127.0.0.0/8'], sleep: async () => undefined } }
const direct = { type: 'message', channel: 'D1', channel_type: 'im', user: 'U1', text: 'Hello', ts: '100.1' }

const waitForCalls = (scene: SlackScene, count: number) =>
  vi.waitFor(() => {
    if (scene.slack.calls.length < count) throw new Error(`${scene.slack.calls.length} of ${count} calls have come`)
    return scene.slack.calls
  }, 20_000)

/** Waits until no delivery is pending. */
const settled = ({ service }: SlackScene) =>
  vi.waitFor(async () => {
    const rows = await service.store.db
      .selectFrom('conversationDeliveries')
      .select('id')
      .where('status', '=', 'pending')
      .execute()
    expect(rows).toEqual([])
  }, 20_000)

describe.each(drivers)('Slack (%s)', (driver) => {
  test('relays messages of a thread to the agent, and its replies back', async (context) => {
    const scene = await startSlack(driver, context)
    const { event, waitForEvents, reply, slack, show, call } = scene
    const mention = { type: 'app_mention', channel: 'C1', user: 'U1', ts: '100.1' }
    expect(await event({ ...mention, text: '<@UBOT> where is &lt;7&gt;?' })).toEqual({ status: 200, text: '' })
    const [first] = await waitForEvents(1)
    if (!first) return
    expect(first).toMatchObject({
      event: 'onMessage',
      body: {
        ...{ platform: 'slack', integrationIdentifier: 'team' },
        message: { text: 'where is <7>?', author: { userId: 'U1' } },
        platformContext: { channel: 'C1', threadTs: '100.1', teamId: 'T1' },
      },
    })
    const sent = await reply(first, { reply: { markdown: 'On **its** way & <soon>' } })
    expect(sent.body.data).toEqual({ messageId: expect.any(String), platformThreadId: '100.1' })
    const [posted] = await waitForCalls(scene, 1)
    expect(posted).toMatchObject({
      method: 'chat.postMessage',
      authorization: `Bearer ${botToken}`,
      body: { channel: 'C1', thread_ts: '100.1', text: 'On *its* way &amp; &lt;soon&gt;' },
    })
    await settled(scene)
    const { messageId } = sent.body.data
    await reply(first, { edit: { messageId, text: '*plain*' } })
    await reply(first, { addReactions: [{ messageId: first.body.message.platformMessageId, emoji: '👀' }] })
    await reply(first, { deleteMessages: [messageId] })
    await settled(scene)
    const ts = '1700000000.000001'
    expect(slack.calls.slice(1).map(({ method, body }) => [method, body.ts ?? body.timestamp, body.name])).toEqual(
      expect.arrayContaining([
        ['reactions.add', '100.1', 'eyes'],
        ['chat.delete', ts, undefined],
      ]),
    )
    // The thread continues without a mention; other messages in the channel belong to no conversation.
    const written = { type: 'message', channel: 'C1', channel_type: 'channel', user: 'U2' }
    await event({ ...written, text: 'and mine?', thread_ts: '100.1', ts: '100.2' })
    await event({ ...written, text: 'lunch?', ts: '100.3' })
    const second = (await waitForEvents(2))[1]
    expect(second?.body).toMatchObject({ conversationId: first.body.conversationId, message: { text: 'and mine?' } })
    await event({
      type: 'reaction_added',
      user: 'U2',
      reaction: '+1',
      item: { type: 'message', channel: 'C1', ts: '100.2' },
    })
    await event({
      type: 'reaction_removed',
      user: 'U2',
      reaction: '+1',
      item: { type: 'message', channel: 'C1', ts: '100.2' },
    })
    const events = await waitForEvents(4)
    expect(events.slice(2).map(({ body }) => body.reaction)).toMatchObject([
      { emoji: '👍', added: true, messageId: second?.body.message.platformMessageId, author: { userId: 'U2' } },
      { emoji: '👍', added: false },
    ])
    expect((await call('GET', '/v1/studio/conversations')).body.data).toHaveLength(1)
    const id = (await show())._id
    expect((await call('POST', `/v1/studio/conversations/${id}/messages`, { text: 'x' })).status).toBe(409)
  })

  test('handles a repeated event once, and ignores bots', async (context) => {
    const scene = await startSlack(driver, context)
    const { event, bridge, call } = scene
    const again = (number: number) =>
      event(direct, { eventId: 'Ev-same', headers: { 'x-slack-retry-num': String(number) } })
    const answers = await Promise.all([0, 1, 2, 3, 4].map(again))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await again(5)).status).toBe(200)
    // A mention is also delivered as a message.
    await event({ ...direct, type: 'app_mention', channel_type: undefined })
    for (const other of [
      { bot_id: 'B1' },
      { subtype: 'bot_message' },
      { user: 'UBOT' },
      { subtype: 'message_changed' },
      { subtype: 'message_deleted' },
      { subtype: 'channel_join' },
      { user: undefined },
      { text: '' },
      { channel_type: 'channel', channel: 'C9' },
    ])
      expect((await event({ ...direct, ts: '200.1', ...other })).status).toBe(200)
    await event({ ...direct, text: 'the end', ts: '300.1', thread_ts: '100.1' })
    await settled(scene)
    expect(bridge.events.map(({ body }) => body.message.text)).toEqual(['Hello', 'the end'])
    expect((await call('GET', '/v1/studio/conversations')).body.data).toHaveLength(1)
  })

  test('shows cards and questions, and accepts clicks and answers', async (context) => {
    const scene = await startSlack(driver, context)
    const { event, waitForEvents, reply, slack, interact, show } = scene
    await event(direct)
    const [first] = await waitForEvents(1)
    if (!first) return
    const options = [
      { label: 'Small', value: 's'.repeat(500) },
      { label: 'Large', value: 'l' },
    ]
    const children = [
      { type: 'button', id: 'buy', label: 'Buy', value: 'v'.repeat(3000), style: 'primary' },
      { type: 'select', id: 'size', label: 'Size', options },
      { type: 'link-button', label: 'See', url: 'https://shop.test' },
    ]
    const card = {
      type: 'card',
      title: 'A & B',
      children: [{ type: 'section', children: [{ type: 'actions', children }] }],
    }
    await reply(first, { reply: { card } })
    await reply(first, { question: { questionId: 'q1', id: 'sure', type: 'approval', text: 'Sure?', value: 7 } })
    await reply(first, { question: { questionId: 'q2', id: 'pick', type: 'choice', text: 'Which?', options } })
    await reply(first, { question: { questionId: 'q3', id: 'why', type: 'text', text: 'Why?' } })
    const calls = await waitForCalls(scene, 4)
    await settled(scene)
    const times = [1, 2, 3, 4].map((number) => `1700000000.00000${number}`)
    const block = (index: number) => calls[index]?.body.blocks.at(-1)
    expect(calls[0]?.body.blocks[0]).toEqual({ type: 'header', text: { type: 'plain_text', text: 'A & B' } })
    const user = { id: 'U1', username: 'ada' }
    let triggers = 0
    const cardBlock = block(0)
    const act = (at: number, action: object, triggerId = `tr${triggers++}`) =>
      interact({
        ...{ type: 'block_actions', trigger_id: triggerId, user, channel: { id: 'D1' } },
        ...{ container: { message_ts: times[at], channel_id: 'D1' }, message: { ts: times[at], thread_ts: '100.1' } },
        actions: [action],
      })
    // Sent twice, counted once.
    const [buy, size, see] = cardBlock.elements.map(({ action_id }: { action_id: string }) => ({
      block_id: cardBlock.block_id,
      action_id,
    }))
    for (const triggerId of ['same', 'same']) await act(0, { ...buy, type: 'button', value: 'forged' }, triggerId)
    await act(0, { ...size, type: 'static_select', selected_option: { value: '0' } })
    await act(0, { ...see, type: 'button' })
    for (const action_id of ['forged', 'buy', 'trestle.approve']) await act(0, { ...buy, type: 'button', action_id })
    for (const block_id of ['x', 'trestle.card.x', 'trestle.question.x']) await act(0, { ...buy, block_id })
    const approval = { block_id: block(1).block_id, action_id: block(1).elements[1].action_id }
    await act(1, approval)
    await act(1, { ...approval, action_id: block(1).elements[0].action_id })
    await act(2, {
      block_id: block(2).block_id,
      action_id: block(2).elements[0].action_id,
      selected_option: { value: '1' },
    })
    await act(3, { block_id: block(3).block_id, action_id: block(3).element.action_id, value: 'Because <b>' })
    const events = (await waitForEvents(6)).slice(1)
    const author = { userId: 'U1', userName: 'ada' }
    expect(events.map(({ body }) => body.action)).toMatchObject([
      { id: 'buy', value: 'v'.repeat(3000), author },
      { id: 'size', value: 's'.repeat(500) },
      { id: 'sure', value: 7, answer: { type: 'approval', approved: false } },
      { id: 'pick', answer: { type: 'choice', choice: 'l' } },
      { id: 'why', answer: { type: 'text', text: 'Because <b>' } },
    ])
    await settled(scene)
    const updates = slack.calls.slice(4)
    expect(updates.map(({ method, body }) => [method, body.ts])).toEqual(
      times.slice(1).map((ts) => ['chat.update', ts]),
    )
    expect(JSON.stringify(updates[0]?.body)).toContain('*Reject*')
    expect(JSON.stringify(updates[2]?.body)).toContain('Because &lt;b&gt;')
    expect(JSON.stringify(updates)).not.toContain('action_id')
    expect(JSON.stringify(await show())).not.toContain('canary')
    expect((await show()).questions.map(({ status }: { status: string }) => status)).toEqual([
      'answered',
      'answered',
      'answered',
    ])
    expect(await waitForEvents(6)).toHaveLength(6)
  })

  test('distinguishes buttons with the same id, and accepts only those of the current card', {
    timeout: 60_000,
  }, async (context) => {
    const scene = await startSlack(driver, context)
    const { event, waitForEvents, reply, interact } = scene
    await event(direct)
    const [first] = await waitForEvents(1)
    if (!first) return
    const order = (value: string) => ({
      type: 'actions',
      children: [{ type: 'button', id: 'refund', label: 'Refund', value }],
    })
    const { messageId } = (
      await reply(first, { reply: { card: { type: 'card', children: [order('7'), order('8')] } } })
    ).body.data
    await waitForCalls(scene, 1)
    await settled(scene)
    const blocksOf = (at: number) =>
      scene.slack.calls[at]?.body.blocks.map(({ block_id, elements }: { block_id: string; elements: object[] }) => ({
        ...{ ...elements[0], block_id },
      }))
    let triggers = 0
    const act = (action: object, channel = 'D1') =>
      interact({
        ...{ type: 'block_actions', trigger_id: `one${triggers++}`, user: { id: 'U1' }, channel: { id: channel } },
        actions: [action],
      })
    const [seven, eight] = blocksOf(0)
    await act(eight)
    await reply(first, { edit: { messageId, card: { type: 'card', children: [order('8'), order('9')] } } })
    await settled(scene)
    // A user may still see the previous card: order 7 is gone, order 8 has moved.
    await act(seven)
    await act(eight)
    await act(blocksOf(1)[1])
    await act(blocksOf(1)[1], 'D2')
    const events = await waitForEvents(4)
    await settled(scene)
    expect(events.slice(1).map(({ body }) => [body.action.id, body.action.value])).toEqual([
      ['refund', '8'],
      ['refund', '8'],
      ['refund', '9'],
    ])
  })

  test('accepts clicks before Slack has responded to the post', async (context) => {
    const scene = await startSlack(driver, context)
    const { event, waitForEvents, reply, slack, interact, show } = scene
    await event(direct)
    const [first] = await waitForEvents(1)
    if (!first) return
    const held: (() => void)[] = []
    slack.answer = ({ method }) =>
      method === 'chat.postMessage' ? new Promise((resolve) => held.push(() => resolve(undefined))) : undefined
    const release = (count: number) =>
      vi.waitFor(() => {
        if (held.length < count) throw new Error('the post has not come')
        held[count - 1]?.()
      })
    const children = [{ type: 'actions', children: [{ type: 'button', id: 'buy', label: 'Buy', value: '1' }] }]
    await reply(first, { question: { questionId: 'q1', id: 'sure', type: 'approval', text: 'Sure?' } })
    await reply(first, { reply: { card: { type: 'card', children } } })
    let triggers = 0
    const click = async (count: number, element: number) => {
      const { block_id, elements } = (await waitForCalls(scene, count))[count - 1]?.body.blocks.at(-1) ?? {}
      const { status } = await interact({
        ...{ type: 'block_actions', trigger_id: `early${triggers++}`, user: { id: 'U1' }, channel: { id: 'D1' } },
        ...{ message: { ts: `1700000000.00000${count}` } },
        actions: [{ block_id, action_id: elements[element].action_id }],
      })
      expect(status).toBe(200)
    }
    await click(1, 0)
    expect((await waitForEvents(2))[1]?.body.action).toMatchObject({ id: 'sure', answer: { approved: true } })
    await release(1)
    await click(2, 0)
    expect((await waitForEvents(3))[2]?.body.action).toMatchObject({ id: 'buy', value: '1' })
    await release(2)
    await settled(scene)
    const updates = slack.calls.slice(2)
    expect(updates.map(({ method, body }) => [method, body.ts])).toEqual([['chat.update', '1700000000.000001']])
    expect((await show()).questions[0].status).toBe('answered')
  })

  test('requests a retry of a reaction while a post is unanswered', async (context) => {
    const scene = await startSlack(driver, context)
    const { event, waitForEvents, reply, slack } = scene
    await event(direct)
    const [first] = await waitForEvents(1)
    if (!first) return
    const ts = `${Math.floor(Date.now() / 1000)}.000007`
    let release: () => void = () => undefined
    slack.answer = () => new Promise((resolve) => (release = () => resolve({ body: { ok: true, ts } })))
    await reply(first, { reply: { text: 'Done' } })
    await waitForCalls(scene, 1)
    const reaction = { type: 'reaction_added', user: 'U1', reaction: '+1', item_user: 'UBOT' }
    const react = async (item: object, fields: object = {}) =>
      (await event({ ...reaction, item: { channel: 'D1', ts, ...item }, ...fields }, { eventId: 'Ev-reaction' })).status
    expect(await react({})).toBe(503)
    expect(await react({}, { item_user: undefined })).toBe(503)
    // Reactions to older posts, in another channel or to user messages do not refer to the pending post.
    expect(await react({ ts: '100.9' }, { item_user: undefined })).toBe(200)
    expect(await react({ ts: 'x' }, { item_user: undefined })).toBe(200)
    expect(await react({ channel: 'D2' })).toBe(200)
    expect(await react({}, { item_user: 'U2' })).toBe(200)
    release()
    await settled(scene)
    expect(await react({})).toBe(200)
    expect((await waitForEvents(2))[1]?.body.reaction).toMatchObject({ emoji: '👍', added: true })
  })

  test('retries when Slack asks for it, and shows its errors', async (context) => {
    const scene = await startSlack(driver, context)
    const { event, waitForEvents, reply, slack, show, log } = scene
    await event(direct)
    const [first] = await waitForEvents(1)
    if (!first) return
    let failures = 0
    slack.answer = ({ method }) => {
      if (method !== 'chat.postMessage' || failures >= 2) return undefined
      return ++failures === 1
        ? { status: 429, headers: { 'retry-after': '2' }, body: { ok: false, error: 'ratelimited' } }
        : { status: 503, headers: { 'retry-after': '0' }, body: 'down' }
    }
    await reply(first, { reply: { text: 'one' } })
    await reply(first, { reply: { text: 'two' } })
    const calls = await waitForCalls(scene, 4)
    expect(calls.map(({ body }) => body.text)).toEqual(['one', 'one', 'one', 'two'])
    expect((calls[1]?.atMs ?? 0) - (calls[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(1900)
    expect((await show()).messages).toHaveLength(3)
    slack.answer = () => ({ body: { ok: false, error: 'channel_not_found' } })
    await reply(first, { reply: { text: 'three' } })
    await settled(scene)
    expect((await show()).messages.at(-1)).toMatchObject({
      role: 'system',
      error: { code: 'channel_not_found', message: 'Slack answered channel_not_found to chat.postMessage.' },
    })
    // An edit sends a message that was not sent before.
    slack.answer = () => undefined
    const { messageId } = (await reply(first, { reply: { text: 'four' } })).body.data
    await settled(scene)
    await reply(first, { edit: { messageId, text: 'five' } })
    await settled(scene)
    expect(slack.calls.slice(-2).map(({ method }) => method)).toEqual(['chat.postMessage', 'chat.update'])
    expect(log.join('')).not.toMatch(/canary/)
  })

  test('does not repeat a post that Slack may have stored, but repeats an edit', async (context) => {
    const scene = await startSlack(driver, context)
    const { event, waitForEvents, reply, slack, show } = scene
    await event(direct)
    const [first] = await waitForEvents(1)
    if (!first) return
    slack.answer = () => ({ status: 503, body: 'down' })
    await reply(first, { reply: { text: 'one' } })
    await settled(scene)
    expect(slack.calls.map(({ method }) => method)).toEqual(['chat.postMessage'])
    expect((await show()).messages.at(-1)).toMatchObject({ role: 'system', error: { code: 'http_503' } })
    slack.answer = () => undefined
    const { messageId } = (await reply(first, { reply: { text: 'two' } })).body.data
    await settled(scene)
    slack.answer = () => (slack.calls.length === 3 ? { status: 503, body: 'down' } : undefined)
    await reply(first, { edit: { messageId, text: 'three' } })
    await settled(scene)
    expect(slack.calls.slice(2).map(({ method }) => method)).toEqual(['chat.update', 'chat.update'])
  })

  test('skips edits that a later edit supersedes', async (context) => {
    const scene = await startSlack(driver, context)
    const { event, waitForEvents, reply, slack } = scene
    await event(direct)
    const [first] = await waitForEvents(1)
    if (!first) return
    const { messageId } = (await reply(first, { reply: { text: '0' } })).body.data
    await settled(scene)
    let release = (): void => undefined
    const edited = new Promise<void>((resolve) => {
      release = resolve
    })
    slack.answer = async ({ method }) => {
      if (method !== 'chat.update' || slack.calls.length !== 2) return undefined
      await edited
      return { status: 429, headers: { 'retry-after': '0' } }
    }
    for (let number = 1; number <= 20; number++) await reply(first, { edit: { messageId, text: `${number}` } })
    release()
    await settled(scene)
    expect(slack.calls.length).toBeLessThan(8)
    expect(slack.calls.at(-1)).toMatchObject({ method: 'chat.update', body: { text: '20' } })
  })

  test('survives any response from Slack, and still sends later messages', async (context) => {
    const scene = await startSlack(driver, context)
    const { event, waitForEvents, reply, slack, show } = scene
    await event(direct)
    const [first] = await waitForEvents(1)
    if (!first) return
    const answers = [
      ...[
        { ok: false, error: '\0' },
        { ok: false, error: '\ud800' },
        { ok: false, error: `${'x'.repeat(99)}😀` },
      ],
      ...[{ ok: true, ts: '\0' }, { ok: true, ts: '\ud800' }, { ok: true, ts: 7 }, { ok: true }, [], 'x'],
    ]
    slack.answer = () => ({ body: answers[slack.calls.length - 1] })
    for (const text of answers.keys()) await reply(first, { reply: { text: `${text}` } })
    await settled(scene)
    slack.answer = () => undefined
    await reply(first, { reply: { text: 'the last' } })
    await settled(scene)
    expect(slack.calls.at(-1)?.body.text).toBe('the last')
    const failed = (await show()).messages.filter(({ error }: { error?: object }) => error)
    expect(failed.map(({ error }: { error: { code: string } }) => error.code)).toEqual([
      ...['unknown_error', 'unknown_error', 'unknown_error', 'http_200', 'http_200'],
    ])
  })

  test('truncates user messages at character boundaries', async (context) => {
    const { event, waitForEvents } = await startSlack(driver, context)
    const files = [
      { name: `${'x'.repeat(254)}😀.pdf`, mimetype: `a/${'b'.repeat(252)}😀`, size: 7 },
      { name: 'a.pdf', url_private: `https://files.test/${'p'.repeat(3000)}` },
    ]
    await event({ ...direct, files })
    const { attachments } = (await waitForEvents(1))[0]?.body.message ?? {}
    expect(JSON.stringify(attachments)).not.toMatch(/\\ud[89a-f]/i)
    expect(attachments[0]).toEqual({ name: `${'x'.repeat(254)}…`, size: 7 })
    // A truncated URL would point elsewhere.
    expect(attachments[1]).toEqual({ name: 'a.pdf' })
  })

  test('informs users that the agent does not respond, without the reason', async (context) => {
    const scene = await startSlack(driver, context, hasty)
    const { event, bridge, show } = scene
    bridge.answer = () => ({ status: 404, body: { code: 'AgentNotFoundError', message: 'secret reason', data: null } })
    await event(direct)
    const [posted] = await waitForCalls(scene, 1)
    expect(posted?.body.text).toMatch(/is not responding at the moment/)
    expect(JSON.stringify(posted)).not.toContain('secret reason')
    expect(JSON.stringify(await show())).toContain('secret reason')
  })
})

describe('a call from Slack', () => {
  const body = JSON.stringify({ type: 'event_callback', event_id: 'Ev', event: direct })

  test('requires a recent signature that matches its bytes', async (context) => {
    const { post, call, callWith, bridge } = await startSlack('sqlite', context)
    const nowS = Math.floor(Date.now() / 1000)
    const refused: readonly Parameters<typeof post>[] = [
      [body, { secret: 'another' }],
      [body, { secret: '' }],
      [body, { timestamp: nowS - 301 }],
      [body, { timestamp: nowS + 302 }],
      [body, { timestamp: 'NaN' }],
      [body, { timestamp: `${nowS}.5` }],
      [body, { timestamp: ` ${nowS}` }],
      [body, { headers: { 'x-slack-signature': '' } }],
      [body, { headers: { 'x-slack-signature': `v0=${'0'.repeat(64)}` } }],
      [body, { headers: { 'x-slack-signature': `v0=${'0'.repeat(63)}` } }],
      [body, { headers: { 'x-slack-signature': 'v0=é'.normalize('NFD').replace(/[^\x20-\x7e]/g, '?') } }],
      [body, { path: '/v1/agents/support/slack/other' }],
    ]
    for (const [given, options] of refused)
      expect([options, (await post(given, options)).status]).toEqual([options, 401])
    // Integrations that are inactive, used only for delivery, or from another provider cannot verify signatures.
    const credentials = { signingSecret }
    await call('POST', '/v1/integrations', { providerId: 'slack', kind: 'agent', identifier: 'off', credentials })
    await call('POST', '/v1/integrations', { providerId: 'slack', identifier: 'chat', active: true, credentials })
    await call('POST', '/v1/integrations', {
      providerId: 'discord',
      kind: 'agent',
      identifier: 'discord',
      active: true,
      credentials,
    })
    for (const name of ['off', 'chat', 'discord'])
      expect([name, (await post(body, { path: `/v1/agents/support/slack/${name}` })).status]).toEqual([name, 401])
    expect((await call('GET', '/v1/studio/conversations')).body.data).toEqual([])
    expect((await post(body, { path: '/v1/agents/nobody/slack/team' })).status).toBe(404)
    expect(bridge.events).toEqual([])
    // Two environments share an identifier; the secret decides.
    await callWith(productionKey)('POST', '/v1/integrations', {
      ...{ providerId: 'slack', kind: 'agent', identifier: 'team', active: true },
      credentials: { signingSecret: 'of production' },
    })
    expect((await post(body, { secret: 'of production' })).status).toBe(404)
    expect((await post(body)).status).toBe(200)
    // The signature covers the bytes, not their meaning.
    expect((await post(`${body} `)).status).toBe(200)
    const signed = await post(body, { headers: { 'x-slack-request-timestamp': String(nowS - 1) } })
    expect(signed.status).toBe(401)
  })

  test('returns the challenge of a URL verification', async (context) => {
    const { post } = await startSlack('sqlite', context)
    const challenge = { type: 'url_verification', challenge: 'abc' }
    expect(await post(JSON.stringify(challenge))).toEqual({ status: 200, text: '{"challenge":"abc"}' })
    expect((await post(JSON.stringify(challenge), { secret: 'x' })).status).toBe(401)
  })

  test('never causes an internal error, regardless of its content', async (context) => {
    const { post, event, waitForEvents, interact } = await startSlack('sqlite', context)
    await event(direct)
    await waitForEvents(1)
    const text = fc.constantFrom<unknown>(
      'D1',
      'U1',
      '100.1',
      '',
      '\0',
      '\ud800',
      'x'.repeat(500),
      7,
      null,
      [],
      {},
      'im',
      'message',
    )
    const value = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }))
    const names = [
      'type',
      'user',
      'text',
      'ts',
      'thread_ts',
      'channel',
      'channel_type',
      'files',
      'item',
      'reaction',
      'subtype',
    ]
    const hostile = fc.dictionary(fc.constantFrom(...names), value)
    const types = fc.constantFrom('message', 'app_mention', 'reaction_added', 'reaction_removed', 'other')
    const merged = fc.tuple(types, hostile).map(([type, fields]) => ({ ...direct, type, ...fields }))
    const interactions = [
      'type',
      'trigger_id',
      'user',
      'channel',
      'container',
      'message',
      'actions',
      'action_id',
      'block_id',
    ]
    const payload = fc.dictionary(fc.constantFrom(...interactions), value).map((fields) => ({
      ...{
        type: 'block_actions',
        trigger_id: 't',
        user: { id: 'U1' },
        channel: { id: 'D1' },
        message: { ts: '100.1' },
      },
      ...{ actions: [{ action_id: 'a', block_id: 'trestle.question.x' }], ...fields },
    }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(merged, fc.jsonValue()), payload, fc.uint8Array(), async (given, clicked, bytes) => {
        const answers = [
          await event(given as never),
          await interact(clicked),
          await post(JSON.stringify(given) ?? ''),
          await post(bytes),
          await post(bytes, { type: 'application/x-www-form-urlencoded' }),
        ]
        for (const { status, text: said } of answers) expect([200, 400, 422], said).toContain(status)
      }),
      { numRuns: draws(20, 1000) },
    )
  })
})
