import { describe, expect, it } from 'vitest'
import { createCertificate } from '../../fixtures/certificate.ts'
import { createTestClient, failingSocket, failureOf, secretKey } from '../../fixtures/client.ts'
import { serveRaw } from '../../fixtures/server.ts'
import { type BridgeClientOptions, createBridgeClient } from '../index.ts'

const good = { secretKey, environmentName: 'Production', allow: [] }
const pem = createCertificate('bridge.test').cert
const oddities: readonly unknown[] = [
  null,
  0,
  7,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 31,
  '',
  'text',
  true,
  {},
  [],
  [7],
  () => {},
]

/** Which of the odd values each option accepts. */
const taken: Readonly<Record<keyof BridgeClientOptions, (value: unknown) => boolean>> = {
  secretKey: (value) => value === 'text',
  bridgeUrl: () => true,
  environmentName: (value) => typeof value === 'string',
  allow: (value) => Array.isArray(value) && value.length === 0,
  isClosed: (value) => typeof value === 'function',
  policy: () => false,
  tunnelHosts: (value) => Array.isArray(value) && value.length === 0,
  signatureHeader: (value) => value === 'text',
  timeoutMs: (value) => value === 7,
  maxAnswerBytes: (value) => value === 7,
  ca: () => false,
  logger: () => false,
  lookup: (value) => typeof value === 'function',
  connect: (value) => typeof value === 'function',
  connections: () => false,
  nowMs: (value) => typeof value === 'function',
  sleep: (value) => typeof value === 'function',
  startTimer: (value) => typeof value === 'function',
}

describe('an option', () => {
  it.each(Object.entries(taken))('%s of the wrong type is rejected by name', (name, isTaken) => {
    for (const value of oddities) {
      const create = () => createBridgeClient({ ...good, [name]: value } as never)
      if (isTaken(value)) expect(create).not.toThrow()
      else expect(create, `${name}: ${String(value)}`).toThrow(new RegExp(`^${name} must be `))
    }
    const isRequired = name === 'secretKey' || name === 'environmentName'
    const absent = () => createBridgeClient({ ...good, [name]: undefined } as never)
    if (isRequired) expect(absent).toThrow(TypeError)
    else expect(absent).not.toThrow()
  })

  it.each(['timeout', 'bridgeURL', 'constructor', 'toString', '__proto__x'])('%s is unknown', (name) => {
    expect(() => createBridgeClient({ ...good, [name]: 1 } as never)).toThrow(
      `createBridgeClient has no option "${name}".`,
    )
  })

  it.each([undefined, null, 7, 'text'])('list must not be %s', (options) => {
    expect(() => createBridgeClient(options as never)).toThrow(TypeError)
  })

  it.each(['host', 'Content-Length', 'content-type', 'not a header', 'x:y', 'x\r\ny', 'ä'])(
    'signatureHeader must not be %j',
    (signatureHeader) => {
      expect(() => createBridgeClient({ ...good, signatureHeader })).toThrow(/^signatureHeader must be/)
    },
  )

  it.each([
    ['garbage'],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
    [[]],
    [[pem, 'garbage']],
    [[pem, null]],
  ])('ca must not be %j', (ca) => {
    expect(() => createBridgeClient({ ...good, ca: ca as never })).toThrow(/^ca must be/)
  })

  it('ca can be one certificate or several', () => {
    expect(() => createBridgeClient({ ...good, ca: pem })).not.toThrow()
    expect(() => createBridgeClient({ ...good, ca: [pem, pem] })).not.toThrow()
  })
})

