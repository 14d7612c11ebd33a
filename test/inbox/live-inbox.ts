import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBridge, toNodeHandler, workflow } from '@trestle/core'
import { startService } from '@trestle/service'
import { expect, vi } from 'vitest'
import { z } from 'zod'

const keys = { Development: 'sk_0123456789abcdef0123456789abcdef', Production: 'sk_fedcba9876543210fedcba9876543210' }

/** The maximum number of events per call. */
const maxBulk = 100

const waiting = { timeout: 240_000, interval: 50 }

const messageWorkflow = workflow(
  'told',
  async ({ step, payload }) => {
    await step.inApp('inbox', () => ({
      subject: `Message ${payload.number}`,
      body: `Body of ${payload.number}`,
      primaryAction: { label: 'Approve' },
    }))
    await step.email('mail', () => ({ subject: 'Message', body: '<p>Message</p>' }))
  },
  { payloadSchema: z.object({ number: z.number() }) },
)

/** A service and an app whose workflow sends in-app messages. */
export interface LiveInbox {
  readonly url: string
  /** Advances the clock of the service, in milliseconds. */
  advance(ms: number): void
  /** The application identifier of an environment. */
  applicationOf(environment: keyof typeof keys): Promise<string>
  /** Calls the API of an environment. */
  call(line: string, body?: object, environment?: keyof typeof keys): Promise<{ readonly data: never }>
  /** Triggers messages with these numbers, and returns when they have arrived. */
  send(subscriber: string, ...numbers: readonly number[]): Promise<void>
  stop(): Promise<void>
}

/** Starts the service with a clock that can be advanced. */
export async function startLiveInbox(): Promise<LiveInbox> {
  const clock = createMovableClock()
  const service = await startService({
    ...{ port: 0, databaseFile: ':memory:', encryptionKey: Buffer.alloc(32, 7).toString('base64'), clock },
    ...{ secretKeys: keys, logLevel: 'silent', stopGraceMs: 500 },
  })
  const bridge = createBridge({ workflows: [messageWorkflow], secretKey: keys.Development })
  const app = createServer(toNodeHandler(bridge))
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  const call: LiveInbox['call'] = async (line, body, environment = 'Development') => {
    const [method = '', path = ''] = line.split(' ')
    const headers = { authorization: `ApiKey ${keys[environment]}`, 'content-type': 'application/json' }
    const reply = await fetch(service.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!reply.ok) throw new Error(`${line}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as { data: never }
  }
  await call('POST /v1/bridge/sync', {
    bridgeUrl: `http://127.0.0.1:${(app.address() as AddressInfo).port}/api/bridge`,
  })
  return {
    ...{ url: service.url, advance: clock.advance, call },
    async applicationOf(environment) {
      const { data } = await call('GET /v1/environments/me', undefined, environment)
      return (data as { identifier: string }).identifier
    },
    async send(subscriber, ...numbers) {
      const to = { subscriberId: subscriber }
      const countOf = async (): Promise<number> => {
        const [{ count } = { count: 0 }] = (await call(
          `GET /v2/subscribers/${subscriber}/notifications/count?filters=[{}]`,
        )) as unknown as readonly { readonly count: number }[]
        return count
      }
      await call('POST /v1/subscribers', to)
      const before = await countOf()
      for (let start = 0; start < numbers.length; start += maxBulk) {
        const events = numbers
          .slice(start, start + maxBulk)
          .map((number) => ({ name: 'told', to, payload: { number } }))
        await call('POST /v1/events/trigger/bulk', { events })
      }
      await vi.waitFor(async () => expect(await countOf()).toBe(before + numbers.length), waiting)
    },
    async stop() {
      app.closeAllConnections()
      app.close()
      await service.stop()
    },
  }
}

/** Creates a running clock that can also be advanced. */
function createMovableClock() {
  const moved = new EventTarget()
  let offset = 0
  const now = (): number => Date.now() + offset
  return {
    now,
    async sleep(ms: number, signal?: AbortSignal): Promise<void> {
      const end = now() + ms
      while (now() < end && !signal?.aborted)
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            clearTimeout(timer)
            moved.removeEventListener('move', wake)
            signal?.removeEventListener('abort', wake)
            resolve()
          }
          const timer = setTimeout(wake, end - now())
          moved.addEventListener('move', wake)
          signal?.addEventListener('abort', wake)
        })
    },
    advance(ms: number): void {
      offset += ms
      moved.dispatchEvent(new Event('move'))
    },
  }
}
