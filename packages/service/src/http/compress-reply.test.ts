import { get, type IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { secretKey, startTestService } from '../operations/service.fixture.ts'
import { drivers } from '../store/stores.fixture.ts'

describe.each(drivers)('compressed responses (%s)', (driver) => {
  test('are the JSON of large reads, if the caller accepts them', async (context) => {
    const { service, call } = await startTestService(driver, context)
    for (let index = 0; index < 20; index++) await call('POST', '/v2/subscribers', { subscriberId: `u-${index}` })
    const read = async (path: string, accepted: string) => {
      const headers = { authorization: `ApiKey ${secretKey}`, 'accept-encoding': accepted }
      const response = await new Promise<IncomingMessage>((resolve) => get(service.url + path, { headers }, resolve))
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks)
      expect(Number(response.headers['content-length'])).toBe(body.length)
      return { headers: response.headers, body }
    }
    const path = '/v2/subscribers?limit=20'
    const plain = await read(path, 'br, gzip;q=0')
    expect(plain.headers).toMatchObject({ vary: 'accept-encoding' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    const packed = await read(path, 'br, gzip')
    expect(packed.headers).toMatchObject({ vary: 'accept-encoding', 'content-encoding': 'gzip' })
    expect(gunzipSync(packed.body).toString()).toBe(plain.body.toString())
    expect(packed.body.length).toBeLessThan(plain.body.length / 4)
    expect((await read('/v2/subscribers?limit=1', 'gzip')).headers['content-encoding']).toBeUndefined()
    const tags = Array.from({ length: 100 }, (_, index) => `tag-${index}`)
    const body = {
      name: 'Order',
      workflowId: 'order',
      steps: [],
      tags: tags.slice(0, 16),
      description: 'x'.repeat(900),
    }
    const changed = await call('POST', '/v2/workflows', body)
    expect(changed.text.length).toBeGreaterThan(1024)
    expect(changed.headers.get('content-encoding')).toBeNull()
  })
})
