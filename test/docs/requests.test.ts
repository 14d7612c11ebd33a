import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createBridge, toNodeHandler, type Workflow, workflow } from '@trestle/core'
import { startService } from '@trestle/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pages } from '../../.scripts/docs/site.mjs'
import { root } from '../repository.ts'

interface Request {
  readonly title: string
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const own = /^packages\/docs\/(?:recipes\/|integrations\/|start\/|preferences|subscribers|triggering)/

/** The requests of the guides: each is complete, with real values. */
const requests = [...pages.values()]
  .filter((page) => own.test(page))
  .flatMap((page): Request[] => {
    const text = readFileSync(join(root, page), 'utf8')
    return [...text.matchAll(/^```http\n(\w+) (\S+)\n([\s\S]*?)^```/gm)].map(
      ([, method = '', path = '', body = ''], index) => ({
        title: `${page} ${index + 1}: ${method} ${path}`,
        method,
        path,
        ...(body.trim() && { body: JSON.parse(body) }),
      }),
    )
  })
  // The guides tell readers to create an integration before its users.
  .sort((one, other) => Number(other.path === '/v1/integrations') - Number(one.path === '/v1/integrations'))

const emails = (id: string): Workflow =>
  workflow(
    id,
    async ({ step }) =>
      void (await step.email('mail', ({ headline }) => ({ subject: 'Hello', body: String(headline) }), {
        controlSchema: {
          type: 'object',
          properties: { headline: { type: 'string', default: 'Hi' }, showOffer: { type: 'boolean' } },
          additionalProperties: false,
        } as const,
      })),
  ) as unknown as Workflow

const bridge = createBridge({
  workflows: ['shipped', 'greeting', 'newsletter'].map(emails),
  strictAuthentication: false,
})
const server = createServer(toNodeHandler(bridge))
const secretKey = 'sk_of_the_requests_of_the_guides'
let service: Awaited<ReturnType<typeof startService>>

const send = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `ApiKey ${secretKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // Without queued work, nothing is sent to the providers in the guides.
  service = await startService({
    port: 0,
    databaseFile: ':memory:',
    work: false,
    secretKeys: { Development: secretKey },
    log: { write() {} },
  })
  const synced = await send('POST', '/v1/bridge/sync', { bridgeUrl: `http://127.0.0.1:${port}` })
  expect(await synced.text()).not.toContain('statusCode')
  await send('POST', '/v2/subscribers', { subscriberId: 'ada' })
})
afterAll(async () => {
  await service.stop()
  server.close()
})

describe('requests in the guides are accepted', () => {
  test('and there are more than 25 of them', () => expect(requests.length).toBeGreaterThan(25))

  test.each(requests.map((request) => [request.title, request] as const))(
    '%s',
    async (_title, { method, path, body }) => {
      const answer = await send(method, path, body)
      const text = await answer.text()
      expect([answer.status, answer.headers.get('ignored-input'), text]).toEqual([
        expect.toSatisfy((status: number) => status < 300),
        null,
        text,
      ])
    },
  )
})
