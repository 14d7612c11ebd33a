import '@trestle/testing/vitest'
import { agent } from '@trestle/core/agents'
import { replyFrom, toApprovedMessages, toModelMessages, toolApproval } from '@trestle/core/ai'
import { type ConversationReport, type ConversationTurn, testBridge } from '@trestle/testing'
import { type ModelMessage, stepCountIs, streamText, tool } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { z } from 'zod'

// The real AI SDK with a scripted model.
type Part = Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer T> ? T : never
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const finish = (unified: 'stop' | 'tool-calls' | 'error'): Part => ({
  type: 'finish',
  usage,
  finishReason: { unified, raw: unified },
})
const says = (...words: string[]): Part[] => [
  { type: 'text-start', id: 't' },
  ...words.map((delta): Part => ({ type: 'text-delta', id: 't', delta })),
  { type: 'text-end', id: 't' },
]
const calls = (id: string, orderId: string, input: object = { orderId }): Part => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'refund',
  input: JSON.stringify(input),
})

let prompts: unknown[] = []
const refunded: string[] = []
beforeEach(() => {
  prompts = []
  refunded.length = 0
})

const modelOf = (answer: (last: { role: string; text: string }) => Part[]): MockLanguageModelV3 =>
  new MockLanguageModelV3({
    doStream: async ({ prompt }) => {
      prompts.push(prompt)
      const last = prompt.at(-1)
      const parts = answer({ role: last?.role ?? '', text: JSON.stringify(last?.content) })
      return { stream: convertArrayToReadableStream([{ type: 'stream-start', warnings: [] } as Part, ...parts]) }
    },
  })

const model = modelOf(({ role, text }) => {
  if (text.includes('fail')) throw new Error('model gone')
  if (role === 'tool') return [...says(text.includes('denied') ? 'Then not.' : 'Done.'), finish('stop')]
  if (text.includes('both')) return [calls('c1', '7'), calls('c2', '8'), finish('tool-calls')]
  if (text.includes('refund')) return [...says('Let me ', 'see. '), calls('c1', '7'), finish('tool-calls')]
  return [...says('Hello ', 'there.'), finish('stop')]
})
const tools = {
  refund: tool({
    inputSchema: z.object({ orderId: z.string() }),
    needsApproval: true,
    execute: ({ orderId }) => {
      refunded.push(orderId)
      return `refunded ${orderId}`
    },
  }),
}
const silent = { model, tools, maxRetries: 0, onError: () => undefined }

const support = agent('support', {
  actions: { toolApproval },
  onMessage: async (context) => {
    const messages = toModelMessages(context.history, context.message)
    await replyFrom(context, streamText({ ...silent, messages, abortSignal: context.signal }), { messages })
  },
  onAction: async (context) => {
    const messages = toApprovedMessages(context.action)
    await replyFrom(context, streamText({ ...silent, messages: messages as ModelMessage[] }), { messages })
  },
})
const bridge = testBridge({ agents: [support], logger: { warn: () => undefined, error: () => undefined } })

test('streams the text of a model, and the next turn has the history', async () => {
  const talk = await bridge.converse(support, ['Hi', 'Again'])
  expect(talk).toHaveSaid('Hello there.', { times: 2 })
  expect(prompts[1]).toMatchObject([
    { role: 'user', content: [{ text: 'Hi' }] },
    { role: 'assistant', content: [{ text: 'Hello there.' }] },
    { role: 'user', content: [{ text: 'Again' }] },
  ])
})

test('runs a tool only after a user has approved it', async () => {
  const talk = await bridge.converse(support, ['refund 7'])
  expect(talk).toHaveSaid('Let me see. ')
  expect(talk).toHaveAsked('toolApproval', { type: 'approval', text: 'May I run refund {"orderId":"7"}?' })
  expect(refunded).toEqual([])
  const approved = await bridge.converse(support, ['refund 7', { answer: true }])
  expect(refunded).toEqual(['7'])
  expect(approved.failures).toEqual([])
})

test('does not run a tool that a user rejects, and informs the model', async () => {
  const talk = await bridge.converse(support, ['refund 7', { answer: false, note: 'too late' }])
  expect(refunded).toEqual([])
  expect(talk.failures).toEqual([])
  expect(JSON.stringify(prompts.at(-1))).toContain('too late')
})

test('approves several tools in one question, and sends nothing for a model without text', async () => {
  const talk = await bridge.converse(support, ['both', { answer: true }])
  expect(talk.asked).toHaveLength(1)
  expect(talk.asked[0]?.text).toBe('May I run refund {"orderId":"7"} and refund {"orderId":"8"}?')
  expect(talk.turns[0]?.replies).toHaveLength(1)
  expect(refunded.sort()).toEqual(['7', '8'])
})

test('fails the turn if the model fails', async () => {
  const talk = await bridge.converse(support, ['fail'])
  expect(talk.failures).toMatchObject([{ code: 'TurnFailed' }])
})

