import '@trestle/testing/vitest'
import { agent } from '@trestle/core/agents'
import { replyFrom, toApprovedMessages, toModelMessages, toolApproval } from '@trestle/core/ai'
import { testBridge } from '@trestle/testing'
import { type ModelMessage, streamText, tool } from 'ai'
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'

// The real AI SDK; only the model behind it is a script.
type Part = Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer T> ? T : never
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const finish = (unified: 'stop' | 'tool-calls'): Part => ({
  type: 'finish',
  usage,
  finishReason: { unified, raw: unified },
})
const says = (...words: string[]): Part[] => [
  { type: 'text-start', id: 't' },
  ...words.map((delta): Part => ({ type: 'text-delta', id: 't', delta })),
  { type: 'text-end', id: 't' },
]
const calls = (id: string, orderId: string): Part => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'refund',
  input: JSON.stringify({ orderId }),
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

test('the text of a model is said as it comes, and the next turn has the history', async () => {
  const talk = await bridge.converse(support, ['Hi', 'Again'])
  expect(talk).toHaveSaid('Hello there.', { times: 2 })
  expect(prompts[1]).toMatchObject([
    { role: 'user', content: [{ text: 'Hi' }] },
    { role: 'assistant', content: [{ text: 'Hello there.' }] },
    { role: 'user', content: [{ text: 'Again' }] },
  ])
})

test('a tool runs when a person has approved it, and not before', async () => {
  const talk = await bridge.converse(support, ['refund 7'])
  expect(talk).toHaveSaid('Let me see. ')
  expect(talk).toHaveAsked('toolApproval', { type: 'approval', text: 'May I run refund {"orderId":"7"}?' })
  expect(refunded).toEqual([])
  const approved = await bridge.converse(support, ['refund 7', { answer: true }])
  expect(refunded).toEqual(['7'])
  expect(approved.failures).toEqual([])
})

test('a tool does not run when a person refuses, and the model is told', async () => {
  const talk = await bridge.converse(support, ['refund 7', { answer: false, note: 'too late' }])
  expect(refunded).toEqual([])
  expect(talk.failures).toEqual([])
  expect(JSON.stringify(prompts.at(-1))).toContain('too late')
})

test('several tools are approved in one question, and a model without a text says nothing', async () => {
  const talk = await bridge.converse(support, ['both', { answer: true }])
  expect(talk.asked).toHaveLength(1)
  expect(talk.asked[0]?.text).toBe('May I run refund {"orderId":"7"} and refund {"orderId":"8"}?')
  expect(talk.turns[0]?.replies).toHaveLength(1)
  expect(refunded.sort()).toEqual(['7', '8'])
})

test('a model that fails fails the turn', async () => {
  const talk = await bridge.converse(support, ['fail'])
  expect(talk.failures).toMatchObject([{ code: 'TurnFailed' }])
})

test('a stream of the AI SDK can be replied as it is', async () => {
  const plain = agent('plain', { onMessage: ({ reply }) => reply(streamText({ model, prompt: 'Hi' }).textStream) })
  const talk = await testBridge({ agents: [plain] }).converse(plain, ['x'])
  expect(talk).toHaveSaid('Hello there.')
})
