import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { serve } from '@trestle/hono'
import { startService } from '@trestle/service'
import { Hono } from 'hono'
import { workflows as exampleWorkflows } from '../../examples/hono/src/workflows.ts'
import { workflows } from './workflows.ts'

const secretKey = 'sk_0123456789abcdef0123456789abcdef'

/** A service with the studio, and the app whose bridge it calls. */
export interface Stage {
  /** Address of the service. */
  readonly url: string
  /** Opens the environment Development. */
  readonly secretKey: string
  /** Calls the service's API. */
  call(method: string, path: string, body?: object): Promise<unknown>
  /** Ends both. */
  stop(): Promise<void>
}

/**
 * Starts the service with the studio and an app, on free ports, and syncs them.
 *
 * @param options - Port of the service, and whether a bridge is synced.
 */
export async function startStage(options: { port?: number; synced?: boolean; studio?: boolean } = {}): Promise<Stage> {
  const { port = 0, synced = true, studio = true } = options
  const bridge = serve({ workflows: [...exampleWorkflows, ...workflows], secretKey })
  const app = new Hono().all('/api/bridge', bridge)
  const server = createServer(getRequestListener(app.fetch))
  const bridgeUrl = `http://127.0.0.1:${await listen(server)}/api/bridge`
  const service = await startService({
    port,
    studio,
    databaseFile: ':memory:',
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    secretKeys: { Development: secretKey },
    logLevel: 'silent',
  })
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
  if (synced) await call('POST', '/v1/bridge/sync', { bridgeUrl })
  return {
    url: service.url,
    secretKey,
    call,
    stop: async () => {
      await service.stop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
