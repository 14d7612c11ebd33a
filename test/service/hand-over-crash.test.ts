import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { createDatabase, drivers } from '../../packages/service/src/store/stores.fixture.ts'
import { startRecordingBridge } from './recording-bridge.ts'
import { startServiceProcess } from './service-process.ts'
import { syncDevelopment } from './sync-development.ts'
import { startTextProvider } from './text-provider.ts'

const secretKey = 'sk_development_0123456789'
const soon = { timeout: 60_000, interval: 20 }

describe.each(drivers)('a service on %s that ends whenever it sends a message', (driver) => {
  test('sends it three times, and reports that', { timeout: 240_000 }, async (context) => {
    const database = await createDatabase(driver, context)
    const dataFolder = mkdtempSync(join(tmpdir(), 'trestle-hand-over-'))
    const bridge = await startRecordingBridge({ w: [{ stepId: 'text', type: 'sms', outputs: { body: 'b' } }] })
    // Never responds.
    const provider = await startTextProvider(context)
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
    const response = await fetch(`${service.url}/v1/integrations`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(provider.integration),
    })
    expect(response.status).toBe(201)
    const environmentId = await syncDevelopment(store, bridge.url)
    const request = { name: 'w', to: { subscriberId: 'ada', phone: '+15555550100' }, payload: {} }
    await service.accept({ environmentId, kind: 'single', requests: [request] })
    for (let count = 1; count <= 3; count++) {
      await vi.waitFor(() => expect(provider.texts).toHaveLength(count), soon)
      await service.kill()
      service = await start()
    }
    const readMessage = () => store.db.selectFrom('messages').selectAll().executeTakeFirstOrThrow()
    await vi.waitFor(async () => expect(await readMessage()).toMatchObject({ status: 'error' }), soon)
    await pause(500)
    const { id, errorId, errorText } = await readMessage()
    expect(errorId).toBe('delivery_unknown')
    expect(provider.texts.map(({ key }) => key)).toEqual([id, id, id])
    const details = await store.db.selectFrom('executionDetails').selectAll().where('messageId', '=', id).execute()
    expect(details.at(-1)).toMatchObject({ detail: errorText, status: 'Failed' })
    await vi.waitFor(
      async () =>
        expect(await store.db.selectFrom('jobs').select('status').execute()).toEqual([{ status: 'completed' }]),
      soon,
    )
  })
})
