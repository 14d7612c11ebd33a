import { describe, expect, it } from 'vitest'
import { createTestApi, errorDto, failureOf, json, text } from '../../fixtures/api.ts'
import { ApiError, isApiError } from '../error/error.ts'
import type { ApiClient } from '../index.ts'

const trigger = { body: { name: 'w', to: 's' } }
const once = { maxRetries: 0 }

describe('an ErrorDto', () => {
  it.each([
    [400, 'BadRequest'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'NotFound'],
    [405, 'MethodNotAllowed'],
    [409, 'Conflict'],
    [413, 'PayloadTooLarge'],
    [414, 'UriTooLong'],
    [415, 'UnsupportedMediaType'],
    [422, 'ValidationFailed'],
    [429, 'RateLimited'],
    [500, 'InternalError'],
    [503, 'Unavailable'],
    [418, 'UnexpectedStatus'],
    [408, 'RequestTimeout'],
    [502, 'GatewayFailed'],
    [504, 'GatewayFailed'],
    [521, 'GatewayFailed'],
    [522, 'GatewayFailed'],
    [524, 'GatewayFailed'],
    [501, 'UnexpectedStatus'],
  ])('with status %i is the error %s', async (status, code) => {
    const { api } = await createTestApi(errorDto(status, { ctx: { a: 1 } }), once)
    const failure = await failureOf(api.events.trigger(trigger))
    expect(failure).toMatchObject({
      code,
      status,
      message: 'told',
      detail: 'told',
      timestamp: '2026-11-20T10:00:00.000Z',
      path: '/v1/x',
      ctx: { a: 1 },
      replayed: false,
    })
    expect(isApiError(failure, code as never)).toBe(true)
    expect(isApiError(failure, 'BrowserRefused')).toBe(false)
  })

  it('with status 500 carries the errorId', async () => {
    const { api } = await createTestApi(errorDto(500, { errorId: 'e-1' }), once)
    expect(await failureOf(api.events.trigger(trigger))).toMatchObject({ code: 'InternalError', errorId: 'e-1' })
  })

  it.each([
    [['a', 'b'], 'a; b'],
    [{ a: 1 }, '{"a":1}'],
    [7, '7'],
    [false, 'false'],
    [null, 'Bad Request'],
    ['', 'Bad Request'],
  ])('can have any JSON as its message: %j', async (message, words) => {
    const { api } = await createTestApi(errorDto(400, { message }), once)
    expect((await failureOf(api.events.trigger(trigger))).message).toBe(words)
  })

  it('of a validation error has the fields and their errors', async () => {
    const errors = {
      to: { messages: ['must be given', 'must be text'], value: null },
      name: { messages: ['is empty'] },
    }
    const { api, received } = await createTestApi(errorDto(422, { errors }))
    const failure = await failureOf(api.events.trigger(trigger))
    if (!isApiError(failure, 'ValidationFailed')) throw failure
    expect(failure.errors).toEqual(errors)
    expect(failure.errors['to']?.messages[0]).toBe('must be given')
    expect(received).toHaveLength(1)
  })

  it.each([[undefined], [{}], [[]], ['odd'], [{ a: 'text' }], [{ a: { messages: [7, null] } }]])(
    'of a validation error keeps its type if its fields are %j',
    async (errors) => {
      const { api } = await createTestApi(errorDto(422, { errors }))
      const failure = await failureOf(api.events.trigger(trigger))
      expect(failure.code).toBe('ValidationFailed')
      for (const field of Object.values(failure.errors ?? {}))
        expect(field.messages).toEqual(field.messages.map(String))
      expect(failure.errors).toBeTypeOf('object')
    },
  )
})

