import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { workflow } from '@trestle/core'
import { serve } from '@trestle/express'
import { startService } from '@trestle/service'
import express from 'express'
import type { TestContext } from 'vitest'

const secretKey = 'sk_0123456789abcdef0123456789abcdef'
const shipped = workflow('shipped', async ({ step }) => {
  await step.inApp('tell', () => ({ subject: 'Shipped', body: 'On its way', primaryAction: { label: 'Track' } }))
})

/** Starts a service with sockets, and an app whose workflow sends an in-app message. */
export async function startPublicService(context: TestContext) {
  const service = await startService({
    ...{ port: 0, socketPort: 0, databaseFile: ':memory:', encryptionKey: Buffer.alloc(32, 7).toString('base64') },
    ...{ secretKeys: { Development: secretKey }, logLevel: 'silent', stopGraceMs: 500 },
  })
  const app = express().use('/api/bridge', serve({ workflows: [shipped], secretKey }))
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await service.stop()
  })
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' }
    const reply = await fetch(service.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return reply.json() as Promise<{ data: { identifier: string } }>
  }
  await call('POST', '/v1/bridge/sync', {
    bridgeUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/bridge`,
  })
  const { identifier } = (await call('GET', '/v1/environments/me')).data
  const trigger = () => call('POST', '/v1/events/trigger', { name: 'shipped', to: 'ada', payload: {} })
  return { service, identifier, trigger }
}
