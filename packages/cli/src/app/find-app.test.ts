import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { findApp } from './find-app.ts'

const healthy = JSON.stringify({
  status: 'ok',
  sdkVersion: '1',
  frameworkVersion: '1',
  discovered: { workflows: 0, steps: 0 },
})

/** An app that is not ready for its first requests, and then serves a bridge at any path. */
async function serveApp(unreadyRequests: number): Promise<number> {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    asked++
    if (asked <= unreadyRequests) response.writeHead(503).end()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(healthy)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test.each([0, 1, 2, 3, 4])('finds an app that is ready after %d requests at its most likely path', async (unready) => {
  const port = await serveApp(unready)
  const places = { ports: [port], paths: ['/api/bridge', '/bridge'], framework: undefined }
  let urls: readonly string[] = []
  while (urls.length === 0) urls = await findApp(places, AbortSignal.timeout(30_000))
  expect(urls).toEqual([`http://127.0.0.1:${port}/api/bridge`])
})
