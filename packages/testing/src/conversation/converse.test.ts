import '../vitest.ts'
import { card, emitEvent, text, workflow } from '@trestle/core'
import { agent } from '@trestle/core/agents'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { assertAsked, assertResolved, assertSaid } from '../matchers/assert-conversation.ts'
import { testBridge } from '../simulator/test-bridge.ts'

const refunded = workflow('refunded', async () => undefined, { payloadSchema: z.object({ orderId: z.string() }) })

const support = agent('support', {
  actions: { refund: { schema: z.object({ orderId: z.string() }) }, why: {}, topic: {} },
  onMessage: async ({ message, reply, approve, choose, history, conversation, setMetadata, react, subscriber }) => {
    const [word, orderId = ''] = message.text.split(' ')
    if (word === 'fail') throw new Error('as asked')
    if (word === 'refund') await approve('refund', { text: `Refund ${orderId}?`, value: { orderId } })
    else if (word === 'topics') await choose('topic', { text: 'Which?', options: [{ value: 'a', label: 'A' }] })
    else if (word === 'stream') await reply(speak())
    else if (word === 'card') await reply({ card: card({ title: 'T' }, text('x')) })
    else if (word === 'typo') {
      const sent = await reply('Helo')
      await sent.edit('Hello')
      const gone = await reply('oops')
      await gone.delete()
    } else {
      await react('eyes')
      await setMetadata({ seen: Number(conversation.metadata['seen'] ?? 0) + 1 })
      const at = new Date().toISOString()
      await reply(
        `${history.length} before, seen ${conversation.metadata['seen'] ?? 0}, ${subscriber?.subscriberId}, ${at}`,
      )
    }
  },
  onAction: async ({ action, reply, resolve, trigger, ask }) => {
    if (action.id === 'refund' && action.answer?.type === 'approval') {
      if (!action.answer.approved) return void (await ask('why', { text: 'Why not?' }))
      await trigger(refunded, { payload: { orderId: action.value.orderId } })
      await reply(`Refunded ${action.value.orderId}`)
      await resolve('refunded')
    } else await reply(`${action.id}: ${JSON.stringify(action.answer ?? action.value)}`)
    return undefined
  },
  onReaction: ({ reaction, reply }) => reply(`${reaction.emoji} on ${reaction.messageId}`),
})

async function* speak(): AsyncGenerator<string> {
  yield 'One '
  yield 'two.'
}

const bridge = testBridge({ agents: [support], workflows: [refunded], logger: { warn() {}, error() {} } })