describe('the body of a failure', () => {
  const errors = [
    { field: 'to', message: 'must be given' },
    { field: 'payload.id', message: 'must be a number', value: 'x', schemaPath: '#/properties/id' },
    { field: 'to', message: 'must be text' },
  ]
  const invalid = { type: 'PAYLOAD_VALIDATION_ERROR', errors, schema: { type: 'object' } }

  it.each([
    ['trigger', (api: ApiClient) => api.events.trigger(trigger)],
    ['triggerBulk', (api: ApiClient) => api.events.triggerBulk({ body: { events: [trigger.body] } })],
    ['broadcast', (api: ApiClient) => api.events.broadcast({ body: { name: 'w', payload: {} } })],
  ])('of %s is kept completely, and its list of fields is parsed', async (_name, call) => {
    const { api } = await createTestApi(errorDto(400, invalid))
    const failure = await failureOf(call(api))
    expect(failure).toMatchObject({ code: 'BadRequest', body: { statusCode: 400, ...invalid } })
    expect(failure.errors).toEqual({
      to: { messages: ['must be given', 'must be text'] },
      'payload.id': { messages: ['must be a number'], value: 'x' },
    })
  })

  it.each([
    ['subscriber', { subscriberId: 's', _id: '1', firstName: 'Ada', createdAt: '2026' }],
    ['topic', { _id: '1', key: 't' }],
  ])('of a conflict has the existing %s', async (_name, entity) => {
    const { api } = await createTestApi(errorDto(409, entity))
    const failure = await failureOf(api.topics.create({ body: { key: 't' }, query: { failIfExists: true } }))
    expect(failure).toMatchObject({ code: 'Conflict', body: { statusCode: 409, ...entity } })
    expect(failure.isBodyCut).toBeUndefined()
  })

  it('is kept as text if it is not JSON, and is absent if it is empty', async () => {
    const { api } = await createTestApi([text(400, 'no'), text(400, '<html>'), text(400, ''), text(400, ' ')], once)
    expect((await failureOf(api.feeds.list())).body).toBe('no')
    expect((await failureOf(api.feeds.list())).body).toBe('<html>')
    expect(await failureOf(api.feeds.list())).not.toHaveProperty('body')
    expect(await failureOf(api.feeds.list())).not.toHaveProperty('body')
  })

  it.each([
    ['a message of 9 MB', () => JSON.stringify({ statusCode: 400, message: 'x'.repeat(9e6) }), 'Bad Request'],
    ['a text of 9 MB', () => 'x'.repeat(9e6), 'Bad Request'],
    ['a list of 100 000 levels', () => `{"message":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, undefined],
    ['an object of 50 000 levels', () => `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, undefined],
  ])('is bounded: %s', async (_what, body, message) => {
    const { api } = await createTestApi(text(400, body()), once)
    const failure = await failureOf(api.feeds.list())
    expect(failure).toMatchObject({ code: 'BadRequest', status: 400, isBodyCut: true })
    expect(failure.message.length).toBeLessThanOrEqual(1000)
    if (message !== undefined) expect(failure.message).toBe(message)
    expect(failure.body).toBe(body().slice(0, (failure.body as string).length))
    expect(JSON.stringify(failure).length).toBeLessThan(200_000)
  })

  it('of up to 256 KiB is parsed, with a message of at most 1000 characters', async () => {
    const body = { statusCode: 400, message: 'x'.repeat(200_000), errors: [{ field: 'a', message: 'no' }] }
    const { api } = await createTestApi(json(400, body), once)
    const failure = await failureOf(api.feeds.list())
    expect(failure).toMatchObject({ body, errors: { a: { messages: ['no'] } } })
    expect(failure.message).toHaveLength(1000)
  })

  it('that is incomplete keeps its status', async () => {
    const { api, received } = await createTestApi((_request, response, socket) => {
      response.writeHead(400, { 'content-length': '100' }).write('{"message":', () => socket.destroy())
    })
    expect(await failureOf(api.feeds.list())).toMatchObject({ code: 'BadRequest', isBodyCut: true })
    expect(received).toHaveLength(1)
  })

  it('can have members with any name', async () => {
    const body = '{"statusCode":422,"errors":{"__proto__":{"messages":["no"]},"constructor":{"messages":["nor"]}}}'
    const { api } = await createTestApi(text(422, body), once)
    const failure = await failureOf(api.feeds.list())
    expect(Object.entries(failure.errors ?? {})).toEqual([
      ['__proto__', { messages: ['no'] }],
      ['constructor', { messages: ['nor'] }],
    ])
    expect(Object.getPrototypeOf(failure)).toBe(ApiError.prototype)
  })
})

describe('a response without an ErrorDto', () => {
  it.each([
    [429, 'API rate limit exceeded', 'RateLimited', 'API rate limit exceeded'],
    [503, 'Please wait some time, then retry.', 'Unavailable', 'Please wait some time, then retry.'],
    [414, '', 'UriTooLong', 'URI Too Long'],
    [413, '<html>413</html>', 'PayloadTooLarge', 'Payload Too Large'],
    [
      502,
      '<html>bad gateway</html>',
      'GatewayFailed',
      'A gateway did not get a response from the API; it is unknown whether the call took effect',
    ],
    [501, '<html>odd</html>', 'UnexpectedStatus', 'The API answered 501'],
    [429, '', 'RateLimited', 'API rate limit exceeded'],
    [500, '"text"', 'InternalError', 'text'],
  ])('with status %i and text "%s" is the same typed error', async (status, body, code, message) => {
    const { api } = await createTestApi(text(status, body), once)
    const failure = await failureOf(api.events.trigger(trigger))
    expect(failure).toMatchObject({ code, status, message })
  })
})

