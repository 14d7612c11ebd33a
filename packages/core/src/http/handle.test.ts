import { gzipSync } from 'node:zlib'
import { describe, expect, it, test, vi } from 'vitest'
import { silent } from '../call-bridge.fixture.ts'
import { createBridge } from './create-bridge.ts'

const unreadable = {
  method: 'POST',
  url: '/?action=execute',
  header: () => {
    throw new Error('no headers')
  },
  readBody: () => {
    throw new Error('no body')
  },
}

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])('rejects a timeout of %d ms', (timeoutMs) => {
  expect(() => createBridge({ timeoutMs })).toThrow(/timeoutMs must be a number above 0 and at most 2147483647/)
})

describe('a body that is not a byte stream', () => {
  const streamOf = (chunk: unknown): ReadableStream =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(chunk)
        controller.close()
      },
    })
  it.each([
    ['text', '{}'],
    ['a buffer', new ArrayBuffer(2)],
    ['a number', 5],
  ])('counts as unreadable: %s', async (_name, chunk) => {
    const bridge = createBridge({ strictAuthentication: false, logger: silent })
    const request = {
      method: 'POST',
      url: 'http://x.test/?action=execute',
      headers: new Headers({ 'content-type': 'application/json' }),
      body: streamOf(chunk),
    }
    const reply = await bridge.fetch(request as unknown as Request)
    expect([reply.status, (await reply.json()).message]).toEqual([400, 'The body could not be read completely.'])
  })
})

describe('reports a body that other code has read', () => {
  const locked = (): ReadableStream => {
    const stream = new Blob(['{}']).stream()
    stream.getReader()
    return stream
  }
  const text =
    'The body was read before it reached the bridge; hooks and middleware must read a copy, such as request.clone().'
  it.each([
    ['where its stream is there, and empty', new Blob([]).stream()],
    ['where somebody reads it', locked()],
  ])('%s', async (_name, body) => {
    for (const strictAuthentication of [true, false]) {
      const bridge = createBridge({ strictAuthentication, secretKey: 'k', logger: silent })
      const headers = new Headers({ 'content-type': 'application/json', 'content-length': '2' })
      headers.set('service-signature', `t=${Date.now()},v1=${'0'.repeat(64)}`)
      const request = { method: 'POST', url: 'http://x.test/?action=execute', headers, body }
      const reply = await bridge.fetch(request as unknown as Request)
      expect([reply.status, (await reply.json()).message]).toEqual(
        strictAuthentication ? [401, expect.stringContaining(text)] : [400, text],
      )
    }
  })
})

describe('a compressed body', () => {
  it.each([
    ['gzip', 'The body is compressed (content-encoding: gzip), but calls are signed and read as plain JSON'],
    ['x'.repeat(80), `(content-encoding: ${'x'.repeat(50)}), but`],
    [' Identity ', 'Check that both sides use the same secret key'],
    ['', 'Check that both sides use the same secret key'],
  ])('is reported: %j', async (coding, text) => {
    const bridge = createBridge({ strictAuthentication: true, secretKey: 'k', logger: silent })
    const signature = `t=${Date.now()},v1=${'0'.repeat(64)}`
    const headers = { 'service-signature': signature, 'content-encoding': coding }
    const reply = await bridge.fetch(
      new Request('http://x.test/?action=execute', { method: 'POST', headers, body: gzipSync('{}') }),
    )
    expect([reply.status, await reply.json()]).toMatchObject([
      401,
      { code: 'SignatureMismatchError', message: expect.stringContaining(text) },
    ])
  })
})

describe('a body that the server rejects for its size', () => {
  // Fails the stream like SvelteKit, and like http-errors, which most body parsers use.
  it.each([
    ['as a text', { message: 'request body size exceeded BODY_SIZE_LIMIT of 524288' }, 413, 'PayloadTooLarge'],
    ['of a length', { message: 'Content-length of 600000 exceeds limit of 524288 bytes.' }, 413, 'PayloadTooLarge'],
    ['as a number', { message: 'request entity too large', limit: 524288 }, 413, 'PayloadTooLarge'],
    ['by no limit', { message: 'Payload Too Large' }, 401, 'SignatureMismatchError'],
    ['by what cannot be read', { toString: null, message: { toString: null } }, 401, 'SignatureMismatchError'],
    ['for another reason', { message: 'limit of 524288', status: 400 }, 401, 'SignatureMismatchError'],
  ])('%s', async (_name, failure, status, code) => {
    const bridge = createBridge({ strictAuthentication: true, secretKey: 'k', logger: silent })
    const error = Object.assign(new Error('x'), { status: 413 }, failure)
    const body = new ReadableStream({ pull: (controller) => controller.error(error) })
    const headers = new Headers({ 'service-signature': `t=${Date.now()},v1=${'0'.repeat(64)}` })
    const request = { method: 'POST', url: 'http://x.test/?action=execute', headers, body }
    const reply = await bridge.fetch(request as unknown as Request)
    const answer = await reply.json()
    expect([reply.status, answer.code]).toEqual([status, code])
    if (status === 413) {
      expect(answer.data).toEqual({ limit: 524288, source: 'server' })
      expect(answer.message).toBe(
        'The body is larger than 524288 bytes, the limit of the server in front of the bridge.',
      )
    }
  })
})

describe('a call', () => {
  it('gets a response even if its headers cannot be read', async () => {
    const bridge = createBridge({ logger: silent, cors: '*', strictAuthentication: true })
    const { status, body } = await bridge.handle(unreadable)
    expect([status, JSON.parse(body).code]).toEqual([500, 'BridgeError'])
  })

  it('is reported once, even if its response comes after the deadline', async () => {
    const onReply = vi.fn()
    const nonceStore = { claim: () => new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 300)) }
    const { sign } = await import('@trestle/protocol')
    const bridge = createBridge({
      secretKey: 's',
      strictAuthentication: true,
      timeoutMs: 50,
      nonceStore,
      hooks: { onReply },
      logger: silent,
    })
    const signature = await sign('s', '{}')
    const reply = await bridge.handle({
      method: 'POST',
      url: '/?action=execute',
      header: (name) => (name === 'service-signature' ? signature : undefined),
      readBody: () => ({ bytes: new TextEncoder().encode('{}'), exact: true }),
    })
    expect(reply.status).toBe(504)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(onReply).toHaveBeenCalledTimes(1)
    expect(onReply).toHaveBeenCalledWith(
      expect.objectContaining({ status: 504, code: 'StepExecutionTimeoutError' }),
      expect.objectContaining({ action: 'execute' }),
    )
  })

  it('and its process survive a hook that rejects', async () => {
    const error = vi.fn()
    const hooks = { onReply: async () => Promise.reject(new Error('the hook')) }
    const bridge = createBridge({ hooks, logger: { ...silent, error } })
    const { status } = await bridge.handle({ ...unreadable, method: 'OPTIONS', header: () => undefined })
    expect(status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(error).toHaveBeenCalledWith({ err: expect.any(Error) }, 'The hook onReply failed.')
  })

  it('survives a hook that throws', async () => {
    const onReply = (): void => {
      throw new Error('the hook')
    }
    const bridge = createBridge({ hooks: { onReply }, logger: silent })
    const { status } = await bridge.handle({ ...unreadable, method: 'OPTIONS', header: () => undefined })
    expect(status).toBe(200)
  })
})
