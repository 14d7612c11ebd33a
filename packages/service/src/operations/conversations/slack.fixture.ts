import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '@trestle/protocol'
import { onTestFinished, type TestContext } from 'vitest'
import { listFaults } from '../../channels/chat/block-kit.fixture.ts'
import type { ServiceOptions } from '../../config/generated/service-options.ts'
import type { StoreDriver } from '../../store/store.ts'
import { type AgentScene, startAgents } from './agents.fixture.ts'

/** A call that the test Slack server received. */
export interface SlackApiCall {
  readonly method: string
  readonly authorization: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look into calls of every shape
  readonly body: any
  readonly atMs: number
}

/** A response that replaces the test Slack server's success response. */
export interface SlackApiAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A server that implements calls of Slack's Web API. */
export interface SlackApi {
  readonly url: string
  readonly calls: SlackApiCall[]
  answer: (call: SlackApiCall) => SlackApiAnswer | undefined | Promise<SlackApiAnswer | undefined>
}

async function serveSlack(): Promise<SlackApi> {
  const slack: SlackApi = { url: '', calls: [], answer: () => undefined }
  let count = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
      const method = (request.url ?? '').split('/').at(-1) ?? ''
      const call = { method, authorization: request.headers.authorization, body, atMs: Date.now() }
      slack.calls.push(call)
      const { status = 200, headers = {}, body: answer } = (await slack.answer(call)) ?? {}
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(JSON.stringify(answer ?? toUsual(call, () => `1700000000.${String(++count).padStart(6, '0')}`)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(slack, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api` })
}

/** Rejects calls that Slack would reject. */
function toUsual({ method, body }: SlackApiCall, createTime: () => string): JsonObject {
  const errors = /^chat\.(postMessage|update)$/.test(method) ? listFaults(body) : []
  return errors.length > 0
    ? { ok: false, error: 'invalid_blocks', errors }
    : { ok: true, channel: 'C1', ts: createTime() }
}

/** Differences from the default call of the test Slack. */
export interface SlackPostOptions {
  readonly secret?: string
  readonly timestamp?: number | string
  readonly headers?: Readonly<Record<string, string>>
  readonly path?: string
  readonly type?: string
}

export interface SlackScene extends AgentScene {
  readonly slack: SlackApi
  /** Sends a body as Slack does. */
  post(
    body: string | Uint8Array,
    options?: SlackPostOptions,
  ): Promise<{ readonly status: number; readonly text: string }>
  /** Sends a Slack event. */
  event(event: JsonObject, options?: SlackPostOptions & { readonly eventId?: string }): ReturnType<SlackScene['post']>
  /** Sends a Slack interaction. */
  interact(payload: JsonObject): ReturnType<SlackScene['post']>
  /** Returns the conversation in detail. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  show(): Promise<any>
}

export const signingSecret = 'canary-signing-secret'
export const botToken = 'xoxb-canary-token'

let events = 0

export async function startSlack(
  driver: StoreDriver,
  context: TestContext,
  options: ServiceOptions = {},
): Promise<SlackScene> {
  const slack = await serveSlack()
  const scene = await startAgents(driver, context, options)
  const credentials = { token: botToken, signingSecret, baseUrl: slack.url }
  const integration = { providerId: 'slack', kind: 'agent', identifier: 'team', active: true, credentials }
  await scene.ok('POST /v1/integrations', integration)
  const post: SlackScene['post'] = async (body, given = {}) => {
    const { secret = signingSecret, timestamp = Math.floor(Date.now() / 1000), headers, path, type } = given
    const signature = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')
    const response = await fetch(`${scene.service.url}${path ?? '/v1/agents/support/slack/team'}`, {
      method: 'POST',
      headers: {
        'content-type': type ?? 'application/json',
        'x-slack-request-timestamp': String(timestamp),
        'x-slack-signature': `v0=${signature}`,
        ...headers,
      },
      body: typeof body === 'string' ? body : Uint8Array.from(body),
    })
    return { status: response.status, text: await response.text() }
  }
  return {
    ...scene,
    slack,
    post,
    event: (event, { eventId = `Ev${events++}`, ...rest } = {}) => {
      const authorizations = [{ user_id: 'UBOT', is_bot: true }]
      const call = { type: 'event_callback', team_id: 'T1', event_id: eventId, authorizations, event }
      return post(JSON.stringify(call), rest)
    },
    interact: (payload) =>
      post(new URLSearchParams({ payload: JSON.stringify(payload) }).toString(), {
        type: 'application/x-www-form-urlencoded',
      }),
    async show() {
      const { data } = (await scene.call('GET', '/v1/studio/conversations')).body
      return scene.ok(`GET /v1/studio/conversations/${data[0]._id}`)
    },
  }
}
