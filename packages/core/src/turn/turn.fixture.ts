import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sign } from '@trestle/protocol'
import type { AgentDefinition } from '../agent/agent-definition.ts'
import type { BridgeOptions, LogDetails } from '../bridge/bridge-options.ts'
import { type Bridge, createBridge } from '../http/create-bridge.ts'

/** A reply as the service received it. */
export interface ReceivedReply {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of any shape.
  readonly body: any
  readonly atMs: number
}

/** The service's side of a conversation, on its own socket. */
export interface Service {
  readonly apiUrl: string
  readonly replies: ReceivedReply[]
  /** Its next responses; 201 with a message id if the list is empty. */
  readonly answers: { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }[]
  close(): Promise<void>
  /** Waits until this many replies have been received in total. */
  received(count: number): Promise<ReceivedReply[]>
}

/** Starts a service that accepts replies below /api. */
export async function startService(): Promise<Service> {
  const replies: ReceivedReply[] = []
  const answers: Service['answers'] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    replies.push({ path: request.url, headers: request.headers, body: JSON.parse(text), atMs: performance.now() })
    const next = answers.shift()
    response.writeHead(next?.status ?? 201, { 'content-type': 'application/json', ...next?.headers })
    response.end(next?.body ?? JSON.stringify({ data: { messageId: `m${replies.length}` } }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    replies,
    answers,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    async received(count) {
      await until(
        () => replies.length >= count,
        () => `${replies.length} of ${count} replies came`,
      )
      return replies
    },
  }
}

/** Waits up to five seconds for a condition. */
export async function until(holds: () => boolean, describe: () => string = () => 'it never held'): Promise<void> {
  for (const startMs = performance.now(); !holds(); ) {
    if (performance.now() - startMs > 5000) throw new Error(describe())
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export interface Log {
  readonly lines: string[]
}

/** Mounts agents in a bridge that accepts signed calls and replies to a service. */
export function mount(
  agents: readonly AgentDefinition[],
  service: Pick<Service, 'apiUrl'>,
  options: BridgeOptions = {},
): { bridge: Bridge; log: string[] } {
  const log: string[] = []
  const note = ({ err }: LogDetails, message: string): void =>
    void log.push(err === undefined ? message : `${message} ${String(err)}`)
  const logger = { warn: note, error: note }
  const { apiUrl } = service
  return {
    bridge: createBridge({ agents, secretKey: 'sk', strictAuthentication: true, apiUrl, logger, ...options }),
    log,
  }
}

let deliveries = 0

/** Returns the body of an event with a message. */
export function eventBody(service: Pick<Service, 'apiUrl'>, more: object = {}): Record<string, unknown> {
  return {
    version: 1,
    deliveryId: `d${++deliveries}`,
    replyUrl: `${service.apiUrl}/v1/agents/support/reply`,
    conversationId: 'c1',
    integrationIdentifier: 'slack-1',
    message: { text: 'Hello', platformMessageId: 'p1' },
    action: null,
    reaction: null,
    ...more,
  }
}

/** Sends a signed event. */
export async function sendEvent(
  bridge: Bridge,
  body: unknown,
  { agentId = 'support', event = 'onMessage' as string | undefined, waitUntil = undefined as never } = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
): Promise<{ status: number; body: any }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const query = new URLSearchParams({ action: 'agent-event', agentId, ...(event !== undefined && { event }) })
  const headers: Record<string, string> = {
    'service-signature': await sign('sk', text),
    'content-type': 'application/json',
  }
  const reply = await bridge.handle({
    method: 'POST',
    url: `/?${query}`,
    header: (name) => headers[name],
    readBody: () => ({ bytes: new TextEncoder().encode(text), exact: true }),
    waitUntil,
  })
  return { status: reply.status, body: JSON.parse(reply.body) }
}
