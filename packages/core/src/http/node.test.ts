import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import type { BridgeCall, BridgeReply } from '../call/bridge-call.ts'
import { createBridge } from './create-bridge.ts'
import { type NodeResponse, toNodeHandler } from './node.ts'
import type { NodeRequest } from './node-body.ts'

const reply: BridgeReply = { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }

interface Listeners {
  [event: string]: ((value: never) => void)[]
}

/** Creates a request without a server, whose events are emitted by the test. */
function createRequest(fields: object = {}): NodeRequest & { emit(event: string, value?: unknown): void } {
  const listeners: Listeners = {}
  return {
    method: 'POST',
    url: '/?action=execute',
    headers: {},
    on(event: string, listener: (value: never) => void) {
      listeners[event] = [...(listeners[event] ?? []), listener]
    },
    emit(event, value) {
      for (const listener of listeners[event] ?? []) listener(value as never)
    },
    ...fields,
  }
}

function createResponse(fields: object = {}): NodeResponse & { sent: unknown[]; emit(event: string): void } {
  const listeners: Listeners = {}
  const sent: unknown[] = []
  return {
    statusCode: 0,
    headersSent: false,
    sent,
    setHeader: (name: string, value: string) => sent.push([name, value]),
    end: (body: string) => sent.push(body),
    destroy: () => sent.push('destroyed'),
    on(event: string, listener: () => void) {
      listeners[event] = [...(listeners[event] ?? []), listener]
    },
    emit(event) {
      for (const listener of listeners[event] ?? []) (listener as () => void)()
    },
    ...fields,
  }
}

/** Reads a request's body as the core does; returns the text and whether it is exact, or the error. */
async function readBody(fields: object, drive?: (request: ReturnType<typeof createRequest>) => void): Promise<unknown> {
  let read: unknown
  const handler = toNodeHandler({
    async handle(call: BridgeCall) {
      try {
        const reading = call.readBody(20)
        drive?.(request)
        const { bytes, exact } = await reading
        read = [new TextDecoder().decode(bytes), exact]
      } catch (error) {
        read = (error as Error & { code?: string }).code ?? (error as Error).message
      }
      return reply
    },
  })
  const request = createRequest(fields)
  await handler(request, createResponse())
  return read
}

describe('the body of a Node request', () => {
  const parsed = { readableDidRead: true, headers: { 'content-length': '7' } }
  const text = (value: string): Uint8Array => new TextEncoder().encode(value)
  const flow =
    (...chunks: unknown[]) =>
    (request: ReturnType<typeof createRequest>): void => {
      for (const chunk of chunks) request.emit('data', chunk)
      request.emit('end')
    }

  test.each<[rule: string, fields: object, drive: ReturnType<typeof flow> | undefined, expected: unknown]>([
    ['the stream, where it is unread', { readableDidRead: false }, flow(text('a'), text('b')), ['ab', true]],
    [
      'the stream, though a parser has put {} there',
      { readableDidRead: false, body: {} },
      flow(text('ab')),
      ['ab', true],
    ],
    ['the stream, though its encoding was set', { readableDidRead: false }, flow('é'), ['é', true]],
    ['a stream of a platform that tells nothing', {}, flow(text('ab')), ['ab', true]],
    [
      'an empty body that was read',
      { readableDidRead: false, readableEnded: true, destroyed: true },
      undefined,
      ['', true],
    ],
    ['rawBody as bytes', { ...parsed, rawBody: text('ab'), body: { a: 1 } }, undefined, ['ab', true]],
    ['rawBody as text', { ...parsed, rawBody: 'ab', body: { a: 1 } }, undefined, ['ab', true]],
    ['rawBody of a platform without a stream', { rawBody: 'ab' }, undefined, ['ab', true]],
    ['body as bytes', { ...parsed, body: text('ab') }, undefined, ['ab', true]],
    ['body as text', { ...parsed, body: 'ab' }, undefined, ['ab', true]],
    [
      'body of a platform without a stream',
      { body: { a: 1 }, headers: { 'content-length': '7' } },
      undefined,
      ['{"a":1}', false],
    ],
    ['a parsed object, re-serialized', { ...parsed, body: { a: 1 } }, undefined, ['{"a":1}', false]],
    [
      '{} of an empty body is not printed',
      { readableDidRead: true, body: {}, headers: { 'content-length': '0' } },
      undefined,
      ['', false],
    ],
    ['{} of a body without a length is not printed', { readableDidRead: true, body: {} }, undefined, ['', false]],
    ['nothing left at all', parsed, undefined, ['', false]],
    [
      'a stream that is closed',
      { readableDidRead: false, destroyed: true },
      undefined,
      'The request ended before its body was complete.',
    ],
    [
      'a stream that closes halfway',
      { readableDidRead: false },
      (request) => request.emit('close'),
      'The request ended before its body was complete.',
    ],
    [
      'a stream that fails',
      { readableDidRead: false },
      (request) => request.emit('error', new Error('reset')),
      'reset',
    ],
    ['more than the limit, in one chunk', { readableDidRead: false }, flow(text('x'.repeat(21))), 'PayloadTooLarge'],
    [
      'more than the limit, in two',
      { readableDidRead: false },
      flow(text('x'.repeat(11)), text('x'.repeat(11))),
      'PayloadTooLarge',
    ],
    ['exactly the limit', { readableDidRead: false }, flow(text('x'.repeat(20))), ['x'.repeat(20), true]],
    ['kept bytes over the limit', { ...parsed, body: 'é'.repeat(11) }, undefined, 'PayloadTooLarge'],
    ['an object that cannot be printed', { ...parsed, body: { a: 1n } }, undefined, expect.stringContaining('BigInt')],
  ])('%s', async (_rule, fields, drive, expected) => {
    expect(await readBody(fields, drive)).toEqual(expected)
  })

  test('is rejected if it has too many small chunks, which would fill the memory', async () => {
    const drive = (request: ReturnType<typeof createRequest>): void => {
      for (let count = 0; count < 20_000; count++) request.emit('data', new Uint8Array(0))
      request.emit('end')
    }
    expect(await readBody({ readableDidRead: false }, drive)).toBe('PayloadTooLarge')
  })

  test('contains only the part that a view of a larger buffer covers', async () => {
    const body = new Uint8Array(text('xxabxx').buffer, 2, 2)
    expect(await readBody({ ...parsed, body })).toEqual(['ab', true])
  })
})

