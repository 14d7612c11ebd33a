import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@trestle/protocol'
import { onTestFinished, type TestContext, vi } from 'vitest'
import type { ServiceOptions } from '../../config/generated/service-options.ts'
import type { StoreDriver } from '../../store/store.ts'
import { startTestService, type TestService } from '../service.fixture.ts'

/** An event that the test bridge received. */
export interface ReceivedEvent {
  readonly agentId: string
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly body: any
}

/** A response that replaces the test bridge's acknowledgement. */
export type EventAnswer = { readonly status: number; readonly body: unknown } | undefined

/** A bridge whose agents acknowledge all events and never reply. */
export interface AgentBridge {
  readonly url: string
  /** Received events, in the order of acknowledgement. */
  readonly events: ReceivedEvent[]
  agents: readonly string[]
  /** Returns the response to an event. */
  answer: (event: ReceivedEvent) => EventAnswer | Promise<EventAnswer>
}

/** Serves a bridge with agents. */
export async function serveAgents(): Promise<AgentBridge> {
  const events: ReceivedEvent[] = []
  const bridge: AgentBridge = { url: '', events, agents: ['support'], answer: () => undefined }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const query = new URL(request.url ?? '', 'http://bridge').searchParams
      const send = (status: number, body: unknown) => {
        response.statusCode = status
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
      }
      if (query.get('action') !== 'agent-event')
        return send(200, { workflows: [], agents: bridge.agents.map((agentId) => ({ agentId })) })
      const body: JsonObject = JSON.parse(Buffer.concat(chunks).toString())
      const event = { agentId: query.get('agentId') ?? '', event: query.get('event') ?? '', body }
      const given = await bridge.answer(event)
      if (!given || given.status < 300) events.push(event)
      return send(given?.status ?? 200, given?.body ?? { status: 'ack' })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(bridge, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/bridge` })
}

export interface AgentScene extends TestService {
  readonly bridge: AgentBridge
  /** Calls the API, expects success and returns the data of the response. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  ok(line: string, body?: unknown): Promise<any>
  /** Starts a conversation and returns its path. */
  begin(agentId?: string): Promise<string>
  /** Waits for a number of events. */
  waitForEvents(count: number): Promise<readonly ReceivedEvent[]>
  reply(event: ReceivedEvent, action: JsonObject, options?: ReplyOptions): ReturnType<TestService['call']>
}

/** Differences from the default reply. */
export interface ReplyOptions {
  readonly turnId?: string
  readonly sequence?: number
  readonly key?: string
  readonly secret?: string
  readonly fields?: JsonObject
}

let turns = 0

/** Starts a service and a bridge, synced, with the agent `support`. */
export async function startAgents(
  driver: StoreDriver,
  context: TestContext,
  options: ServiceOptions = {},
): Promise<AgentScene> {
  const bridge = await serveAgents()
  const started = await startTestService(driver, context, { work: true, ...options })
  const { call, service } = started
  const ok: AgentScene['ok'] = async (line, body) => {
    const [method = '', path = ''] = line.split(' ', 2)
    const answer = await call(method, path, body)
    if (answer.status >= 400) throw new Error(`${line}: ${answer.status} ${answer.text}`)
    return answer.body?.data
  }
  await ok('POST /v1/bridge/sync', { bridgeUrl: bridge.url })
  return {
    ...started,
    bridge,
    ok,
    begin: async (agentId = 'support') =>
      `/v1/studio/conversations/${(await ok('POST /v1/studio/conversations', { agentId }))._id}`,
    waitForEvents: (count) =>
      vi.waitFor(() => {
        if (bridge.events.length < count) throw new Error(`${bridge.events.length} of ${count} events have come`)
        return bridge.events
      }, 15_000),
    async reply({ agentId, body }, action, { turnId = `t${turns++}`, sequence = 0, key, secret, fields } = {}) {
      const { conversationId, integrationIdentifier, deliveryId, replyUrl } = body
      const head = { version: 1, agentId, conversationId, integrationIdentifier, deliveryId, turnId, sequence }
      if (!String(replyUrl).startsWith(service.url)) throw new Error(`replies go to ${replyUrl}`)
      const response = await fetch(replyUrl, {
        method: 'POST',
        headers: {
          authorization: `ApiKey ${secret ?? 'sk_test_0123456789abcdef'}`,
          'content-type': 'application/json',
          'idempotency-key': key ?? `${turnId}.${sequence}`,
        },
        body: JSON.stringify({ ...head, ...action, ...fields }),
      })
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: text === '' ? undefined : JSON.parse(text),
      }
    },
  }
}
