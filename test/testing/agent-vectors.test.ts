import { readFileSync } from 'node:fs'
import { createBridge, toNodeHandler } from '@trestle/core'
import { agent } from '@trestle/core/agents'
import { sign, signatureHeader } from '@trestle/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFault } from '../../packages/testing/src/conformance/vector-pattern.ts'
import { listen } from '../conformance/mounts/node.ts'

interface Vector {
  readonly name: string
  readonly query: Record<string, string>
  readonly body: string
  readonly signed: { readonly timestamp: string; readonly header: string }
  readonly reply: { readonly status: number; readonly body: unknown; readonly path?: string }
  readonly replies: readonly unknown[]
}

const file = new URL('../../packages/testing/data/agents.json', import.meta.url)
const {
  secretKey,
  apiUrl,
  events,
  agent: described,
} = JSON.parse(readFileSync(file, 'utf8')) as {
  secretKey: string
  apiUrl: string
  events: readonly Vector[]
  agent: { actions: { refund: object } }
}

const support = agent('support', {
  actions: { refund: { schema: described.actions.refund as { type: 'object' } } },
  onMessage: async ({ message, reply, approve }) => {
    const [word, orderId] = message.text.split(' ')
    if (word === 'fail') throw new Error('as asked')
    if (word === 'refund') await approve('refund', { text: `Refund order ${orderId}?`, value: { orderId } })
    else await reply(`You said ${message.text}`)
  },
  onAction: async ({ action, reply, resolve }) => {
    if (action.answer?.type !== 'approval') return
    await reply(`Order ${String(action.value['orderId'])} approved: ${action.answer.approved}`)
    await resolve()
  },
  onReaction: async ({ reaction, react }) => {
    await react(reaction.emoji, reaction.messageId)
  },
})

const received: unknown[] = []
let url = ''
let origin = ''
const closing: (() => void)[] = []

beforeAll(async () => {
  const api = await listen(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    received.push(JSON.parse(text))
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"data":{"messageId":"m"}}')
  })
  origin = api.origin
  const logger = { warn: () => undefined, error: () => undefined }
  const options = { agents: [support], secretKey, strictAuthentication: true, apiUrl: `${origin}/api`, logger }
  const bridge = await listen(toNodeHandler(createBridge(options)))
  url = bridge.origin
  closing.push(
    () => void api.server.close(),
    () => void bridge.server.close(),
  )
})
afterAll(() => {
  for (const close of closing) close()
})

test.each(events.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
  expect(await sign(secretKey, vector.body, { nowMs: Number(vector.signed.timestamp) })).toBe(vector.signed.header)
  const body = vector.body.replaceAll(new URL(apiUrl).origin, origin)
  const before = received.length
  const response = await fetch(`${url}/?${new URLSearchParams(vector.query)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [signatureHeader]: await sign(secretKey, body) },
    body,
  })
  const answer = (await response.json()) as { readonly data?: readonly { readonly path: string }[] | null }
  expect([response.status, findFault(answer, vector.reply.body)]).toEqual([vector.reply.status, undefined])
  if (vector.reply.path) expect(answer.data?.[0]?.path).toContain(vector.reply.path)
  await expect.poll(() => received.length - before, { timeout: 30_000 }).toBeGreaterThanOrEqual(vector.replies.length)
  // Gives unexpected events time to arrive.
  await new Promise((resolve) => setTimeout(resolve, 30))
  const replies = received.slice(before)
  expect(replies).toHaveLength(vector.replies.length)
  expect(replies.map((reply, index) => findFault(reply, vector.replies[index]))).toEqual(replies.map(() => undefined))
})

test('the published schema is the one used to validate events', async () => {
  const { agentEventSchema } = await import('../../packages/core/src/turn/agent-event-schema.ts')
  const published = new URL('../../packages/testing/data/agent-event.schema.json', import.meta.url)
  expect(JSON.parse(readFileSync(published, 'utf8'))).toEqual(agentEventSchema)
})