describe('an argument', () => {
  const step = { workflowId: 'w', stepId: 's', event: {} }
  const agent = { agentId: 'a', event: 'e', body: {} }
  const wrong = [undefined, null, 7, 'text', [], {}]

  it.each<[string, readonly unknown[]]>([
    ['execute', [...wrong, ...partsOf(step)]],
    ['preview', [...wrong, ...partsOf(step)]],
    ['agentEvent', [...wrong, ...partsOf(agent)]],
  ])('of %s that is invalid is rejected before any lookup', async (method, values) => {
    const client = createTestClient()
    for (const value of values) {
      const failure = await failureOf(Reflect.get(client, method)(value))
      expect(failure, JSON.stringify(value)).toMatchObject({
        name: 'BridgeClientError',
        code: 'RequestCacheError',
        status: 400,
      })
      expect(failure.cause).toMatchObject({
        reason: expect.stringMatching(/expected an object|must be a non-empty string/),
      })
    }
    expect(client.lookups).toEqual([])
  })

  it('without a step is rejected, because a query cannot represent it', async () => {
    const client = createTestClient()
    for (const id of ['\ud800', 'a\udfff', '\udc00\ud800']) {
      for (const name of ['workflowId', 'stepId'])
        expect((await failureOf(client.execute({ ...step, [name]: id }))).code).toBe('RequestCacheError')
      for (const name of ['agentId', 'event'])
        expect((await failureOf(client.agentEvent({ ...agent, [name]: id }))).code).toBe('RequestCacheError')
    }
    expect(client.lookups).toEqual([])
  })

  it('that is unreadable, or not serializable as an object, is rejected', async () => {
    const thrown: unknown = Object.create(null)
    const trap = {
      get workflowId(): string {
        throw thrown
      },
    }
    const client = createTestClient()
    expect(
      (
        await failureOf(
          client.execute({
            ...step,
            ...{
              get event() {
                return { toJSON: () => 'text' }
              },
            },
          } as never),
        )
      ).code,
    ).toBe('RequestCacheError')
    expect((await failureOf(client.execute(trap as never))).code).toBe('RequestCacheError')
    expect(client.connections).toEqual([])
  })

  it('that is invalid is ignored if the signal has aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(createTestClient().execute({} as never, { signal })).rejects.toThrow('enough')
  })

  it.each(['discover', 'healthCheck', 'execute', 'preview', 'agentEvent', 'sync'])(
    'signal of %s must be a signal or absent',
    async (method) => {
      const client = createTestClient({ fails: 'ECONNREFUSED' })
      const first =
        { execute: [step], preview: [step], agentEvent: [agent], sync: ['http://bridge.test/'] }[method] ?? []
      for (const signal of [7, 'text', {}, new EventTarget()]) {
        const failure = await failureOf(Reflect.get(client, method)(...first, { signal }))
        expect(failure.message).toBe(
          'The request to the bridge at ' +
            'http://bridge.test/' +
            (method === 'sync' ? '' : 'api/bridge') +
            ' failed before the handler ran.',
        )
      }
      expect(client.lookups).toEqual([])
      for (const options of [undefined, null, {}, { signal: undefined }, { signal: null }, 7]) {
        await failureOf(Reflect.get(client, method)(...first, options))
        expect(client.lookups.splice(0).length).toBeGreaterThan(0)
      }
    },
  )

  it.each([
    [['https://bridge.test/']],
    [new URL('https://bridge.test/')],
    [7],
    [{ toString: () => 'https://bridge.test/' }],
  ])('bridgeUrl that is not a string (%j) is never looked up', async (bridgeUrl) => {
    for (const policy of ['on', 'off'] as const) {
      const client = createTestClient({ bridgeUrl: bridgeUrl as never, policy })
      const failure = await failureOf(client.discover())
      expect(failure.code).toBe(policy === 'on' ? 'INVALID_URL' : 'UnknownBridgeNonRequestError')
      expect(client.lookups).toEqual([])
    }
  })

  function partsOf(whole: Record<string, unknown>): readonly unknown[] {
    return Object.keys(whole).flatMap((name) => [undefined, null, 7, ''].map((value) => ({ ...whole, [name]: value })))
  }
})

describe('a signal', () => {
  it('shared by many calls prints no warning, and ends all of them', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    const { port } = await serveRaw(() => {})
    const controller = new AbortController()
    const { signal } = controller
    const waiting = createBridgeClient({
      ...good,
      bridgeUrl: 'http://bridge.test/',
      logger: { warn: () => {} },
      lookup: async () => ['8.8.8.8'],
      connect: () => failingSocket('ECONNREFUSED'),
    })
    const many = Array.from({ length: 16 }, (_, index) => `8.8.8.${index}`)
    const addresses = createTestClient({ port, lookup: async () => many })
    const calls = Array.from({ length: 30 }, () => [
      waiting.discover({ signal }),
      addresses.discover({ signal }),
    ]).flat()
    const results = Promise.allSettled(calls)
    await new Promise((resolve) => setTimeout(resolve, 50))
    controller.abort(new Error('enough'))
    for (const result of await results)
      expect(result).toMatchObject({ status: 'rejected', reason: { message: 'enough' } })
    await new Promise(setImmediate)
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })
})
