import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, type TestContext, test, vi } from 'vitest'
import { syncBridge } from '../../packages/service/src/bridge/sync-bridge.ts'
import { systemClock } from '../../packages/service/src/clock/clock.ts'
import { createDatabase, drivers } from '../../packages/service/src/store/stores.fixture.ts'
import { startRecordingBridge } from './recording-bridge.ts'
import { startServiceProcess } from './service-process.ts'

const secretKey = 'sk_development_0123456789'
const soon = { timeout: 60_000, interval: 20 }

/** A provider that never responds. */
async function startProvider(context: TestContext) {
  const asked: IncomingHttpHeaders[] = []
  const server = createServer((request) => void asked.push(request.headers))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe.each(drivers)('a service on %s that ends whenever it sends a message', (driver) => {
  test('sends it three times, and reports that', { timeout: 240_000 }, async (context) => {
    const database = await createDatabase(driver, context)
    const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-hand-over-'))
    const bridge = await startRecordingBridge({ w: [{ stepId: 'text', type: 'sms', outputs: { body: 'b' } }] })
    const provider = await startProvider(context)
    context.onTestFinished(async () => {
      await bridge.close()
      rmSync(dataFolder, { recursive: true, force: true })
    })
    const start = async () => {
      const options = { dataFolder, secretKeys: { Development: secretKey }, bridge: { allow: ['127.0.0.0/8'] } }
      const serviceProcess = await startServiceProcess({ ...database.address, ...options })
      context.onTestFinished(() => serviceProcess.kill())
      return serviceProcess
    }
    let service = await start()
    const store = database.open()
    const credentials = { baseUrl: provider.url, from: 'me' }
    const response = await fetch(`${service.url}/v1/integrations`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ providerId: 'generic-sms', channel: 'sms', name: 'Texts', active: true, credentials }),
    })
    expect(response.status).toBe(201)
    const { id: environmentId } = await store.db
      .selectFrom('environments')
      .select('id')
      .where('name', '=', 'Development')
      .executeTakeFirstOrThrow()
    const target = {
      ...({ environmentId, name: 'Development', type: 'dev', secretKey, bridgeUrl: null } as const),
      ...{ variables: {}, secretKeys: [], secrets: [] },
    }
    await syncBridge({ store, clock: systemClock, settings: { policy: 'off' } }, target, bridge.url)
    const request = { name: 'w', to: { subscriberId: 'ada', phone: '+15555550100' }, payload: {} }
    await service.accept({ environmentId, kind: 'single', requests: [request] })
    for (let count = 1; count <= 3; count++) {
      await vi.waitFor(() => expect(provider.asked).toHaveLength(count), soon)
      await service.kill()
      service = await start()
    }
    const readMessage = () => store.db.selectFrom('messages').selectAll().executeTakeFirstOrThrow()
    await vi.waitFor(async () => expect(await readMessage()).toMatchObject({ status: 'error' }), soon)
    await pause(500)
    const { id, errorId, errorText } = await readMessage()
    expect(errorId).toBe('delivery_unknown')
    expect(provider.asked.map((headers) => headers['idempotency-key'])).toEqual([id, id, id])
    const details = await store.db.selectFrom('executionDetails').selectAll().where('messageId', '=', id).execute()
    expect(details.at(-1)).toMatchObject({ detail: errorText, status: 'Failed' })
    await vi.waitFor(
      async () =>
        expect(await store.db.selectFrom('jobs').select('status').execute()).toEqual([{ status: 'completed' }]),
      soon,
    )
  })
})
