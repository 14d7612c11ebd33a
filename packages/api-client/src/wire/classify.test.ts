import { describe, expect, it } from 'vitest'
import { createTestApi, errorDto, failureOf, json, text } from '../../fixtures/api.ts'
import { isApiError } from '../error/error.ts'

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
    [502, 'UnexpectedStatus'],
  ])('of status %i is the error %s', async (status, code) => {
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

  it('of status 500 carries the errorId', async () => {
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
  ])('may hold any JSON as its message: %j', async (message, words) => {
    const { api } = await createTestApi(errorDto(400, { message }), once)
    expect((await failureOf(api.events.trigger(trigger))).message).toBe(words)
  })

  it('of a validation carries the fields and what is wrong with them', async () => {
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
    'of a validation keeps its type when its fields are %j',
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

describe('an answer without an ErrorDto', () => {
  it.each([
    [429, 'API rate limit exceeded', 'RateLimited', 'API rate limit exceeded'],
    [503, 'Please wait some time, then retry.', 'Unavailable', 'Please wait some time, then retry.'],
    [414, '', 'UriTooLong', 'URI Too Long'],
    [413, '<html>413</html>', 'PayloadTooLarge', 'Payload Too Large'],
    [502, '<html>bad gateway</html>', 'UnexpectedStatus', 'The API answered 502'],
    [429, '', 'RateLimited', 'API rate limit exceeded'],
    [500, '"text"', 'InternalError', '"text"'],
  ])('of status %i and text "%s" is the same typed error', async (status, body, code, message) => {
    const { api } = await createTestApi(text(status, body), once)
    const failure = await failureOf(api.events.trigger(trigger))
    expect(failure).toMatchObject({ code, status, message })
  })
})

describe('an idempotency error', () => {
  const key = 'order-7'
  const keyed = { idempotencyKey: key }

  it('of a call still in progress is retried after the time it asks for', async () => {
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

  it('of another conflict is not retried', async () => {
    const { api, received } = await createTestApi(errorDto(409, { message: 'subscriber exists' }))
    const failure = await failureOf(
      api.subscribers.create({ body: { subscriberId: 's' }, query: { failIfExists: true } }),
    )
    expect(failure.code).toBe('Conflict')
    expect(received).toHaveLength(1)
  })

  it('of a key used for another body is told apart from a validation, and neither is retried', async () => {
    const { api, received } = await createTestApi(
      json(422, { statusCode: 422, message: `${key} is reused for a different body` }),
    )
    expect(await failureOf(api.events.trigger(trigger, keyed))).toMatchObject({
      code: 'IdempotencyKeyReused',
      idempotencyKey: key,
    })
    expect(received).toHaveLength(1)
    const field = await createTestApi(errorDto(422, { message: key, errors: { to: { messages: ['no'] } } }))
    expect((await failureOf(field.api.events.trigger(trigger, keyed))).code).toBe('ValidationFailed')
    const bad = await createTestApi(errorDto(400, { message: key }))
    expect((await failureOf(bad.api.events.trigger(trigger, keyed))).code).toBe('BadRequest')
  })
})