test('accepts a stream of the AI SDK as a reply', async () => {
  const plain = agent('plain', { onMessage: ({ reply }) => reply(streamText({ model, prompt: 'Hi' }).textStream) })
  const talk = await testBridge({ agents: [plain] }).converse(plain, ['x'])
  expect(talk).toHaveSaid('Hello there.')
})

/** Runs a conversation with an agent whose model returns these parts, one list per call of the model. */
async function talkWith(
  scripts: readonly (readonly Part[])[],
  turns: readonly ConversationTurn[] = ['x'],
): Promise<{ talk: ConversationReport; errors: unknown[]; answered: ModelMessage[][] }> {
  const left = [...scripts]
  const errors: unknown[] = []
  const answered: ModelMessage[][] = []
  const lookUp = tool({ inputSchema: z.any(), execute: ({ size = 1 }) => 'r'.repeat(size) })
  const pay = tool({ inputSchema: z.any(), needsApproval: true, execute: () => 'paid' })
  const call = { ...silent, model: modelOf(() => [...(left.shift() ?? [])]), tools: { refund: pay, lookUp } }
  const scripted = agent('scripted', {
    actions: { toolApproval },
    onMessage: async (context) => {
      const messages = toModelMessages(context.history, context.message)
      await replyFrom(context, streamText({ ...call, messages, stopWhen: stepCountIs(5) }), { messages })
    },
    onAction: async (context) => {
      const messages = toApprovedMessages(context.action) as ModelMessage[]
      answered.push(messages)
      await replyFrom(context, streamText({ ...call, messages }), { messages })
    },
  })
  const quiet = { warn: () => undefined, error: () => undefined }
  const hooks = { onError: (error: unknown) => void errors.push(error) }
  const talk = await testBridge({ agents: [scripted], logger: quiet, hooks }).converse(scripted, turns)
  return { talk, errors, answered }
}

const looks = (size: number): Part => ({
  type: 'tool-call',
  toolCallId: `look${size}`,
  toolName: 'lookUp',
  input: JSON.stringify({ size }),
})

describe('a model that fails during a stream', () => {
  const overloaded = new Error('Overloaded')
  it.each<[string, Part[], string[], string]>([
    [
      'of its answer',
      [...says('It is n').slice(0, -1), { type: 'error', error: overloaded }],
      ['It is n'],
      'Overloaded',
    ],
    ['before a text', [{ type: 'error', error: overloaded }], [], 'Overloaded'],
    ['with no error', [{ type: 'error', error: { message: 'Busy' } }], [], 'The model failed: Busy'],
    ['without a reason', says('It'), ['It'], 'The model failed: it gives no reason.'],
  ])('%s fails the turn, with its cause', async (_what, parts, said, message) => {
    const { talk, errors } = await talkWith([[...parts, finish('error')]])
    expect(talk.said.map(({ markdown }) => markdown)).toEqual(said)
    expect(talk.failures).toMatchObject([{ code: 'TurnFailed' }])
    expect(errors).toMatchObject([{ message }])
  })

  it('a response without text and tool calls also fails the turn', async () => {
    const { talk, errors } = await talkWith([[finish('stop')]])
    expect(talk.failures).toMatchObject([{ code: 'TurnFailed' }])
    expect(String(errors[0])).toContain('it ended (stop) without text or a tool call')
  })

  it('a response whose only tool is unknown also fails the turn, with the reason', async () => {
    const unknown: Part = { type: 'tool-call', toolCallId: 'c1', toolName: 'nosuch', input: '{}' }
    const { talk, errors } = await talkWith([[unknown, finish('tool-calls')], [finish('stop')]])
    expect(talk.failures).toMatchObject([{ code: 'TurnFailed' }])
    expect(String(errors[0])).toContain(
      `it ended (stop) without text, and its tool "nosuch" failed: Model tried to call`,
    )
  })

  it('a response without text does not fail the turn if its tools have finished the work', async () => {
    const { talk } = await talkWith([[looks(1), finish('tool-calls')], [finish('stop')]])
    expect([talk.said, talk.failures]).toEqual([[], []])
  })
})

test('separates the text of several steps with a blank line', async () => {
  const steps = [
    [...says('Let me ', 'look.'), looks(1), finish('tool-calls')],
    [...says('It is here.'), finish('stop')],
  ]
  expect((await talkWith(steps)).talk).toHaveSaid('Let me look.\n\nIt is here.')
})

test('informs the model about attachments, and never calls it without a message', () => {
  const attachments = [{ name: 'a.pdf' }, { mimeType: 'image/png' }, {}]
  const attached = '(attached: a.pdf, image/png, a file without a name)'
  expect(toModelMessages([], { text: '', attachments })).toEqual([{ role: 'user', content: attached }])
  expect(toModelMessages([], { text: 'See', attachments })[0]?.content).toBe(`See\n\n${attached}`)
  expect(toModelMessages([], { text: ' ' })[0]?.content).toBe('(a message without text)')
})

