import { errorStatuses } from '@trestle/protocol'
import { describe, expect, it } from 'vitest'
import { createTestClient, failureOf, type TestClientOptions } from '../../fixtures/client.ts'
import { type Answer, html, json, serveHttp, serveRaw } from '../../fixtures/server.ts'
import { failures } from '../failure/failure.ts'

const displayUrl = 'http://bridge.test/api/bridge'
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
    `The bridge at ${displayUrl} refused the call with 401. Check that SERVICE_SECRET_KEY is set in the app, and that no middleware blocks the call.`,
    false,
  ],
  [404, 'BridgeEndpointUnavailable', 404, `The bridge endpoint at ${displayUrl} is unavailable.`, true],
  [
    405,
    'BridgeMethodNotConfigured',
    400,
    `The bridge at ${displayUrl} answered 405: it must expose the methods POST, GET and OPTIONS.`,
    false,
  ],
  [
    413,
    'PayloadTooLarge',
    413,
    `The trigger payload, the subscriber and the results of earlier steps are too large for the bridge at ${displayUrl}.`,
    false,
  ],
  [
    502,
    'BridgeEndpointNotFound',
    404,
    `The bridge endpoint at ${displayUrl} was not found: a proxy answered 502, so the app it forwards to is down.`,
    true,
  ],
  ...[400, 402, 403, 409, 418, 422, 429, 500, 501, 503, 504, 521, 300, 304].map(
    (status): [number, string, number, string, boolean] => [
      status,
      'UnknownBridgeRequestError',
      500,
      `The bridge at ${displayUrl} answered with an unexpected status.`,
      false,
    ],
  ),
]

