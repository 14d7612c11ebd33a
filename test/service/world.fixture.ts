import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBridge, toNodeHandler, workflow } from '@trestle/core'
import { type Service, startService } from '@trestle/service'

/** The secret key of the service's first environment. */
export const secretKey = 'sk_development_0123456789'

/** The secret key of its second environment. */
export const productionKey = 'sk_production_0123456789'

/** A service and a bridge, both over real sockets. */
export interface World {
  readonly service: Service
  readonly bridgeUrl: string
  /** Calls an operation and returns the body as JSON; throws for an error. */
  call(line: string, body?: unknown): Promise<never>
  stop(): Promise<void>
}

const welcome = workflow('welcome', async ({ step, payload }) => {
  await step.inApp('inbox', () => ({
    subject: 'Welcome',
    body: `Hello ${String(payload['name'])}`,
    primaryAction: { label: 'Start', redirect: { url: '/start' } },
  }))
  await step.email('mail', () => ({ subject: 'Welcome', body: '<p>Hello</p>' }))
})

const reminder = workflow('reminder', async ({ step }) => {
  await step.delay('wait', () => ({ amount: 1, unit: 'days' }))
  await step.inApp('inbox', () => ({ body: 'Remember' }))
})

/** Starts the service and the bridge, and syncs the workflows. */
export async function startWorld(): Promise<World> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-world-'))
  const service = await startService({
    port: 0,
    logLevel: 'silent',
    dataFolder,
    secretKeys: { Development: secretKey, Production: productionKey },
    stopGraceMs: 2000,
    // There is no name server at this address.
    inboundMail: { hostName: 'mx.service.test', nameServers: ['127.0.0.1:9'] },
  })
  const bridge = createBridge({ workflows: [welcome, reminder], secretKey, strictAuthentication: true })
  const server: Server = createServer(toNodeHandler(bridge))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bridgeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/bridge`

  async function call(line: string, body?: unknown): Promise<never> {
    const [method = 'GET', path = '/'] = line.split(' ', 2)
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: {
        authorization: `ApiKey ${secretKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${line}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as never
  }

  await call('POST /v1/bridge/sync', { bridgeUrl })
  return {
    service,
    bridgeUrl,
    call,
    async stop() {
      await service.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}
