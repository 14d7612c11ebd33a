import { describe, expect, it } from 'vitest'
import { createTestClient, failureOf } from '../../fixtures/client.ts'
import { serveRaw } from '../../fixtures/server.ts'

const page = 'HTTP/1.1 413 Payload Too Large\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>'
const large = { workflowId: 'w', stepId: 's', event: { payload: { text: 'x'.repeat(20_000_000) } } }

describe('a large body', () => {
  it('rejected by a proxy during the upload gives PayloadTooLarge', async () => {
    const { port } = await serveRaw((socket) => {
      socket.once('data', () => {
        socket.write(page)
        socket.resume()
      })
    })
    const client = createTestClient({ port })
    expect(await failureOf(client.execute(large))).toMatchObject({ code: 'PayloadTooLarge', status: 413 })
  })

  it('cut off by the peer gives a connection code and is retried', async () => {
    const { port } = await serveRaw((socket) => socket.once('data', () => socket.resetAndDestroy()))
    const client = createTestClient({ port })
    const { code } = await failureOf(client.execute(large))
    expect(['ECONNRESET', 'EPIPE']).toContain(code)
    expect(client.waits).toEqual([1000, 2000, 4000])
  })

  it('that is never read ends at its timeout', async () => {
    const { port } = await serveRaw((socket) => socket.pause())
    const client = createTestClient({ port, timeoutMs: 500 })
    expect((await failureOf(client.execute(large))).code).toBe('BridgeRequestTimeout')
  })
})
