import { describe, expect, test } from 'vitest'
import { bothDrivers } from '../../store/stores.fixture.ts'
import { serveBridge } from '../bridge.fixture.ts'
import { productionKey, startTestService } from '../service.fixture.ts'

describe.each(bothDrivers)('studio search on %s', (driver) => {
  test('finds subscribers, topics and runs of the environment by a substring', async (context) => {
    const { call, callWith } = await startTestService(driver, context, { work: true })
    const bridge = await serveBridge()
    await call('POST', '/v1/studio/bridge/sync', { bridgeUrl: bridge.url })
    const ada = { subscriberId: 'u-1', firstName: 'Ada', lastName: 'Lovelace', email: 'ada.l@example.com' }
    await call('POST', '/v2/subscribers', ada)
    await call('POST', '/v2/topics', { key: 'on-call', name: 'People on call' })
    await call('POST', '/v1/events/trigger', { name: 'welcome', to: 'u-1', payload: {}, transactionId: 'order-4711' })
    const search = async (q: string) => (await call('GET', `/v1/studio/search?q=${encodeURIComponent(q)}`)).body
    await expect.poll(async () => (await search('r-471')).runs, { timeout: 10_000 }).toHaveLength(1)
    const { runs } = await search('ORDER-47')
    expect(runs).toMatchObject([{ workflowId: 'welcome', subscriberId: 'u-1', transactionId: 'order-4711' }])
    expect((await search(runs[0]._id)).runs).toEqual(runs)
    expect((await search('471')).runs).toEqual([])
    expect(await search('a.l@EXAM')).toEqual({ subscribers: [ada], topics: [], runs: [] })
    expect((await search('lovel')).subscribers).toEqual([ada])
    expect((await search('-call')).topics).toEqual([{ key: 'on-call', name: 'People on call' }])
    expect((await search('people ON')).topics).toHaveLength(1)
    expect(await search("%' or 1=1 --")).toEqual({ subscribers: [], topics: [], runs: [] })
    const other = await callWith(productionKey)('GET', '/v1/studio/search?q=order-4711')
    expect(other.body).toEqual({ subscribers: [], topics: [], runs: [] })
    const list = async (path: string, query = '') => (await call('GET', `/v1/studio/${path}${query}`)).body
    expect(await list('subscribers', '?search=LOVEL')).toMatchObject({ totalCount: 1, data: [ada] })
    expect((await list('subscribers', '?search=a.l@exam')).data).toMatchObject([ada])
    expect((await list('subscribers')).data).toHaveLength(1)
    expect((await list('subscribers', '?search=%25')).data).toEqual([])
    expect((await list('topics', '?search=people on')).data).toMatchObject([{ key: 'on-call' }])
    expect((await list('topics', '?search=lovel')).data).toEqual([])
    const elsewhere = callWith(productionKey)
    expect((await elsewhere('GET', '/v1/studio/subscribers')).body.data).toEqual([])
    expect((await elsewhere('GET', '/v1/studio/topics')).body.data).toEqual([])
    expect((await call('GET', '/v1/studio/search')).status).toBe(422)
    expect((await call('GET', `/v1/studio/search?q=${'x'.repeat(201)}`)).status).toBe(422)
  })
})