describe('an idempotency error', () => {
  const key = 'order-7'
  const keyed = { idempotencyKey: key }

  it('for a call in progress is retried after the requested delay', async () => {
    const busy = json(
      409,
      { statusCode: 409, message: `${key} is being processed, retry after 1 second` },
      { 'retry-after': '1' },
    )
    const { api, received, waits } = await createTestApi([busy, busy, json(201, { data: { status: 'processed' } })])
    await expect(api.events.trigger(trigger, keyed)).resolves.toMatchObject({ data: { status: 'processed' } })
    expect(waits).toEqual([1000, 1000])
    expect(new Set(received.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set([key]))
    const stuck = await createTestApi(busy, once)
    expect(await failureOf(stuck.api.events.trigger(trigger, keyed))).toMatchObject({
      code: 'IdempotencyInProgress',
      retryAfterMs: 1000,
      idempotencyKey: key,
    })
  })

  it('for another conflict is not retried', async () => {
    const { api, received } = await createTestApi(errorDto(409, { message: 'subscriber exists' }))
    const failure = await failureOf(
      api.subscribers.create({ body: { subscriberId: 's' }, query: { failIfExists: true } }),
    )
    expect(failure.code).toBe('Conflict')
    expect(received).toHaveLength(1)
  })

  it('for a reused key differs from a validation error, and neither is retried', async () => {
    const { api, received } = await createTestApi(
      json(422, { statusCode: 422, message: `${key} is reused for a different body`, errors: {} }),
    )
    expect(await failureOf(api.events.trigger(trigger, keyed))).toMatchObject({
      code: 'IdempotencyKeyReused',
      idempotencyKey: key,
    })
    expect(received).toHaveLength(1)
  })

  const reused = (name: string) => `Request with key "${name}" is being reused for a different body`
  const busy = (name: string) => `Request with key "${name}" is currently being processed. Please retry after 1 second`

  it.each([
    [422, { message: reused(key) }, 'IdempotencyKeyReused'],
    [422, { message: reused(key), errors: {} }, 'IdempotencyKeyReused'],
    [422, { message: reused(key), errors: { to: { messages: ['no'] } } }, 'ValidationFailed'],
    [422, { message: key }, 'ValidationFailed'],
    [422, { message: `workflow ${key} not found` }, 'ValidationFailed'],
    [422, { message: `${key}: the body must be an object` }, 'ValidationFailed'],
    [422, { message: reused('another') }, 'ValidationFailed'],
    [422, { message: `workflow_not_found` }, 'ValidationFailed'],
    [400, { message: reused(key) }, 'BadRequest'],
    [409, { message: busy(key) }, 'IdempotencyInProgress'],
    [409, { message: busy('another') }, 'Conflict'],
    [409, { message: `subscriber ${key} exists` }, 'Conflict'],
    [409, { message: busy(key), errors: { to: { messages: ['no'] } } }, 'Conflict'],
    [422, { message: busy(key) }, 'ValidationFailed'],
  ])('is recognized by message and shape: %i %j is %s', async (status, body, code) => {
    const { api } = await createTestApi(json(status, { statusCode: status, ...body }), once)
    expect((await failureOf(api.events.trigger(trigger, keyed))).code).toBe(code)
    // A request without its own idempotency key cannot cause either error.
    if (status !== 409) expect((await failureOf(api.topics.delete({ topicKey: key }))).code).not.toMatch(/^Idempotency/)
  })

  it('is not recognized by words inside the key', async () => {
    const idempotencyKey = 'reused for a different body'
    const { api } = await createTestApi(json(422, { message: `workflow ${idempotencyKey} not found` }), once)
    expect((await failureOf(api.events.trigger(trigger, { idempotencyKey }))).code).toBe('ValidationFailed')
  })

  it('is not assumed for a conflict with Retry-After but no key problem, which is not retried', async () => {
    const { api, received } = await createTestApi(errorDto(409, { message: 'locked' }, { 'retry-after': '1' }))
    expect((await failureOf(api.events.trigger(trigger, keyed))).code).toBe('Conflict')
    expect(received).toHaveLength(1)
  })
})