test('shows all arguments of a tool in its approval question', async () => {
  const input = { purpose: 'refund of order 7 '.repeat(3000), note: '😀'.repeat(300), iban: 'EVIL' }
  const { talk } = await talkWith([[calls('c1', '7', input), finish('tool-calls')]])
  expect(talk.asked[0]?.text).toBe(`May I run refund ${JSON.stringify(input)}?`)
})

describe('the messages sent with a question', () => {
  it('are the latest of a long conversation, starting with a user message', async () => {
    const answer = [...says('An answer. '.repeat(900)), finish('stop')]
    const scripts = [...Array.from({ length: 10 }, () => answer), [calls('c1', '7'), finish('tool-calls')], answer]
    const turns = [...Array.from({ length: 10 }, (_, index) => `Question ${index}`), 'pay', { answer: true }]
    const { talk, answered } = await talkWith(scripts, turns)
    expect(talk.failures).toEqual([])
    expect(answered[0]?.[0]).toEqual({ role: 'user', content: 'Question 4' })
    expect(answered[0]?.map(({ role }) => role).slice(-3)).toEqual(['user', 'assistant', 'tool'])
    expect(talk.said).toHaveLength(11)
  })

  it('omit earlier steps of a response, with their tool results', async () => {
    const first = [looks(40_000), finish('tool-calls')]
    const scripts = [first, [looks(39_000), finish('tool-calls')], [calls('c1', '7'), finish('tool-calls')]]
    const { talk, answered } = await talkWith(
      [...scripts, [...says('Paid.'), finish('stop')]],
      ['pay', { answer: true }],
    )
    expect(talk).toHaveSaid('Paid.')
    expect(answered[0]?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool'])
  })

  it('contain the start of the user’s message if it is too long', async () => {
    const scripts = [
      [calls('c1', '7'), finish('tool-calls')],
      [...says('Paid.'), finish('stop')],
    ]
    const { talk, answered } = await talkWith(scripts, ['x'.repeat(66_000), { answer: true }])
    expect([talk.failures, talk.said]).toMatchObject([[], [{ markdown: 'Paid.' }]])
    expect(answered[0]?.[0]?.content).toMatch(/^x{60000,}\n\n\[… The rest of this message is omitted\.\]$/)
  })

  it('are rejected if the tool calls alone are too long', async () => {
    const { errors } = await talkWith([[calls('c1', '7', { note: 'x'.repeat(70_000) }), finish('tool-calls')]])
    expect(String(errors[0])).toContain('the tool calls and their context alone have 70')
  })
})

describe('files of messages', () => {
  const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47])
  it.each<[string, unknown, unknown]>([
    ['a Uint8Array', bytes, 'iVBORw=='],
    ['a Buffer', Buffer.from(bytes), 'iVBORw=='],
    ['an ArrayBuffer', bytes.slice().buffer, 'iVBORw=='],
    ['an address', new URL('data:image/png;base64,iVBORw=='), 'iVBORw=='],
  ])('reach the model unchanged after an answer: %s', async (_what, data, read) => {
    const sees = agent('sees', {
      actions: { toolApproval },
      onMessage: async (context) => {
        const content = [{ type: 'file', mediaType: 'image/png', data }]
        const messages = [{ role: 'user', content }] as ModelMessage[]
        await replyFrom(context, streamText({ ...silent, messages, model: asks }), { messages })
      },
      onAction: async (context) => {
        const messages = toApprovedMessages(context.action) as ModelMessage[]
        await replyFrom(context, streamText({ ...silent, messages }), { messages })
      },
    })
    const asks = modelOf(() => [calls('c1', '7'), finish('tool-calls')])
    const talk = await testBridge({ agents: [sees] }).converse(sees, ['see', { answer: true }])
    expect([talk.failures, refunded]).toEqual([[], ['7']])
    expect(talk).toHaveSaid('Done.')
    expect(prompts.at(-1)).toMatchObject([{ content: [{ type: 'file', data: read }] }, {}, {}])
  })
})

test('rejects a tool with dates in its input when it is called, not when it is approved', async () => {
  const errors: unknown[] = []
  const due = tool({
    inputSchema: z.object({ orderId: z.string().transform((text) => new Date(text)) }),
    needsApproval: true,
    execute: () => 'paid',
  })
  const asks = modelOf(() => [calls('c1', '2026-01-01'), finish('tool-calls')])
  const dated = agent('dated', {
    actions: { toolApproval },
    onMessage: (context) =>
      replyFrom(context, streamText({ ...silent, model: asks, tools: { refund: due }, prompt: 'x' }), { messages: [] }),
  })
  const hooks = { onError: (error: unknown) => void errors.push(error) }
  await testBridge({ agents: [dated], hooks, logger: { warn() {}, error() {} } }).converse(dated, ['x'])
  expect(String(errors[0])).toContain('TypeError: replyFrom(): the input of tool "refund" has a value of')
})
