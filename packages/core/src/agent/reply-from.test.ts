import { expect, test } from 'vitest'
import { type ModelResult, replyFrom } from './reply-from.ts'

const look = { role: 'assistant', content: 'The order is 7.' }
const ask = { role: 'assistant', content: 'Refund it?' }
const request = { type: 'tool-approval-request', approvalId: 'a1', toolCall: { toolName: 'refund', input: {} } }

test.each<[string, Pick<ModelResult, 'response' | 'responseMessages'>]>([
  ['6 of the AI SDK has them in its response', { response: Promise.resolve({ messages: [look, ask] }) }],
  [
    '7 has those of the last step there, and all of them beside it',
    { response: Promise.resolve({ messages: [ask] }), responseMessages: Promise.resolve([look, ask]) },
  ],
])('sends the messages of all steps with the question: version %s', async (_version, messages) => {
  const asked: unknown[] = []
  const context = {
    reply: async () => undefined,
    approve: async (_id: string, question: unknown) => asked.push(question),
  }
  const stream = async function* (): AsyncGenerator<object> {
    yield { type: 'text-delta', text: 'Refund it?' }
  }
  const result = { fullStream: stream(), content: Promise.resolve([request]), ...messages }
  await replyFrom(context, result, { messages: [{ role: 'user', content: 'Refund my order' }] })
  expect(asked).toMatchObject([{ value: { messages: [{ content: 'Refund my order' }, look, ask] } }])
})
