import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createTestApi, errorDto, failureOf, json, secretKey } from '../../fixtures/api.ts'
import { leaks, textsOf } from '../../fixtures/leaks.ts'
import { type ApiClientOptions, createApiClient } from '../index.ts'

const client = (fetch: unknown, options: Partial<ApiClientOptions> = {}) =>
  createApiClient({
    secretKey,
    apiUrl: 'https://api.test',
    sleep: async () => {},
    fetch: fetch as typeof globalThis.fetch,
    ...options,
  })

describe("the reason of a caller's signal", () => {
  it('is passed on unchanged, even if it is the error of another call', async () => {
    const { api } = await createTestApi([errorDto(404), () => {}])
    const reason = await failureOf(api.topics.get({ topicKey: 't' }))
    for (const kept of [reason, Object.freeze(reason)]) {
      const controller = new AbortController()
      const call = api.feeds.list({}, { signal: controller.signal })
      controller.abort(kept)
      await expect(call).rejects.toBe(kept)
      expect(kept.operation).toBe('GET /v2/topics/{topicKey}')
    }
  })

  it('is rejected if the signal lacks required members', async () => {
    const old = { aborted: false, addEventListener: () => {}, removeEventListener: () => {} }
    const { api, received } = await createTestApi(json(200, []))
    const failure = await failureOf(api.feeds.list({}, { signal: old as never }))
    expect(failure).toMatchObject({ code: 'RequestInvalid', message: expect.stringContaining('AbortSignal') })
    expect(received).toEqual([])
  })
})

describe('a fetch that returns something other than a Response', () => {
  const headers = new Headers()
  const texts = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue('{}')
        controller.close()
      },
    })

  it.each<[string, () => unknown]>([
    ['nothing', () => undefined],
    ['text', () => '{}'],
    ['no headers', () => ({ status: 204 })],
    ['no headers of a failure', () => ({ status: 503 })],
    ['a status that is a text', () => ({ status: '200', headers, body: null })],
    ['no number as status', () => ({ status: Number.NaN, headers, body: null })],
    ['a stream of Node', () => ({ status: 200, headers, body: Readable.from(['{}']) })],
    ['a stream of texts', () => ({ status: 200, headers, body: texts() })],
    ['a stream of texts with a failure', () => ({ status: 500, headers, body: texts() })],
  ])('is reported once and not retried: %s', async (_what, answer) => {
    let count = 0
    const api = client(async () => {
      count++
      return answer()
    })
    for (const call of [() => api.topics.get({ topicKey: 't' }), () => api.contexts.delete({ type: 'a', id: 'b' })]) {
      count = 0
      const failure = await failureOf(call())
      expect(failure).toMatchObject({ code: 'AnswerUnreadable', message: expect.stringContaining('option fetch') })
      expect(count).toBe(1)
    }
  })

  it.each([0, 60])('is abandoned at the timeout, together with its body (%i ms late)', async (lateMs) => {
    let isCancelled = false
    const cancel = () => {
      isCancelled = true
    }
    const body = () => new ReadableStream({ cancel })
    const late = () => new Promise((resolve) => setTimeout(() => resolve(new Response(body())), lateMs))
    const failure = await failureOf(client(late, { timeoutMs: 30, maxRetries: 0 }).topics.get({ topicKey: 't' }))
    expect(failure.code).toBe('TimedOut')
    await expect.poll(() => isCancelled).toBe(true)
  })
})

describe('the secret', () => {
  it('does not leak if it is a number or part of a thrown function', async () => {
    const digits = '123456789012'
    const body = `{"message":${digits},"ctx":{"a":[${digits}]},"errors":{"f":{"messages":[${digits}],"value":${digits}}}}`
    const badRequest = await failureOf(
      client(async () => new Response(body, { status: 400 }), { secretKey: digits }).topics.get({ topicKey: 't' }),
    )
    expect(badRequest).toMatchObject({ code: 'BadRequest', message: '[secret]', ctx: { a: ['[secret]'] } })
    expect(JSON.stringify([badRequest, badRequest.cause]) + textsOf(badRequest).join()).not.toContain(digits)
    const thrown = Object.assign(() => secretKey, { request: { authorization: secretKey } })
    const failure = await failureOf(
      client(() => Promise.reject(thrown), { maxRetries: 0 }).topics.get({ topicKey: 't' }),
    )
    expect(failure).toMatchObject({ code: 'ConnectionFailed', cause: { message: 'A function was thrown.' } })
    expect(textsOf(failure).filter((text) => leaks(text, secretKey))).toEqual([])
  })
})

describe('a body that JSON would not preserve', () => {
  it.each<[string, unknown, string]>([
    ['a map', new Map([['name', 'w']]), 'it is of the kind Map'],
    ['a promise', Promise.resolve({ name: 'w' }), 'it is of the kind Promise'],
    ['a form', new FormData(), 'it is of the kind FormData'],
    ['no number', { payload: { price: Number.NaN } }, '"payload.price" is the number NaN'],
    ['infinity', { payload: { list: [1, Number.NEGATIVE_INFINITY] } }, '"payload.list.1" is the number -Infinity'],
    ['a function', { payload: { get: () => {} } }, '"payload.get" is a function'],
    ['a symbol', { payload: [Symbol('a')] }, '"payload.0" is a symbol'],
    ['a set', { payload: { tags: new Set(['a']) } }, '"payload.tags" is of the kind Set'],
    [
      'undefined in a list',
      { payload: { list: [1, [undefined]] } },
      '"payload.list.1.0" is undefined, which a list cannot contain',
    ],
    [
      'a gap in a list',
      { payload: { list: new Array(1) } },
      '"payload.list.0" is undefined, which a list cannot contain',
    ],
    ['an invalid date', { payload: { at: new Date('x') } }, '"payload.at" is an invalid date'],
    ['an error', { payload: { error: new Error('a') } }, '"payload.error" is of the kind Error'],
  ])('is rejected: %s', async (_what, body, what) => {
    const { api, received } = await createTestApi(json(201, {}))
    const failure = await failureOf(api.events.trigger({ body: body as never }))
    expect(failure).toMatchObject({
      code: 'RequestInvalid',
      message: `The body cannot be serialized as JSON: ${what}.`,
    })
    expect(received).toEqual([])
  })

  it('is named with its path, also next to objects that occur twice', async () => {
    const shared = { empty: {} }
    const body = { name: 'w', to: 's', payload: { first: shared, second: [shared, { at: new Date('x') }] } }
    const { api } = await createTestApi(json(201, {}))
    const { message } = await failureOf(api.events.trigger({ body: body as never }))
    expect(message).toContain('"payload.second.1.at" is')
  })

  it('is sent if nothing is lost', async () => {
    const { api, received } = await createTestApi(json(201, {}))
    class Order {
      readonly id = 7
    }
    const payload = {
      at: new Date(0),
      absent: undefined,
      none: [null, { toJSON: () => null }],
      wrapped: [Object(7), Object('a'), Object(true)],
      url: new URL('https://a.test/'),
      order: new Order(),
      empty: {},
      bare: Object.create(null),
      custom: { toJSON: () => 'text' },
    }
    await api.events.trigger({ body: { name: 'w', to: 's', payload: payload as never } })
    expect(received[0]?.json).toEqual({ name: 'w', to: 's', payload: JSON.parse(JSON.stringify(payload)) })
  })
})
