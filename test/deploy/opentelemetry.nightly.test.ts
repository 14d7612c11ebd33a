import { once } from 'node:events'
import { copyFileSync, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../free-port.ts'
import { installOnce } from '../install-once.ts'
import { root } from '../repository.ts'
import { publicHost, startCommand, temporaryFolder } from './service-command.ts'

// The newest version that runs on the oldest supported Node version.
const version = '0.223.0'
const folder = join(tmpdir(), `trestle-opentelemetry-${version}`)

interface ExportedSpan {
  readonly name: string
  readonly traceId: string
}

/** Starts a collector that accepts OTLP as JSON. */
async function startCollector() {
  const spans: ExportedSpan[] = []
  const services = new Set<string>()
  const server = createServer(async (request, response) => {
    const { resourceSpans = [] } = JSON.parse(await text(request))
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const { key, value } of resource.attributes) if (key === 'service.name') services.add(value.stringValue)
      spans.push(...scopeSpans.flatMap((scope: { spans: ExportedSpan[] }) => scope.spans))
    }
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, services }
}

test('a process with the SDK in another folder exports its spans, also those of its last second', {
  timeout: 300_000,
}, async () => {
  await installOnce({
    folder,
    manifest: { private: true, dependencies: { '@opentelemetry/api': '1.9.1', '@opentelemetry/sdk-node': version } },
    isInstalled: () => existsSync(join(folder, 'node_modules', '.package-lock.json')),
  })
  const register = join(folder, 'opentelemetry.mjs')
  copyFileSync(join(root, 'deploy/opentelemetry.mjs'), register)
  const collector = await startCollector()
  const service = await startCommand(await findFreePort(), {
    SERVICE_DATA_FOLDER: temporaryFolder(),
    NODE_OPTIONS: `--import ${pathToFileURL(register)}`,
    OTEL_SERVICE_NAME: 'trestle',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none',
  })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const headers = {
    ...{ host: publicHost, authorization: `ApiKey ${service.keys[0]}` },
    traceparent: `00-${traceId}-b7ad6b7169203331-01`,
  }
  expect((await fetch(`http://127.0.0.1:${service.port}/v1/topics`, { headers })).status).toBe(200)
  expect(await service.stop()).toBe(0)
  expect([...collector.services]).toEqual(['trestle'])
  expect(collector.spans).toContainEqual(expect.objectContaining({ name: 'GET /v1/topics', traceId }))
})
