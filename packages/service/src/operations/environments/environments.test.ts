import { describe, expect, type TestContext, test } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import type { ServiceOptions } from '../../config/generated/service-options.ts'
import { createDatabase, drivers } from '../../store/stores.fixture.ts'
import { productionKey, secretKey, startTestService } from '../service.fixture.ts'

describe.each(drivers)('a renamed environment (%s)', (driver) => {
  test('is found again by its key, or by its id if no key is given', async (context) => {
    const { address } = await createDatabase(driver, context)
    const start = (options: ServiceOptions = {}) => startTestService(driver, context, { ...address, ...options })
    const rename = async (name: string) => {
      const first = await start()
      const { _id } = (await first.call('GET', '/v1/environments/me')).body.data
      expect((await first.call('PUT', `/v1/environments/${_id}`, { name })).status).toBe(200)
      await first.service.stop()
      return _id
    }
    const id = await rename('Renamed').catch((error: unknown) => error)
    const again = await startTestService(driver, context, { ...address, secretKeys: { Development: secretKey } }).catch(
      (error: unknown) => error,
    )
    expect(again).not.toBeInstanceOf(Error)
    const { call, service } = again as Awaited<ReturnType<typeof start>>
    const { data } = (await call('GET', '/v1/environments')).body
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['Renamed', 'Production'])
    expect((await call('DELETE', `/v1/environments/${id}`)).status).toBe(400)
    await service.stop()
    // Without configured keys it is the same environment, and no key is created.
    const bare = await start({ secretKeys: {} })
    expect(bare.service.freshKeys).toEqual([])
    expect((await bare.call('DELETE', `/v1/environments/${id}`)).status).toBe(400)
    await bare.service.stop()
    // A new key replaces the old one.
    const other = await start({ secretKeys: { Development: 'sk_another_0123456789' } })
    expect((await other.callWith('sk_another_0123456789')('GET', '/v1/environments/me')).body.data._id).toBe(id)
    expect((await other.call('GET', '/v1/environments/me')).status).toBe(401)
  })

  test('does not get a regenerated key back at the next start', async (context) => {
    const { address } = await createDatabase(driver, context)
    const first = await startTestService(driver, context, address)
    const { body } = await first.call('POST', '/v1/environments/api-keys/regenerate')
    await first.service.stop()
    const { key } = body.data[0]
    const again = await startTestService(driver, context, address)
    const status = async (secret: string) => (await again.callWith(secret)('GET', '/v1/environments/me')).status
    expect([await status(secretKey), await status(key), await status(productionKey)]).toEqual([401, 200, 200])
    expect(again.service.freshKeys).toEqual([])
    expect(again.log.filter((line) => line.includes('was regenerated'))).toHaveLength(1)
    expect(again.log.join()).not.toContain(secretKey)
  })

  test('cannot use the key of another environment', async (context) => {
    await expect(
      startTestService(driver, context, { secretKeys: { Development: secretKey, Production: secretKey } }),
    ).rejects.toThrow('Production has the key of another environment')
  })
})

test('the parent of an environment must exist, and be another one', async (context) => {
  const { call } = await startTestService('sqlite', context)
  const { data } = (await call('GET', '/v1/environments')).body
  const [own, other] = data.map(({ _id }: { _id: string }) => _id)
  const change = async (parentId: string) => (await call('PUT', `/v1/environments/${own}`, { parentId })).status
  expect([await change(own), await change('nonsense'), await change(other)]).toEqual([422, 404, 200])
})

async function mint(context: TestContext, options: ServiceOptions = {}) {
  const tested = await startTestService('sqlite', context, options)
  const make = async (name: string) => tested.call('POST', '/v1/environments', { name })
  return { ...tested, make }
}

test('environments created through the API share one rate limit', async (context) => {
  // Time is frozen, so that tokens are not refilled during the test.
  const clock = { ...systemClock, now: () => 1_800_000_000_000 }
  const { call, callWith, make } = await mint(context, { plan: 'free', clock })
  const keys: string[] = []
  for (let index = 0; index < 5; index++) keys.push((await make(`E${index}`)).body.data.apiKeys[0].key)
  const statuses: number[] = []
  for (let index = 0; index < 200; index++)
    statuses.push((await callWith(keys[index % keys.length] ?? '')('GET', '/v1/feeds')).status)
  // 30 per second for five seconds, plus a tenth.
  expect(statuses.filter((status) => status === 200)).toHaveLength(165)
  expect(statuses.slice(165).every((status) => status === 429)).toBe(true)
  expect((await call('GET', '/v1/feeds')).status).toBe(200)
})

test('limits the number of environments to 100', async (context) => {
  const { make } = await mint(context)
  const statuses: number[] = []
  for (let index = 0; index < 100; index++) statuses.push((await make(`E${index}`)).status)
  expect(statuses.slice(0, 98).every((status) => status === 201)).toBe(true)
  expect(statuses.slice(98)).toEqual([403, 403])
})

test('does not show settings of other environments', async (context) => {
  const { call, callWith } = await startTestService('sqlite', context)
  const production = callWith(productionKey)
  const { _id } = (await production('GET', '/v1/environments/me')).body.data
  const change = {
    bridge: { url: 'https://example.org/bridge?token=canary' },
    dns: { inboundParseDomain: 'canary.example' },
  }
  expect((await production('PUT', `/v1/environments/${_id}`, change)).body.data).toMatchObject(change)
  const { text, body } = await call('GET', '/v1/environments')
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Development', 'Production'])
  expect(text).not.toContain('canary')
})
