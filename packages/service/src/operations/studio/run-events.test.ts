import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../clock/manual-clock.ts'
import { drivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { productionKey, secretKey, startTestService } from '../service.fixture.ts'

const idsOf = (text: string): string[] => [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id)

describe.each(drivers)('run events (%s)', (driver) => {
  test('end with the run, wherever a reader resumes', async (context) => {
    const { call, service } = await startTestService(driver, context, { work: true })
    const bridge = await serveBridge()
    bridge.answer('execute', { status: 400, body: { code: 'StepExecutionFailedError', message: 'no' } })
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    await call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada' })
    const run = async () => (await call('GET', '/v1/studio/runs')).body.data[0]
    await expect.poll(async () => (await run())?.status, { timeout: 10_000 }).toBe('failed')
    const path = `/v1/studio/runs/${(await run())._id}/events?until=end`
    const read = async (query = '') => {
      const headers = { authorization: `ApiKey ${secretKey}` }
      return (await fetch(service.url + path + query, { headers, signal: AbortSignal.timeout(5000) })).text()
    }
    const ids = idsOf(await read())
    expect(ids.length).toBeGreaterThan(5)
    expect(idsOf(await read(`&after=${ids.at(-2)}`))).toEqual(ids.slice(-1))
    expect(await read(`&after=${ids.at(-1)}`)).toBe(': connected\n\n')
    await service.store.db.deleteFrom('executionDetails').execute()
    expect(await read()).toBe(': connected\n\n')
  })

  test('resume only after a valid id', async (context) => {
    const { call, environmentId, service } = await startTestService(driver, context, { work: true })
    const bridge = await serveBridge()
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    await call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada' })
    const run = async () => (await call('GET', '/v1/studio/runs')).body.data[0]
    await expect.poll(run, { timeout: 10_000 }).toBeDefined()
    expect(environmentId).toMatch(/^[0-9a-f]{24}$/)
    const headers = { authorization: `ApiKey ${secretKey}` }
    for (const after of ['zzz', '', '0', `${environmentId}0`, environmentId.replace(/./, 'g'), "'"])
      for (const path of ['/v1/studio/events', `/v1/studio/runs/${(await run())._id}/events`]) {
        const ending = new AbortController()
        const url = `${service.url}${path}?after=${encodeURIComponent(after)}`
        const reply = await fetch(url, { headers, signal: ending.signal })
        expect(reply.status, `${path} ${after}`).toBe(422)
        expect(await reply.json()).toMatchObject({ errors: { after: { value: after } } })
        ending.abort()
      }
  })
})

test('streams new events by the service’s clock', async (context) => {
  const clock = createManualClock(Date.now() - 60 * 60 * 1000)
  const { call, service } = await startTestService('sqlite', context, { work: true, clock })
  const bridge = await serveBridge()
  await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
  const headers = { authorization: `ApiKey ${secretKey}` }
  const ending = new AbortController()
  context.onTestFinished(() => ending.abort())
  const { body } = await fetch(`${service.url}/v1/studio/events`, { headers, signal: ending.signal })
  const chunks: string[] = []
  const reading = (async () => {
    for await (const chunk of body ?? []) chunks.push(Buffer.from(chunk).toString())
  })().catch(() => undefined)
  await expect.poll(() => chunks.join('')).toContain(': connected')
  await call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada' })
  await expect.poll(() => chunks.join(''), { timeout: 30_000 }).toContain('event: transition')
  ending.abort()
  await reading
})

test('limits streams per environment, without affecting other environments', async (context) => {
  const { service } = await startTestService('sqlite', context)
  const ending = new AbortController()
  context.onTestFinished(() => ending.abort())
  const listen = async (key: string): Promise<number> => {
    const headers = { authorization: `ApiKey ${key}` }
    const { status, body } = await fetch(`${service.url}/v1/studio/events`, { headers, signal: ending.signal })
    await body?.getReader().read()
    return status
  }
  const own = await Promise.all(Array.from({ length: 101 }, () => listen(secretKey)))
  expect([own.filter((status) => status === 200).length, own.filter((status) => status === 503).length]).toEqual([
    100, 1,
  ])
  expect(await listen(productionKey)).toBe(200)
})

test('shows a retried call in the history during the retry', async (context) => {
  const { call } = await startTestService('sqlite', context, { work: true })
  const bridge = await serveBridge()
  await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
  let executions = 0
  let endThird = (): void => undefined
  const third = new Promise<undefined>((resolve) => {
    endThird = () => resolve(undefined)
  })
  bridge.answer('execute', async () => (++executions < 3 ? { status: 502, body: {} } : third))
  await call('POST', '/v1/events/trigger', { name: 'welcome', to: 'ada' })
  const run = async () => {
    const [{ _id } = { _id: '' }] = (await call('GET', '/v1/studio/runs')).body.data
    return (await call('GET', `/v1/studio/runs/${_id}`)).body
  }
  const retries = async () =>
    (await run()).details?.filter(({ detail }: { detail: string }) => detail === 'Bridge call is retried') ?? []
  await expect.poll(() => executions, { timeout: 30_000 }).toBe(3)
  expect((await run()).calls).toEqual([])
  const [first, second] = await retries()
  expect(Date.parse(second.createdAt) - Date.parse(first.createdAt)).toBeGreaterThan(900)
  expect(first.raw).toMatchObject({ attempt: 1, code: 'BridgeEndpointNotFound', waitMs: 1000 })
  endThird()
  await expect.poll(async () => (await run()).steps[0].status, { timeout: 30_000 }).toBe('completed')
  expect(await retries()).toHaveLength(2)
})
