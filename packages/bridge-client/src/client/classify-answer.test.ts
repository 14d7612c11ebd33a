import { errorStatuses } from '@trestle/protocol'
import { describe, expect, it } from 'vitest'
import { createTestClient, failureOf, type TestClientOptions } from '../../fixtures/client.ts'
import { type Answer, html, json, serveHttp, serveRaw } from '../../fixtures/server.ts'

const shown = 'http://bridge.test/api/bridge'
const stepReply = { outputs: {}, providers: {}, options: { skip: false } }

async function executeAgainst(answer: Answer, options: TestClientOptions = {}) {
  const { port } = await serveHttp(answer)
  const client = createTestClient({ port, ...options })
  const failure = await failureOf(client.execute({ workflowId: 'w', stepId: 's', event: {} }))
  return { failure, client }
}

async function executeAgainstText(text: string, options: TestClientOptions = {}) {
  const { port } = await serveRaw((socket) => socket.once('data', () => socket.end(text)))
  const client = createTestClient({ port, ...options })
  const failure = await failureOf(client.execute({ workflowId: 'w', stepId: 's', event: {} }))
  return { failure, client }
}

const statuses: readonly [number, string, number, string, boolean][] = [
  [
    401,
    'BridgeAuthenticationFailed',
    401,
    `The bridge at ${shown} refused the call with 401. Check that SERVICE_SECRET_KEY is set there, and its middleware.`,
    false,
  ],
  [404, 'BridgeEndpointUnavailable', 404, `The bridge endpoint at ${shown} is unavailable.`, true],
  [
    405,
    'BridgeMethodNotConfigured',
    400,
    `The bridge at ${shown} answered 405: it must expose the methods POST, GET and OPTIONS.`,
    false,
  ],
  [
    413,
    'PayloadTooLarge',
    413,
    `The trigger payload with the subscriber data is too large for the bridge at ${shown}.`,
    false,
  ],
  [
    502,
    'BridgeEndpointNotFound',
    404,
    `The bridge endpoint at ${shown} was not found: a proxy answered 502, the app behind it is down.`,
    true,
  ],
  ...[400, 402, 403, 409, 418, 422, 429, 500, 501, 503, 504, 521, 300, 304].map(
    (status): [number, string, number, string, boolean] => [
      status,
      'UnknownBridgeRequestError',
      500,
      `The bridge at ${shown} answered with a status that is not expected.`,
      false,
    ],
  ),
]

describe('a status', () => {
  it.each(statuses)('%i as a page gives %s', async (status, code, own, message, isRetried) => {
    const { failure, client } = await executeAgainst(html(status))
    expect(failure).toMatchObject({ code, status: own, message, data: null })
    expect(failure.cause).toMatchObject({ httpStatus: status, address: '93.184.216.34' })
    expect(client.waits).toEqual(isRetried ? [1000, 2000, 4000] : [])
  })

  it.each([
    [401, { message: 'Unauthorized' }, 'BridgeAuthenticationFailed'],
    [401, { code: 'UNAUTHORIZED', message: 'no', data: null }, 'BridgeAuthenticationFailed'],
    [401, { code: 'AuthError', message: 'no', data: null }, 'BridgeAuthenticationFailed'],
    [404, { code: 'constructor', message: 'no' }, 'BridgeEndpointUnavailable'],
    [404, { code: 'NotFoundError', message: 'no' }, 'BridgeEndpointUnavailable'],
    [404, { code: 'StepNotFoundError', message: 7 }, 'BridgeEndpointUnavailable'],
    [404, [], 'BridgeEndpointUnavailable'],
    [500, 'text', 'UnknownBridgeRequestError'],
  ])('%i with JSON that is not a bridge error is not forwarded: %j', async (status, body, code) => {
    expect((await executeAgainst(json(status, body))).failure.code).toBe(code)
  })

  it('counts although its body is cut off or too large', async () => {
    const cut = await executeAgainstText('HTTP/1.1 413 Too Large\r\ncontent-length: 100\r\n\r\n<html>')
    expect(cut.failure.code).toBe('PayloadTooLarge')
    const large = await executeAgainst(json(404, 'x'.repeat(1000)), { maxAnswerBytes: 100 })
    expect(large.failure.code).toBe('BridgeEndpointUnavailable')
  })
})

