import { describe, expect, type TestContext, test } from 'vitest'
import { startService } from '../../start/start-service.ts'
import { createDatabase, drivers } from '../../store/stores.fixture.ts'
import { productionKey, secretKey, startTestService, type TestService } from '../service.fixture.ts'

/** Opens a stream and records its text and whether it ended. */
async function openStream(context: TestContext, url: string, key: string) {
  const ending = new AbortController()
  context.onTestFinished(() => ending.abort())
  const response = await fetch(url, { headers: { authorization: `ApiKey ${key}` }, signal: ending.signal })
  const stream = { status: response.status, text: '', isOver: false }
  const read = async () => {
    for await (const chunk of response.body ?? []) stream.text += Buffer.from(chunk).toString()
    stream.isOver = true
  }
  read().catch(() => undefined)
  return stream
}

const flow = {
  ...{ name: 'W', workflowId: 'w', active: true },
  steps: [{ stepId: 's', name: 'S', type: 'in_app', controlValues: { body: 'b' } }],
}

async function triggerWith({ callWith }: TestService, key: string): Promise<void> {
  await callWith(key)('POST', '/v2/workflows', flow)
  expect((await callWith(key)('POST', '/v1/events/trigger', { name: 'w', to: 'ada' })).status).toBe(201)
}

describe.each(drivers)('a replaced key (%s)', (driver) => {
  test('ends its streams immediately, and no streams of other environments', async (context) => {
    const tested = await startTestService(driver, context, { work: true })
    const { call, service } = tested
    const [own, other] = [
      await openStream(context, `${service.url}/v1/studio/events`, secretKey),
      await openStream(context, `${service.url}/v1/studio/events`, productionKey),
    ]
    await triggerWith(tested, secretKey)
    await expect.poll(() => own.text, { timeout: 10_000 }).toContain('event: transition')
    const { body } = await call('POST', '/v1/environments/api-keys/regenerate')
    await expect.poll(() => own.isOver, { timeout: 10_000 }).toBe(true)
    const { length } = own.text
    await triggerWith(tested, body.data[0].key)
    await triggerWith(tested, productionKey)
    await expect.poll(() => other.text, { timeout: 10_000 }).toContain('event: transition')
    expect([own.text.length, other.isOver]).toEqual([length, false])
  })

  test('ends streams of other processes too, as does deleting the environment', async (context) => {
    const { address } = await createDatabase(driver, context)
    const tested = await startTestService(driver, context, { ...address })
    const second = await startService({
      ...address,
      ...{ port: 0, encryptionKey: Buffer.alloc(32, 5).toString('base64'), logLevel: 'silent', work: false },
    })
    context.onTestFinished(() => second.stop())
    const response = await tested.call('POST', '/v1/environments', { name: 'Staging' })
    const key = response.body.data.apiKeys[0].key
    const urls = [tested.service.url, second.url].map((url) => `${url}/v1/studio/events`)
    const streams: Awaited<ReturnType<typeof openStream>>[] = []
    for (const url of urls)
      for (const one of [secretKey, key, productionKey]) streams.push(await openStream(context, url, one))
    await tested.call('POST', '/v1/environments/api-keys/regenerate')
    await tested.callWith(key)('DELETE', `/v1/environments/${response.body.data._id}`)
    await expect
      .poll(() => streams.map(({ isOver }) => isOver), { timeout: 10_000 })
      .toEqual([true, true, false, true, true, false])
  })
})

test('counts streams per environment', async (context) => {
  const { service } = await startTestService('sqlite', context)
  const url = `${service.url}/v1/studio/events`
  const open = (key: string) => openStream(context, url, key)
  const streams = await Promise.all(Array.from({ length: 100 }, () => open(secretKey)))
  await expect.poll(() => streams.every(({ text }) => text.includes('connected')), { timeout: 20_000 }).toBe(true)
  expect((await open(secretKey)).status).toBe(503)
  expect((await open(productionKey)).status).toBe(200)
})
