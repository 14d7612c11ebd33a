import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBridge, toNodeHandler } from '@trestle/core'
import { describe, expect, onTestFinished, type TestContext, test, vi } from 'vitest'
import { customerWaits, support } from '../../examples/agent/src/support.ts'
import { startTestService, testKeys } from '../../packages/service/src/start/service.fixture.ts'
import type { StoreDriver } from '../../packages/service/src/store/store.ts'
import { drivers } from '../../packages/service/src/store/stores.fixture.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Starts the service, and a bridge with the example's support bot. */
async function setUp(driver: StoreDriver, context: TestContext) {
  const { service, call } = await startTestService(driver, context)
  const bridge = createBridge({
    ...{ agents: [support], workflows: [customerWaits], secretKey: testKeys.Development },
    ...{ apiUrl: service.url, strictAuthentication: true },
  })
  const server = createServer(toNodeHandler(bridge))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const bridgeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/bridge`
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of every shape
  const send = async (line: string, body?: unknown): Promise<any> => {
    const { status, json } = await call(line, body)
    if (status >= 400) throw new Error(`${line}: ${status} ${JSON.stringify(json)}`)
    return (json as { readonly data: unknown }).data
  }
  await send('POST /v1/bridge/sync', { bridgeUrl })
  const { _id } = await send('POST /v1/studio/conversations', { agentId: 'support' })
  const path = `/v1/studio/conversations/${_id}`
  const until = (expected: object) =>
    vi.waitFor(async () => {
      const conversation = await send(`GET ${path}`)
      expect(conversation).toMatchObject(expected)
      return conversation
    }, 15_000)
  return { send, call, path, until }
}

describe.each(drivers)('the support bot of the example on %s', (driver) => {
  test('answers, refunds approved amounts, and ends the conversation', async (context) => {
    const { send, path, until } = await setUp(driver, context)
    expect(await send('GET /v1/studio/agents')).toEqual([{ agentId: 'support', conversations: 1 }])
    await send(`POST ${path}/messages`, { text: 'Where is order 7?' })
    await until({
      messages: [{ role: 'user' }, { role: 'agent', markdown: 'Order 7 is on its way. It arrives tomorrow.' }],
    })
    await send(`POST ${path}/messages`, { text: 'Refund order 7' })
    const { questions } = await until({ questions: [{ type: 'approval', status: 'open' }] })
    const { questionId } = questions[0]
    await send(`POST ${path}/answers`, { questionId, approved: true })
    await until({
      ...{ status: 'resolved', summary: 'Refunded order 7', isTyping: false },
      messages: [{}, {}, {}, { questionId }, { role: 'user', text: 'Refund' }, { text: 'Order 7 is refunded.' }],
      deliveries: Array.from({ length: 4 }, () => ({ status: 'acknowledged', attempts: 1 })),
    })
  })

  test('hands over to a human, and starts a workflow that notifies the team', async (context) => {
    const { send, call, path, until } = await setUp(driver, context)
    await send(`POST ${path}/messages`, { text: 'I want to talk to a human' })
    await until({ metadata: { with: 'person' }, messages: [{}, { role: 'agent' }] })
    const conversationId = path.split('/').at(-1)
    await vi.waitFor(async () => {
      const { json } = await call('GET /v1/studio/runs?workflowId=customer-waits')
      expect(json).toMatchObject({ data: [{ subscriberId: 'support-team', status: 'completed' }] })
      const [{ _id }] = (json as { readonly data: readonly { readonly _id: string }[] }).data as [{ _id: string }]
      const run = await call(`GET /v1/studio/runs/${_id}`)
      expect(run.text).toContain(conversationId)
    }, 15_000)
    // From now on, the agent does not take part in the conversation.
    await send(`POST ${path}/messages`, { text: 'Are you there?' })
    await until({ deliveries: [{ status: 'acknowledged' }, { status: 'acknowledged' }] })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await send(`GET ${path}`)).messages).toHaveLength(3)
  })
})