describe('the handler for node:http', () => {
  const answering = { handle: async () => reply }

  test('writes status, headers and body', async () => {
    const response = createResponse()
    await toNodeHandler(answering)(createRequest(), response)
    expect([response.statusCode, response.sent]).toEqual([200, [['content-type', 'application/json'], '{}']])
  })

  test('sends responses together that are ready in the same turn of the event loop', async () => {
    const done: string[] = []
    const answerLate = (name: string): Promise<void> => {
      const bridge = {
        async handle() {
          done.push(`${name} ready`)
          return reply
        },
      }
      const response = createResponse({ end: () => done.push(`${name} written`) })
      return toNodeHandler(bridge)(createRequest(), response)
    }
    // Runs both callbacks in one turn, as if two sockets were readable.
    const both = ['a', 'b'].map((name) => new Promise((resolve) => setImmediate(() => resolve(answerLate(name)))))
    await Promise.all(both)
    expect(done).toEqual(['a ready', 'b ready', 'a written', 'b written'])
  })

  test('passes method, original path, headers and platform facts', async () => {
    let call: BridgeCall | undefined
    const handle = async (given: BridgeCall): Promise<BridgeReply> => {
      call = given
      return reply
    }
    const request = createRequest({ url: '/', originalUrl: '/api?x=1', headers: { a: 'b', list: ['c', 'd'] } })
    await toNodeHandler({ handle }, { rawBodyHint: 'hint' })(request, createResponse())
    expect(call).toMatchObject({ method: 'POST', url: '/api?x=1', rawBodyHint: 'hint' })
    expect(['a', 'list', 'none', 'constructor'].map((name) => call?.header(name))).toEqual([
      'b',
      'c, d',
      undefined,
      undefined,
    ])
  })

  test.each(['headersSent', 'writableEnded'])(
    'does not touch a response that earlier middleware has started: %s',
    async (field) => {
      const response = createResponse({ [field]: true })
      await toNodeHandler(answering)(createRequest(), response)
      expect(response.sent).toEqual([])
    },
  )

  test('closes the connection when the response cannot be written', async () => {
    const response = createResponse({
      end() {
        throw new Error('gone')
      },
    })
    await toNodeHandler(answering)(createRequest(), response)
    expect(response.sent.at(-1)).toBe('destroyed')
  })

  test('closes the connection when there is no response', async () => {
    const response = createResponse()
    await toNodeHandler({ handle: () => Promise.reject(new Error('never')) })(createRequest(), response)
    expect(response.sent).toEqual(['destroyed'])
  })

  test('survives errors of both streams', async () => {
    const request = createRequest()
    const response = createResponse()
    await toNodeHandler(answering)(request, response)
    request.emit('error', new Error('reset'))
    response.emit('error')
    expect(response.sent).toHaveLength(2)
  })

  test.each([
    [false, ['resumed', 'answered', 'resumed', 'closed']],
    [true, ['answered']],
  ])('disconnects a caller that continues sending after the response (complete: %s)', async (complete, expected) => {
    vi.useFakeTimers()
    const done: string[] = []
    const request = createRequest({ complete, resume: () => done.push('resumed'), destroy: () => done.push('closed') })
    const response = createResponse()
    const answered = toNodeHandler(answering)(request, response).then(() => done.push('answered'))
    while (!done.includes('answered')) {
      await new Promise((resolve) => process.nextTick(resolve))
      await vi.advanceTimersByTimeAsync(100)
    }
    await answered
    response.emit('finish')
    vi.advanceTimersByTime(1000)
    vi.useRealTimers()
    expect(done).toEqual(expected)
  })

  test.each(['close', 'keep-alive'])(
    'responds to callers that send everything before they read (connection: %s)',
    async (connection) => {
      const bridge = createBridge({ workflows: [], secretKey: 'sk', strictAuthentication: true })
      const server = createServer(toNodeHandler(bridge))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const rest = Buffer.alloc(19 * 2 ** 20, 'x')
      const answers = Array.from({ length: 12 }, () => {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => undefined)
        socket.write(
          [
            'POST /?action=execute HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json',
            `content-length: ${rest.length}\r\nconnection: ${connection}\r\n\r\n`,
          ].join('\r\n'),
        )
        socket.pause()
        socket.write(rest, () => socket.resume())
        return new Promise<string>((resolve) => {
          let text = ''
          socket.on('data', (part) => {
            text += String(part)
            socket.end()
          })
          socket.on('close', () => resolve(text.slice(0, 12)))
        })
      })
      expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 401']))
      server.closeAllConnections()
      server.close()
    },
  )
})
