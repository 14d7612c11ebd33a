import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBridge, toNodeHandler } from '@trestle/core'
import type { AgentDefinition } from '@trestle/core/agents'
import { expect, type TestContext, vi } from 'vitest'
import { startTestService, testKeys } from '../../packages/service/src/start/service.fixture.ts'

const logger = { warn: () => undefined, error: () => undefined }

/** A conversation with an agent in the real service. */
export interface ServiceTalk {
  /** Calls an operation of the service, such as `GET /v1/topics`, and returns its data. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  send(line: string, body?: unknown): Promise<any>
  /** The path of the conversation. */
  readonly path: string
  /** Waits until the agent has no more work. */
  settled(): Promise<void>
}

/** Starts the real service and a bridge with the agent `support`, and starts a conversation. */
export async function talkToService(
  support: AgentDefinition,
  context: Pick<TestContext, 'onTestFinished' | 'skip'>,
): Promise<ServiceTalk> {
  const { service, call } = await startTestService('sqlite', context)
  const { url: apiUrl } = service
  const works: Promise<unknown>[] = []
  const waitUntil = (work: Promise<unknown>): void => void works.push(work)
  const bridge = createBridge({
    ...{ waitUntil, agents: [support], secretKey: testKeys.Development, apiUrl, strictAuthentication: true, logger },
  })
  const server = createServer(toNodeHandler(bridge))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers of every shape
  const send = async (line: string, body?: unknown): Promise<any> => {
    const { status, json } = await call(line, body)
    if (status >= 400) throw new Error(`${line}: ${status} ${JSON.stringify(json)}`)
    return (json as { readonly data: unknown }).data
  }
  await send('POST /v1/bridge/sync', { bridgeUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
  const { _id } = await send('POST /v1/studio/conversations', { agentId: 'support' })
  const path = `/v1/studio/conversations/${_id}`
  // An agent's turn continues after its event was acknowledged, and may cause another event.
  const settled = async (): Promise<void> => {
    for (let workCount = -1; workCount < works.length; ) {
      await vi.waitFor(async () => {
        const { deliveries } = await send(`GET ${path}`)
        expect(deliveries.map((one: { status: string }) => one.status)).toEqual(works.map(() => 'acknowledged'))
      }, 10_000)
      workCount = works.length
      await Promise.all(works)
      workCount = (await send(`GET ${path}`)).deliveries.length > workCount ? -1 : workCount
    }
  }
  return { send, path, settled }
}