describe('bridge.converse', () => {
  it('completes an approval', async () => {
    const talk = await bridge.converse(support, ['refund 7', { answer: true, note: 'ok' }])
    expect(talk).toHaveAsked('refund', { type: 'approval', text: 'Refund 7?', value: { orderId: '7' } })
    expect(talk).toHaveSaid('Refunded 7')
    expect(talk).toHaveBeenResolved(/refund/)
    expect(talk.asked[0]?.answer).toMatchObject({ type: 'approval', approved: true, note: 'ok' })
    expect(talk.triggered).toEqual([{ workflowId: 'refunded', to: 'subscriber-1', payload: { orderId: '7' } }])
    expect(assertAsked(talk, 'refund').value).toEqual({ orderId: '7' })
    assertResolved(talk, 'refunded')
  })

  it('accepts several triggers at once and events, and no other calls', async () => {
    const account = { apiUrl: 'https://api.example.test', secretKey: 'sk' }
    const busy = agent('busy', {
      onMessage: async ({ reply }) => {
        const requests = ['1', '2'].map((orderId) => ({ to: 'ada', payload: { orderId } }))
        const triggered = await refunded.triggerBulk(requests, account)
        await emitEvent({ name: 'paid', payload: {} }, account)
        const other = await fetch(`${account.apiUrl}/v1/other`, { method: 'POST', body: '{}' })
        const invalid = await emitEvent({ name: '' }, account).catch((error: Error) => error.message)
        await reply(`${triggered.map(({ transactionId }) => transactionId)} ${other.status} ${invalid}`)
      },
    })
    const kit = testBridge({ agents: [busy], workflows: [refunded], ...account })
    const talk = await kit.converse(busy, ['go'])
    expect(talk).toHaveSaid(/^transaction-1,transaction-2 404 .*name: must be/)
    expect(talk.triggered.map(({ workflowId }) => workflowId)).toEqual(['refunded', 'refunded'])
    expect(talk.turns[0]?.replies).toHaveLength(1)
  })

  it('answers questions by id, selects options, clicks and reacts', async () => {
    const talk = await bridge.converse('support', [
      'refund 7',
      'topics',
      { answer: false, to: 'refund' },
      { answer: 'too late' },
      { answer: 'a', to: 'topic' },
      { action: 'why', value: 5 },
      { reaction: '+1' },
    ])
    expect(talk.said.map((message) => message.text)).toEqual([
      `why: {"questionId":"${talk.asked[2]?.questionId}","type":"text","text":"too late"}`,
      `topic: {"questionId":"${talk.asked[1]?.questionId}","type":"choice","choice":"a"}`,
      'why: 5',
      '+1 on reply-3',
    ])
    expect(talk).not.toHaveBeenResolved()
  })

  it('rejects an edit of a question, which can only be deleted', async () => {
    const editing = agent('editing', {
      actions: { why: {} },
      onMessage: async ({ ask }) => void (await ask('why', { text: 'Why?' })),
      onAction: async ({ action, edit, delete: remove, reply }) => {
        const id = action.sourceMessageId ?? ''
        await edit(id, 'How?').catch((error: Error) => reply(error.message))
        await remove(id)
      },
    })
    const talk = await testBridge({ agents: [editing], logger: { warn() {}, error() {} } }).converse(editing, [
      'hello',
      { answer: 'so' },
    ])
    expect(talk).toHaveSaid(/409.*A question cannot be edited/)
    expect(talk.asked[0]?.text).toBe('Why?')
    expect(talk.turns.at(-1)?.replies.at(-1)).toMatchObject({ deleteMessages: ['question-1'] })
    expect(talk.failures).toEqual([])
  })

  it('informs the agent once that the conversation ended, and continues when the user does', async () => {
    const seen: unknown[] = []
    const ending = agent('ending', {
      onMessage: async ({ message, resolve, reply, conversation }) => {
        seen.push(conversation['status'])
        if (message.text === 'end') await resolve('done')
        else await reply('Yes?')
      },
      onResolve: async ({ reply, conversation }) => {
        seen.push(conversation['status'])
        await reply('Bye')
      },
    })
    const turns = ['end', { resolve: true }, 'still there?', { resolve: true }] as const
    const talk = await testBridge({ agents: [ending] }).converse(ending, turns)
    expect(seen).toEqual(['open', 'resolved', 'open', 'resolved'])
    expect(talk.turns.map(({ event }) => event)).toEqual(['onMessage', 'onResolve', 'onMessage', 'onResolve'])
    expect(talk.said.map((message) => [message.text, message.turn])).toEqual([
      ['Bye', 1],
      ['Yes?', 2],
      ['Bye', 3],
    ])
    expect(talk).toHaveBeenResolved('done')
  })

  it('keeps history and metadata, and skips the wait between turns', async () => {
    const talk = await bridge.converse(support, ['one', { message: 'two', afterMs: 86_400_000 }, { resolve: true }], {
      now: '2026-01-01T10:00:00Z',
      subscriber: 'ada',
    })
    expect(talk).toHaveSaid('0 before, seen 0, ada, 2026-01-01T10:00:00.000Z')
    expect(talk).toHaveSaid('2 before, seen 1, ada, 2026-01-02T10:00:00.000Z')
    expect(talk).toHaveSaid({ text: expect.stringContaining('before') }, { times: 2 })
    expect(talk.metadata).toEqual({ seen: 2 })
    expect(talk.reactions).toEqual([
      { messageId: 'message-1', emoji: 'eyes' },
      { messageId: 'message-2', emoji: 'eyes' },
    ])
    expect(talk.turns.map(({ event, replies }) => [event, replies.length])).toEqual([
      ['onMessage', 3],
      ['onMessage', 3],
      ['onResolve', 0],
    ])
  })

  it('shows messages in their final version', async () => {
    const talk = await bridge.converse(support, ['typo', 'stream', 'card', 'fail'])
    expect(talk.said).toMatchObject([
      { text: 'Hello', edits: 1, deleted: false },
      { text: 'oops', deleted: true },
      { markdown: 'One two.' },
      { card: { title: 'T' } },
    ])
    expect(talk).toHaveSaid('One two.')
    expect(talk).toHaveSaid({ card: { title: 'T' } })
    expect(talk).not.toHaveSaid('oops')
    expect(talk).not.toHaveSaid('Helo')
    expect(talk.failures).toMatchObject([{ code: 'TurnFailed' }])
    expect(assertSaid(talk, 'Hello').turn).toBe(0)
  })

  it('reports rejected replies', async () => {
    await expect(bridge.converse('none', ['x'])).rejects.toMatchObject({ code: 'AgentNotFoundError', status: 404 })
    await expect(bridge.converse(support, [{ action: 'refund', value: {} }])).rejects.toMatchObject({
      code: 'RequestBodyInvalidError',
    })
  })

  it.each<[unknown, string]>([
    [{}, 'exactly one of message, action, answer, reaction, resolve'],
    [{ message: 'a', action: 'b' }, 'exactly one of'],
    [{ massage: 'a' }, 'exactly one of'],
    [{ message: 'a', afterMs: -1 }, 'afterMs of 0 or more'],
    [{ message: 7 }, 'a string as message'],
    [{ answer: true }, 'no question is open'],
    [{ reaction: '+1' }, 'has sent no message yet'],
    [null, 'exactly one of'],
  ])('rejects the turn %j', async (turn, message) => {
    await expect(bridge.converse(support, [turn as never])).rejects.toThrow(message)
  })

  it('rejects an answer of the wrong type', async () => {
    await expect(bridge.converse(support, ['refund 7', { answer: 'yes' }])).rejects.toThrow('with a boolean')
    await expect(bridge.converse(support, ['topics', { answer: 'z' }])).rejects.toThrow('must choose one of a')
  })

  it('blocks network access for the agent', async () => {
    const curious = agent('curious', {
      onMessage: async ({ reply }) => {
        await fetch('https://example.com/').catch((error: Error) => reply(error.message))
      },
    })
    const talk = await testBridge({ agents: [curious] }).converse(curious, ['x'])
    expect(talk).toHaveSaid(/was blocked/)
  })
})

