import { describe, expect, it } from 'vitest'
import { createTestClient, failureOf, type TestClientOptions } from '../../fixtures/client.ts'
import { type Answer, html, json, serveHttp } from '../../fixtures/server.ts'

async function executeAgainst(answer: Answer, options: TestClientOptions) {
  const { port } = await serveHttp(answer)
  const client = createTestClient({ port, ...options })
  const failure = await failureOf(client.execute({ workflowId: 'w', stepId: 's', event: {} }))
  return { failure, client }
}

describe('a tunnel', () => {
  const options = { bridgeUrl: 'http://a1b2.Tunnel.test/api/bridge', tunnelHosts: ['tunnel.TEST.'] }

  it.each([404, 502, 530])('that responds with %i without a connected bridge gives TunnelNotFound', async (status) => {
    const { failure, client } = await executeAgainst(html(status), options)
    const message = 'The tunnel at http://a1b2.tunnel.test/api/bridge was not found: no client is connected to it.'
    expect(failure).toMatchObject({ code: 'TunnelNotFound', status: 404, message })
    expect(client.waits).toEqual([1000, 2000, 4000])
  })

  it.each([
    ['http://a-b-c.trycloudflare.com/api/bridge', 530, {}],
    ['http://a1b2.ngrok-free.app/api/bridge', 404, { 'ngrok-error-code': 'ERR_NGROK_3200' }],
    ['http://tunnel.example.com/api/bridge', 404, { 'ngrok-error-code': 'ERR_NGROK_3200' }],
  ])('is recognized without an option: %s', async (bridgeUrl, status, headers) => {
    const answer: Answer = (_request, response) => void response.writeHead(status, headers).end('<html>')
    expect((await executeAgainst(answer, { bridgeUrl })).failure.code).toBe('TunnelNotFound')
  })

  it('that is connected can respond with 404 for a wrong path', async () => {
    for (const host of ['a.trycloudflare.com', 'a.ngrok-free.app']) {
      const { failure } = await executeAgainst(html(404), { bridgeUrl: `http://${host}/wrong` })
      expect(failure.code).toBe('BridgeEndpointUnavailable')
    }
    const { failure } = await executeAgainst(html(530), { bridgeUrl: 'http://app.example.com/api/bridge' })
    expect(failure.code).toBe('UnknownBridgeRequestError')
  })

  it('forwards the error of its bridge', async () => {
    const { failure } = await executeAgainst(
      json(404, { code: 'StepNotFoundError', message: 'm', data: null }),
      options,
    )
    expect(failure).toMatchObject({ code: 'StepNotFoundError', status: 404 })
  })

  it('is recognized by whole labels of the host, and only for these two statuses', async () => {
    const other = await executeAgainst(html(404), { ...options, bridgeUrl: 'http://nottunnel.test/' })
    expect(other.failure.code).toBe('BridgeEndpointUnavailable')
    expect((await executeAgainst(html(503), options)).failure.code).toBe('UnknownBridgeRequestError')
  })

  it.each([400, 404, 500, 502, 503])('reports with %i and its own code that no bridge is connected', async (status) => {
    const elsewhere = { bridgeUrl: 'http://other.test/api/bridge' }
    const answer = json(status, { code: 'TUNNEL_ERROR', message: 'No agent.' })
    const { failure, client } = await executeAgainst(answer, elsewhere)
    const message = 'The tunnel at http://other.test/api/bridge was not found: no client is connected to it.'
    expect(failure).toMatchObject({ code: 'TunnelNotFound', status: 404, message })
    expect(client.waits).toEqual([1000, 2000, 4000])
    const success = await executeAgainst(json(200, { code: 'TUNNEL_ERROR' }), elsewhere)
    expect(success.failure.code).toBe('ResponseParseError')
  })
})
