import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorStatuses, sign } from '@trestle/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BridgeOptions } from './bridge/bridge-options.ts'
import { silent } from './call-bridge.fixture.ts'
import { createBridge } from './http/create-bridge.ts'
import { novu } from './novu.ts'
import { workflow } from './workflow/workflow.ts'

const variables = ['SECRET_KEY', 'API_KEY', 'STRICT_AUTHENTICATION_ENABLED', 'API_URL']
const create = (): ReturnType<typeof workflow> =>
  workflow('w', async ({ step }) => void (await step.sms('s', () => ({ body: 'b' }))), {
    payloadSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } as const,
  }) as never

async function call(options: BridgeOptions, headers: Record<string, string>, query = 'action=discover') {
  const bridge = createBridge({ logger: silent, workflows: [create()], ...options })
  const body = query.includes('discover') ? undefined : '{"payload":{}}'
  const request = new Request(`http://localhost/?${query}`, body ? { method: 'POST', headers, body } : { headers })
  const response = await bridge.fetch(request)
  return { status: response.status, ...((await response.json()) as { code?: string; message?: string }) }
}

beforeEach(() => {
  for (const name of variables) for (const who of ['SERVICE', 'NOVU']) vi.stubEnv(`${who}_${name}`, undefined)
  vi.stubEnv('NODE_ENV', 'production')
})
afterEach(() => vi.unstubAllEnvs())

describe('the signature', () => {
  const secretKey = 'sk'
  it.each([['novu-signature'], ['Novu-Signature'], ['service-signature']])('is read from %s', async (name) => {
    const options = { service: novu, secretKey }
    expect(await call(options, { [name]: await sign(secretKey, '{}') })).toMatchObject({ status: 200 })
    expect(await call(options, { [name]: await sign('other', '{}') })).toMatchObject({ code: 'SignatureMismatchError' })
  })

  it("is read from the service's header if both are sent", async () => {
    const [good, bad] = [await sign(secretKey, '{}'), await sign('other', '{}')]
    const both = (novuSignature: string, own: string): Promise<object> =>
      call({ service: novu, secretKey }, { 'novu-signature': novuSignature, 'service-signature': own })
    expect(await both(good, bad)).toMatchObject({ status: 200 })
    expect(await both(bad, good)).toMatchObject({ status: 401 })
  })

  it('is requested under the service’s header name', async () => {
    expect((await call({ service: novu, secretKey }, {})).message).toContain('The header novu-signature is missing')
  })

  it('is read neither from that header without the preset, nor from any header other than the configured one', async () => {
    const headers = { 'novu-signature': await sign(secretKey, '{}') }
    expect(await call({ secretKey }, headers)).toMatchObject({ code: 'SignatureNotFoundError' })
    const options = { service: novu, secretKey, signatureHeader: 'x-signed' }
    expect(await call(options, headers)).toMatchObject({ code: 'SignatureNotFoundError' })
    expect(await call(options, { 'x-signed': await sign(secretKey, '{}') })).toMatchObject({ status: 200 })
  })
})

describe('the variables', () => {
  it.each([
    ['NOVU_SECRET_KEY', { NOVU_SECRET_KEY: 'a', NOVU_API_KEY: 'b' }, 'a'],
    ['NOVU_API_KEY', { NOVU_API_KEY: 'b' }, 'b'],
    ['NOVU_API_KEY where the other is empty', { NOVU_SECRET_KEY: '', NOVU_API_KEY: 'b' }, 'b'],
    ['their own first', { SERVICE_API_KEY: 'c', NOVU_SECRET_KEY: 'a' }, 'c'],
  ])('provide the key: %s', async (_name, given, key) => {
    for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value)
    const headers = { 'novu-signature': await sign(key, '{}') }
    expect(await call({ service: novu }, headers)).toMatchObject({ status: 200 })
    expect((await call({}, { 'service-signature': await sign(key, '{}') })).status).toBe(key === 'c' ? 200 : 401)
  })

  it('can enable strict authentication, but not disable it', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    expect(await call({ service: novu }, {})).toMatchObject({ status: 200 })
    vi.stubEnv('NOVU_STRICT_AUTHENTICATION_ENABLED', 'true')
    expect(await call({ service: novu, strictAuthentication: false }, {})).toMatchObject({ status: 401 })
    expect(await call({}, {})).toMatchObject({ status: 200 })
    vi.stubEnv('NODE_ENV', 'production')
    vi.stubEnv('NOVU_STRICT_AUTHENTICATION_ENABLED', 'false')
    expect(await call({ service: novu }, {})).toMatchObject({ status: 401 })
  })

  it('are named in the error if their value is invalid', async () => {
    const warn = vi.fn()
    vi.stubEnv('NOVU_STRICT_AUTHENTICATION_ENABLED', '1')
    await call({ service: novu, secretKey: 'k', logger: { warn, error() {} } }, {})
    expect(warn.mock.calls).toEqual([[{}, expect.stringContaining('NOVU_STRICT_AUTHENTICATION_ENABLED is "1"')]])
  })
})