test('the matchers fail with the actual result', async () => {
  const talk = await bridge.converse(support, ['refund 7', 'card'])
  expect(() => expect(talk).toHaveSaid('Hello')).toThrow(
    /0 of its messages match; the agent said "a card or files", asked "refund"/,
  )
  expect(() => expect(talk).not.toHaveSaid()).toThrow('not to have said it')
  expect(() => expect(talk).toHaveAsked('why')).toThrow('to have asked "why"')
  expect(() => expect(talk).toHaveAsked('refund', { text: 'Other' })).toThrow('to have asked "refund"')
  expect(() => expect(talk).toHaveBeenResolved()).toThrow('it is not resolved')
  expect(() => assertSaid(talk, 'Hello')).toThrow('to have said it')
  expect(() => assertAsked(talk, 'why')).toThrow('to have asked')
  expect(() => assertResolved(talk)).toThrow('not resolved')
  expect(() => expect(talk).toHaveSaid({ txt: 'x' } as never)).toThrow('has no field "txt"')
  expect(() => expect(talk).toHaveSaid('x', { times: 0 })).toThrow('times must be')
  const promise = bridge.converse(support, ['card'])
  expect(() => expect(promise).toHaveSaid('x')).toThrow('add the missing await')
  await promise
  expect(() => expect({}).toHaveSaid('x')).toThrow('not the report of a conversation')
})
