import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createBridge } from '../http/create-bridge.ts'
import { workflow } from '../workflow/workflow.ts'

interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly key: unknown
  readonly authorization: unknown
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape.
  readonly body: any
}

const received: Received[] = []
const answers: { status: number; body: unknown }[] = []
let server: Server
let options: { apiUrl: string; secretKey: string }

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { method, url, headers } = request
    const body = text ? JSON.parse(text) : undefined
    received.push({ method, url, key: headers['idempotency-key'], authorization: headers.authorization, body })
    const events: unknown[] = body?.events ?? []
    const answer = answers.shift() ?? {
      status: 201,
      body: { data: url?.endsWith('bulk') ? events.map(toResult) : toResult({}, 0) },
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  options = { apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, secretKey: 'sk' }
})
afterAll(() => server.close())
beforeEach(() => {
  received.length = 0
  answers.length = 0
})

const toResult = (_event: unknown, index: number): object => ({
  acknowledged: true,
  status: 'processed',
  transactionId: `t${index}`,
})
const shipped = workflow('shipped', async () => undefined, {
  payloadSchema: z.object({ id: z.string(), note: z.string().default('none') }),
})

describe('workflow.trigger()', () => {
  it('sends the trigger with the secret and a key', async () => {
    const triggered = await shipped.trigger({ to: 'ada', payload: { id: '1' }, transactionId: 't0' }, options)
    expect(triggered).toMatchObject({ acknowledged: true, status: 'processed', transactionId: 't0' })
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/v1/events/trigger',
        authorization: 'ApiKey sk',
        body: { name: 'shipped', to: 'ada', payload: { id: '1' }, transactionId: 't0' },
      },
    ])
    expect(received[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('checks the payload before anything is sent', async () => {
    await expect(shipped.trigger({ to: 'ada', payload: { id: 7 as never } }, options)).rejects.toMatchObject({
      code: 'WorkflowPayloadInvalidError',
      data: [{ path: '/id' }],
    })
    expect(received).toEqual([])
  })

  it('checks the payload as JSON', async () => {
    const dated = workflow('dated', async () => undefined, {
      payloadSchema: { type: 'object', properties: { at: { type: 'string' }, note: { type: 'string' } } },
    })
    await dated.trigger({ to: 'ada', payload: { at: new Date(0), note: undefined } as never }, options)
    expect(received[0]?.body.payload).toEqual({ at: '1970-01-01T00:00:00.000Z' })
    await expect(dated.trigger({ to: 'ada', payload: { at: 1n as never } }, options)).rejects.toMatchObject({
      code: 'WorkflowPayloadInvalidError',
      message: expect.stringContaining('JSON cannot represent the payload'),
    })
  })

  it('keeps its key across retries', async () => {
    answers.push({ status: 503, body: 'wait' })
    await shipped.trigger({ to: 'ada', payload: { id: '1' } }, { ...options, idempotencyKey: 'k1' })
    expect(received.map(({ key }) => key)).toEqual(['k1', 'k1'])
  })

  it('cancels by the transaction id from the response', async () => {
    const triggered = await shipped.trigger({ to: 'ada', payload: { id: '1' } }, options)
    answers.push({ status: 200, body: { data: true } })
    expect(await triggered.cancel()).toBe(true)
    expect(received[1]).toMatchObject({ method: 'DELETE', url: '/v1/events/trigger/t0' })
  })

  it('names missing settings', async () => {
    await expect(shipped.trigger({ to: 'a', payload: { id: '1' } }, { apiUrl: options.apiUrl })).rejects.toMatchObject({
      code: 'MissingSecretKeyError',
    })
    await expect(shipped.trigger({ to: 'a', payload: { id: '1' } }, { secretKey: 'sk' })).rejects.toThrow(
      /SERVICE_API_URL/,
    )
  })

  it('uses the account of the bridge that mounts the workflow', async () => {
    const mounted = workflow('mounted', async () => undefined)
    createBridge({ workflows: [mounted], secretKey: ['new', 'old'], apiUrl: options.apiUrl })
    await mounted.trigger({ to: 'ada' })
    await mounted.trigger({ to: 'ada' }, { secretKey: 'mine' })
    expect(received.map(({ authorization }) => authorization)).toEqual(['ApiKey new', 'ApiKey mine'])
  })

  it('requires the account if several bridges have different ones', async () => {
    const shared = workflow('shared', async () => undefined)
    createBridge({ workflows: [shared], secretKey: 'a', apiUrl: options.apiUrl })
    createBridge({ workflows: [shared], secretKey: 'b', apiUrl: options.apiUrl })
    await expect(shared.trigger({ to: 'ada' })).rejects.toThrow(/Several bridges.*Pass both/)
    await shared.trigger({ to: 'ada' }, options)
    expect(received.map(({ authorization }) => authorization)).toEqual(['ApiKey sk'])
  })

  it('throws the typed error of the API', async () => {
    answers.push({
      status: 422,
      body: { statusCode: 422, message: 'no', errors: { to: { messages: ['is unknown'] } } },
    })
    await expect(shipped.trigger({ to: 'ada', payload: { id: '1' } }, options)).rejects.toMatchObject({
      code: 'ValidationFailed',
      status: 422,
    })
  })
})

describe('workflow.triggerBulk()', () => {
  it('sends chunks of 100, each with its own key, and returns the results in order', async () => {
    const requests = Array.from({ length: 250 }, (_, index) => ({ to: `s${index}`, payload: { id: `${index}` } }))
    const results = await shipped.triggerBulk(requests, options)
    expect(results).toHaveLength(250)
    expect(received.map(({ body }) => body.events.length)).toEqual([100, 100, 50])
    expect(new Set(received.map(({ key }) => key)).size).toBe(3)
    expect(received[2]?.body.events[49]).toMatchObject({ name: 'shipped', to: 's249', payload: { id: '249' } })
  })

  it('names the request with an invalid payload, and sends none', async () => {
    const requests = [
      { to: 'a', payload: { id: '1' } },
      { to: 'b', payload: { id: 2 as never } },
    ]
    await expect(shipped.triggerBulk(requests, options)).rejects.toMatchObject({ data: [{ path: '/1/id' }] })
    expect(received).toEqual([])
  })
})

it('types the payload by the schema', () => {
  const wrong = (): unknown[] => [
    // @ts-expect-error a field of the wrong type
    shipped.trigger({ to: 'a', payload: { id: 1 } }),
    // @ts-expect-error a required payload
    shipped.trigger({ to: 'a' }),
    // @ts-expect-error a required recipient
    shipped.trigger({ payload: { id: '1' } }),
    workflow('free', async () => undefined).trigger({ to: 'a' }),
  ]
  expect(wrong).toBeTypeOf('function')
})