describe('a trigger', () => {
  const received: string[] = []
  let server: Server
  let url = ''
  beforeAll(async () => {
    server = createServer((request, response) => {
      received.push(`${request.url} ${request.headers.authorization}`)
      response.writeHead(201, { 'content-type': 'application/json' })
      response.end('{"data":{"acknowledged":true,"status":"processed","transactionId":"t"}}')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())
  beforeEach(() => void received.splice(0))

  it('uses the address in the service’s variables, both from code and through the bridge', async () => {
    vi.stubEnv('NOVU_API_URL', url)
    vi.stubEnv('NOVU_SECRET_KEY', 'nk')
    const mounted = create()
    const bridge = createBridge({ service: novu, workflows: [mounted], logger: silent })
    await mounted.trigger({ to: 'ada', payload: { id: '1' } } as never)
    await create().trigger({ to: 'ada', payload: { id: '1' } } as never, { service: novu })
    const body = '{"to":"ada","payload":{"id":"1"}}'
    const headers = { 'novu-signature': await sign('nk', body) }
    const init = { method: 'POST', headers, body }
    expect((await bridge.fetch(new Request('http://x/?action=trigger&workflowId=w', init))).status).toBe(200)
    expect(received).toEqual(Array(3).fill('/v1/events/trigger ApiKey nk'))
    // Without the preset, those variables are not read.
    await expect(create().trigger({ to: 'ada', payload: { id: '1' } } as never)).rejects.toThrow('secret key')
  })

  it('uses the cloud by default', () => {
    expect(novu.apiUrl).toBe('https://api.novu.co')
  })
})

describe('the codes', () => {
  it('are those that the service recognizes', async () => {
    const headers = { 'novu-signature': await sign('sk', '{"payload":{}}') }
    const query = 'action=execute&workflowId=w&stepId=s'
    const failed = { status: 400, data: [{ path: '/id' }] }
    expect(await call({ service: novu, secretKey: 'sk' }, headers, query)).toMatchObject({
      ...failed,
      code: 'ExecutionEventPayloadInvalidError',
    })
    const own = { 'service-signature': headers['novu-signature'] }
    for (const service of [novu, undefined])
      expect(await call({ service, secretKey: 'sk' }, own, query)).toMatchObject({
        ...failed,
        code: 'WorkflowPayloadInvalidError',
      })
  })

  it('are passed to hooks as the framework’s codes', async () => {
    const onReply = vi.fn()
    const headers = { 'novu-signature': await sign('sk', '{"payload":{}}') }
    const options = { service: novu, secretKey: 'sk', hooks: { onReply } }
    await call(options, headers, 'action=execute&workflowId=w&stepId=s')
    expect(onReply.mock.calls[0]?.[0]).toMatchObject({ code: 'WorkflowPayloadInvalidError' })
  })

  it('are listed in the table', () => {
    for (const code of Object.keys(novu.errorCodes ?? {})) expect(errorStatuses).toHaveProperty(code)
  })
})

it('publishes an object if there is no schema', async () => {
  const bare = workflow('bare', async ({ step }) => void (await step.sms('s', () => ({ body: 'b' }))))
  const discovered = async (service?: typeof novu): Promise<unknown> => {
    const options = { workflows: [bare], strictAuthentication: false, logger: silent, service }
    return (await createBridge(options).fetch(new Request('http://x/?action=discover'))).json()
  }
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false }
  const parts = { payload: { schema }, controls: { schema }, env: { schema } }
  expect(await discovered(novu)).toMatchObject({ workflows: [{ ...parts, steps: [{ controls: { schema } }] }] })
  expect(await discovered()).toMatchObject({ workflows: [{ payload: { schema: {} }, steps: [{ controls: {} }] }] })
})

it.each([
  [5],
  ['novu'],
  [{}],
  [{ ...novu, signatureHeader: 'a b' }],
  [{ ...novu, variables: { ...novu.variables, apiUrl: 'NOVU_API_URL' } }],
  [{ ...novu, apiUrl: 5 }],
  [{ ...novu, errorCodes: 'none' }],
  [{ ...novu, noSchema: true }],
  [{ ...novu, dropsUnknown: 'yes' }],
])('%j is not accepted as a preset', (service) => {
  expect(() => createBridge({ service: service as never })).toThrow(/option service must be a preset/)
})
