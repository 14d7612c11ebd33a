import { describe, expect, test } from 'vitest'
import { startTestService } from '../operations/service.fixture.ts'
import { drivers } from '../store/stores.fixture.ts'

describe.each(drivers)('unknown input (%s)', (driver) => {
  test('is ignored and listed in a header if nothing is lost', async (context) => {
    const { call } = await startTestService(driver, context)
    const feed = { name: 'a', isNew: false, more: [], note: null, of: {}, text: '' }
    const notes = 'body.isNew, body.more, body.note, body.of, body.text'
    const long = `query.${'x'.repeat(94)}`
    for (const [method, path, body, ignored] of [
      ['GET', '/v1/topics?limit=5', undefined, 'query.limit'],
      ['GET', '/v1/topics?includeGone=false&more=', undefined, 'query.includeGone, query.more'],
      ['GET', '/v1/environments/me?includeBilling=true', undefined, 'query.includeBilling'],
      ['GET', `/v1/environments/me?${'x'.repeat(300)}=1`, undefined, long],
      ['GET', '/v1/environments/me?%C3%A4%0D%0Ax=1', undefined, 'query.%C3%A4%0D%0Ax'],
      ['POST', '/v1/feeds', feed, notes],
    ] as const) {
      const answer = await call(method, path, body)
      expect([answer.status < 300, answer.headers.get('ignored-input')], path).toEqual([true, ignored])
    }
    const nested = { name: 'w', to: { subscriberId: 'ada', isGuest: false } }
    const { status, headers } = await call('POST', '/v1/events/trigger', nested)
    // The workflow does not exist, but its recipient was parsed.
    expect([status, headers.get('ignored-input')]).toEqual([422, 'body.to.isGuest'])
    const plain = await call('GET', '/v1/environments/me')
    expect(plain.headers.get('ignored-input')).toBeNull()
  })

  test('is rejected if the caller would lose something', async (context) => {
    const { call } = await startTestService(driver, context)
    for (const [method, path, body, field] of [
      ['GET', '/v1/topics?raed=true', undefined, 'raed'],
      ['GET', '/v1/environments?name=a', undefined, 'name'],
      ['DELETE', '/v1/topics/a?dryRun=true', undefined, 'dryRun'],
      ['POST', '/v1/feeds', { name: 'a', isNew: true }, 'isNew'],
      ['POST', '/v1/feeds', { name: 'a', isNew: false, more: [1] }, 'more'],
    ] as const) {
      const { status, body: answer } = await call(method, path, body)
      expect([status, Object.keys(answer.errors ?? {})], path).toEqual([422, [field]])
    }
  })
})