describe("a bridge's own error", () => {
  it.each(Object.entries(errorStatuses))(
    '%s is forwarded with its status %i, and not retried',
    async (code, status) => {
      const data = { stack: 'at x' }
      const { failure, client } = await executeAgainst(json(status, { code, message: `told: ${code}`, data }))
      expect(failure).toMatchObject({ code, status, message: `told: ${code}`, data })
      expect(client.waits).toEqual([])
    },
  )

  it('counts whatever its status, also where a code is new and data is there', async () => {
    const known = await executeAgainst(json(418, { code: 'StepNotFoundError', message: 'm' }))
    expect(known.failure).toMatchObject({ code: 'StepNotFoundError', status: 418, data: null })
    const fresh = await executeAgainst(json(404, { code: 'FutureStepError', message: 'm', data: { a: 1 } }))
    expect(fresh.failure).toMatchObject({ code: 'FutureStepError', status: 404, data: { a: 1 } })
    expect(fresh.client.waits).toEqual([])
  })
})

describe('a success', () => {
  const notParsed = `The bridge at ${shown} answered with a body that is not the JSON of a bridge.`

  it.each([
    ['a page', html(200)],
    [
      'no body',
      (_request: unknown, response: { writeHead(status: number): { end(): void } }) => response.writeHead(204).end(),
    ],
    ['text', (_request: unknown, response: { end(text: string): void }) => response.end('ok')],
    ['JSON that is no object', json(200, ['outputs'])],
    [
      'bytes that are not UTF-8',
      (_request: unknown, response: { end(bytes: Uint8Array): void }) =>
        response.end(new Uint8Array([0x22, 0xff, 0x22])),
    ],
    ['the answer of another action', json(200, { status: 'ok' })],
    ['outputs that are no object', json(200, { outputs: [] })],
  ] as [string, Answer][])('with %s gives ResponseParseError', async (_what, answer) => {
    const { failure, client } = await executeAgainst(answer)
    expect(failure).toMatchObject({ code: 'ResponseParseError', status: 502, message: notParsed })
    expect(client.waits).toEqual([])
  })

  it.each([
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"outputs":'],
    ['half a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n20\r\n{"outputs":'],
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(40_000)}`],
  ])('with %s gives ResponseReadError', async (_what, text) => {
    const { failure, client } = await executeAgainstText(text)
    const message = `The response of the bridge at ${shown} could not be read.`
    expect(failure).toMatchObject({ code: 'ResponseReadError', status: 400, message })
    expect(client.waits).toEqual([])
  })

  it('that is larger than the limit gives ResponseReadError, and is not read on', async () => {
    const body = JSON.stringify(stepReply)
    const limit = Buffer.byteLength(body)
    const { port } = await serveHttp(json(200, stepReply))
    const fits = createTestClient({ port, maxAnswerBytes: limit })
    await expect(fits.execute({ workflowId: 'w', stepId: 's', event: {} })).resolves.toEqual(stepReply)
    const { failure } = await executeAgainst(json(200, stepReply), { maxAnswerBytes: limit - 1 })
    expect(failure.code).toBe('ResponseReadError')
    let isClosed: (value: unknown) => void
    const closed = new Promise((resolve) => {
      isClosed = resolve
    })
    const endless = await executeAgainst(
      (_request, response) => {
        const timer = setInterval(() => response.write('x'.repeat(1000)), 1)
        response.on('close', () => {
          clearInterval(timer)
          isClosed(undefined)
        })
      },
      { maxAnswerBytes: 10_000 },
    )
    expect(endless.failure.code).toBe('ResponseReadError')
    await closed
  })

  it('of discover must hold workflows, so that a page of JSON never deletes them', async () => {
    const { port } = await serveHttp(json(200, { status: 'ok' }))
    expect((await failureOf(createTestClient({ port }).discover())).code).toBe('ResponseParseError')
  })
})