describe('a status', () => {
  it.each(statuses)('%i with an HTML body gives %s', async (status, code, own, message, isRetried) => {
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

  it('counts even if its body is incomplete or too large', async () => {
    const cut = await executeAgainstText('HTTP/1.1 413 Too Large\r\ncontent-length: 100\r\n\r\n<html>')
    expect(cut.failure.code).toBe('PayloadTooLarge')
    const large = await executeAgainst(html(404), { maxAnswerBytes: 10 })
    expect(large.failure.code).toBe('BridgeEndpointUnavailable')
    expect(large.failure.cause).toMatchObject({ error: { message: 'the response is larger than 10 bytes' } })
  })

  it.each([404, 502])('%i is not retried if its body could have been the error of an executed step', async (status) => {
    const error = { code: 'StepExecutionFailedError', message: 'm', data: { stack: 'x'.repeat(1000) } }
    const large = await executeAgainst(json(status, error), { maxAnswerBytes: 100 })
    expect(large.failure.code).toBe('ResponseReadError')
    expect(large.client.waits).toEqual([])
    const head = `HTTP/1.1 ${status} No\r\ncontent-length: 100\r\n`
    for (const type of ['content-type: application/json\r\n', 'content-type: application/problem+JSON\r\n', '']) {
      const cut = await executeAgainstText(`${head}${type}\r\n{"code":"Step`)
      expect(cut.failure.code).toBe('ResponseReadError')
      expect(cut.client.waits).toEqual([])
    }
    const page = await executeAgainstText(`${head}content-type: text/html\r\n\r\n<html>`)
    expect(page.client.waits).toEqual([1000, 2000, 4000])
  })
})

describe("a bridge's own error", () => {
  it.each(Object.entries(errorStatuses))('%s is forwarded with its status %i', async (code, status) => {
    const data = { stack: 'at x' }
    const { failure } = await executeAgainst(json(status, { code, message: `told: ${code}`, data }))
    expect(failure).toMatchObject({ code, status, message: `told: ${code}`, data })
  })

  it('shares no code with the client except PayloadTooLarge, which has the same meaning in both', () => {
    expect(Object.keys(failures).filter((code) => Object.hasOwn(errorStatuses, code))).toEqual(['PayloadTooLarge'])
  })

  it.each(Object.keys(failures).filter((code) => code !== 'PayloadTooLarge'))(
    'is never %s, a code of the client',
    async (code) => {
      for (const status of [400, 422, 500]) {
        const { failure, client } = await executeAgainst(json(status, { code, message: 'forged', data: null }))
        expect(failure).toMatchObject({ code: 'UnknownBridgeRequestError', status: 500 })
        expect(failure.message).not.toContain('forged')
        expect(client.waits).toEqual([])
      }
    },
  )

  it.each([
    '',
    'Error',
    'stepNotFoundError',
    'Step Error',
    `A${'b'.repeat(200)}Error`,
    'ÄError',
    'XError\n',
    'toString',
  ])('is not recognized by the code %j', async (code) => {
    const { failure } = await executeAgainst(json(400, { code, message: 'm', data: null }))
    expect(failure.code).toBe('UnknownBridgeRequestError')
  })

  const allStatuses = [0, 1, 7, 99, 199, 300, 302, 304, 399, 400, 499, 500, 599, 600, 777, 999]
  it.each(allStatuses)('is forwarded under %i only if that status is allowed for an error', async (status) => {
    const body = JSON.stringify({ code: 'StepExecutionFailedError', message: 'm', data: null })
    const line = `HTTP/1.1 ${String(status).padStart(3, '0')} X`
    const { failure, client } = await executeAgainstText(`${line}\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    const isForwarded = status >= 400 && status <= 599
    // A 1xx is not a final response; the connection closes without one.
    const other = status >= 100 && status < 200 ? 'ResponseReadError' : 'UnknownBridgeRequestError'
    expect(failure.code).toBe(isForwarded ? 'StepExecutionFailedError' : other)
    expect(failure.status).toBe(isForwarded ? status : failures[other].status)
    expect(client.waits).toEqual([])
  })

  it('is recognized with any status, even if its code is new and it has data', async () => {
    const knownCodeResult = await executeAgainst(json(418, { code: 'StepNotFoundError', message: 'm' }))
    expect(knownCodeResult.failure).toMatchObject({ code: 'StepNotFoundError', status: 418, data: null })
    const fresh = await executeAgainst(json(404, { code: 'FutureStepError', message: 'm', data: { a: 1 } }))
    expect(fresh.failure).toMatchObject({ code: 'FutureStepError', status: 404, data: { a: 1 } })
    expect(fresh.client.waits).toEqual([])
  })
})

describe('a failure', () => {
  it('is read up to 1 MiB, and classified by its status if it is larger', async () => {
    const error = (length: number) => json(500, { code: 'BridgeError', message: 'x'.repeat(length), data: null })
    expect((await executeAgainst(error(1_000_000))).failure.code).toBe('BridgeError')
    const { failure } = await executeAgainst(error(1_100_000))
    expect(failure).toMatchObject({
      code: 'UnknownBridgeRequestError',
      cause: { httpStatus: 500, error: { message: 'the response is larger than 1048576 bytes' } },
    })
  })

  it.each([400, 500])('with status %i with nested JSON is classified by its status', async (status) => {
    const deep = `{"code":"StepNotFoundError","message":"m","data":${'['.repeat(300_000)}`
    const { failure } = await executeAgainst((_request, response) => response.writeHead(status).end(deep))
    expect(failure.code).toBe('UnknownBridgeRequestError')
  })
})

describe('a success', () => {
  const notParsed = `The bridge at ${displayUrl} answered with a body that is not a JSON bridge reply.`

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

  it('of a health check or an agent is never accepted as the reply to another action', async () => {
    for (const body of [{ workflows: [], agents: [] }, stepReply]) {
      const { port } = await serveHttp(json(200, body))
      const client = createTestClient({ port })
      expect((await failureOf(client.healthCheck())).code).toBe('ResponseParseError')
      const event = { agentId: 'a', event: 'e', body: {} }
      expect((await failureOf(client.agentEvent(event))).code).toBe('ResponseParseError')
    }
    const { port } = await serveHttp(json(200, { status: 'ok', discovered: { workflows: 1, steps: 2 } }))
    await expect(createTestClient({ port }).healthCheck()).resolves.toMatchObject({ status: 'ok' })
  })

  it.each([
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"outputs":'],
    ['half a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n20\r\n{"outputs":'],
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(40_000)}`],
  ])('with %s gives ResponseReadError', async (_what, text) => {
    const { failure, client } = await executeAgainstText(text)
    const message = `The response of the bridge at ${displayUrl} could not be read.`
    expect(failure).toMatchObject({ code: 'ResponseReadError', status: 400, message })
    expect(client.waits).toEqual([])
  })

  it('larger than the limit gives ResponseReadError, and is not read further', async () => {
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

  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
  it('can be nested at most 200 levels deep', async () => {
    for (const [levels, code] of [
      [198, undefined],
      [199, 'ResponseParseError'],
      [100_000, 'ResponseParseError'],
    ] as const) {
      const { port } = await serveHttp((_request, response) => response.end(`{"outputs":{"a":${nested(levels)}}}`))
      const call = createTestClient({ port }).execute({ workflowId: 'w', stepId: 's', event: {} })
      if (code === undefined) await expect(call.then((reply) => JSON.stringify(reply).length)).resolves.toBe(414)
      else {
        const failure = await failureOf(call)
        expect(failure).toMatchObject({ code, cause: { reason: expect.stringContaining('200 levels') } })
      }
    }
  })

  it.each([
    ['lists', '[],'],
    ['objects', '{},'],
    ['numbers', '1,'],
    ['names', '"a":{"b":1},'],
  ])('can have at most a million values, here %s', async (_what, piece) => {
    const text = `{"outputs":{"a":${piece.startsWith('"') ? `{${piece.repeat(700_000)}"z":1}` : `[${piece.repeat(1_100_000)}1]`}}}`
    const { port } = await serveHttp((_request, response) => response.end(text))
    const failure = await failureOf(createTestClient({ port }).discover())
    expect(failure).toMatchObject({ code: 'ResponseParseError', cause: { reason: expect.stringContaining('values') } })
  })

  it('can have brackets, quotes and backslashes in its strings', async () => {
    const reply = {
      outputs: { text: `${'['.repeat(500)}"${'{'.repeat(500)}\\"${'['.repeat(500)},,,${'\\'.repeat(301)}` },
    }
    const { port } = await serveHttp(json(200, reply))
    await expect(createTestClient({ port }).execute({ workflowId: 'w', stepId: 's', event: {} })).resolves.toEqual(
      reply,
    )
  })

  it('of discover must contain workflows, so that unrelated JSON never deletes any', async () => {
    const { port } = await serveHttp(json(200, { status: 'ok' }))
    expect((await failureOf(createTestClient({ port }).discover())).code).toBe('ResponseParseError')
  })
})
