import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Workflow } from '@trestle/core'
import { serve } from '@trestle/hono'
import { type ServiceOptions, startService } from '@trestle/service'
import { Hono } from 'hono'
import { vi } from 'vitest'
import { workflows as exampleWorkflows } from '../../examples/workflows/src/index.ts'
import { concierge, quiet } from './agents.ts'
import { workflows } from './workflows.ts'

const secretKey = 'sk_0123456789abcdef0123456789abcdef'

/** A service with the studio, and the app whose bridge it calls. */
export interface Stage {
  readonly url: string
  /** Returns a new link to the studio. */
  studioLink(): string
  /** The link that creates the first admin; undefined if accounts are off. */
  readonly firstAdminLink: string | undefined
  /** The port of the mail server; undefined if there is none. */
  readonly mailPort: number | undefined
  /** The URL of the app's bridge. */
  readonly bridgeUrl: string
  readonly secretKey: string
  call(method: string, path: string, body?: object): Promise<unknown>
  /** Stops the app; the service keeps running. */
  stopApp(): Promise<void>
  /** Starts the app again, on the same port. */
  startApp(): Promise<void>
  stop(): Promise<void>
}

/** Options that change the default: a service with the studio and a synced bridge. */
export interface StageOptions {
  /** The port of the service. @default any free port */
  readonly port?: number
  /** Whether the bridge is synced. @default true */
  readonly synced?: boolean
  /** Whether the studio is served. @default true */
  readonly studio?: boolean
  /** Whether people sign in with accounts. @default false */
  readonly accounts?: boolean
  /** The reply address of agents. @default the service */
  readonly apiUrl?: string
  /** Receives inbound email for domains. @default off */
  readonly inboundMail?: NonNullable<ServiceOptions['inboundMail']>
  /** The file of the database. @default a database in memory */
  readonly databaseFile?: string
  /** Workflows of the app, in addition to the shared ones. @default none */
  readonly more?: readonly Workflow[]
}

/** Starts the service with the studio and an app on free ports, and syncs them. */
export async function startStage(options: StageOptions = {}): Promise<Stage> {
  const { port = 0, synced = true, studio = true, more = [], inboundMail, databaseFile = ':memory:' } = options
  const { accounts: enabled = false } = options
  const service = await startService({
    port,
    studio,
    ...(inboundMail && { inboundMail }),
    accounts: { enabled },
    studioEnvironments: ['Development', 'Production'],
    databaseFile,
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    secretKeys: { Development: secretKey },
    logLevel: 'silent',
  })
  // Replies are only sent to the service, whose port is known once it runs.
  const served = { workflows: [...exampleWorkflows, ...workflows, ...more], agents: [concierge, quiet] }
  const quietLogger = { warn: () => undefined, error: () => undefined }
  const apiUrl = options.apiUrl ?? service.url
  const bridge = serve({ ...served, secretKey, apiUrl, strictAuthentication: true, logger: quietLogger })
  const app = new Hono().all('/api/bridge', bridge)
  const server = createServer(getRequestListener(app.fetch))
  const bridgePort = await listen(server)
  const bridgeUrl = `http://127.0.0.1:${bridgePort}/api/bridge`
  const call: Stage['call'] = async (method, path, body) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const sync = (): Promise<unknown> => call('POST', '/v1/bridge/sync', { bridgeUrl })
  // On a busy machine, the bridge may need several calls to discover all workflows.
  if (synced) await vi.waitFor(sync, { timeout: 50_000, interval: 500 })
  const stopApp = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: service.url,
    firstAdminLink: service.firstAdminLink,
    mailPort: service.mailPort,
    studioLink: () => service.studioLink() ?? '',
    bridgeUrl,
    secretKey,
    call,
    stopApp,
    startApp: async () => void (await listen(server, bridgePort)),
    stop: async () => {
      await service.stop()
      await stopApp()
    },
  }
}

async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
