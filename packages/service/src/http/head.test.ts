import { expect, test } from 'vitest'
import { startTestService } from '../start/service.fixture.ts'

test('handles HEAD like GET, without the body', async (context) => {
  const { call } = await startTestService('sqlite', context)
  for (const path of ['/health', '/v1/topics', '/v2/subscribers?limit=1', '/v1/topics?pageSize=99', '/v1/nothing']) {
    const [head, get] = [await call(`HEAD ${path}`), await call(`GET ${path}`)]
    expect([head.status, head.text], path).toEqual([get.status, ''])
    for (const name of ['content-type', 'content-length'])
      expect(head.headers.get(name), `${path} ${name}`).toBe(get.headers.get(name))
  }
  expect((await call('HEAD /health', undefined, { key: null })).status).toBe(200)
  expect((await call('HEAD /v1/topics', undefined, { key: null })).status).toBe(401)
  expect((await call('HEAD /v1/events/trigger')).status).toBe(405)
})

test('ends a HEAD request for a stream', async (context) => {
  const { call } = await startTestService('sqlite', context)
  const { status, headers, text } = await call('HEAD /v1/studio/events')
  expect([status, headers.get('content-type'), text]).toEqual([200, 'text/event-stream; charset=utf-8', ''])
})
