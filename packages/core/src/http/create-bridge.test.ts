import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBridge } from './create-bridge.ts'

const signed = (): Request =>
  new Request('http://localhost/?action=discover', { headers: { 'service-signature': `t=${Date.now()},v1=00` } })

describe('a bridge without a secret key', () => {
  beforeEach(() => {
    for (const name of ['SERVICE_SECRET_KEY', 'SERVICE_API_KEY']) vi.stubEnv(name, undefined)
  })
  afterEach(() => vi.unstubAllEnvs())

  it('warns at creation in production, and at the first rejected call', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const warn = vi.fn()
    const bridge = createBridge({ logger: { warn, error() {} } })
    expect(warn.mock.calls).toEqual([
      [{}, expect.stringMatching(/all of them will be rejected.*set SERVICE_SECRET_KEY/)],
    ])
    await bridge.fetch(signed())
    await bridge.fetch(signed())
    expect(warn).toHaveBeenCalledTimes(2)
    expect(warn.mock.calls[1]).toEqual([
      {},
      expect.stringMatching(/401 SigningKeyNotFoundError.*set SERVICE_SECRET_KEY/),
    ])
  })

  it.each([
    ['with a key', 'production', 'sk'],
    ['in development', 'development', undefined],
  ])('prints no warning: %s', (_name, mode, key) => {
    vi.stubEnv('NODE_ENV', mode)
    const warn = vi.fn()
    createBridge({ secretKey: key, logger: { warn, error() {} } })
    expect(warn).not.toHaveBeenCalled()
  })
})

describe('the entry point for web-standard requests', () => {
  const settled: string[] = []
  const ask = async (onSocket: boolean): Promise<void> => {
    const response = await createBridge({ strictAuthentication: false }).fetch(new Request('http://localhost/'), {
      onSocket,
    })
    settled.push(`${response.status} ${response.headers.get('cache-control')}`)
  }
  beforeEach(() => void settled.splice(0))

  it.each([
    ['at once', false, ['200 no-store', 'turn']],
    ['in the next turn, where it goes to a socket', true, ['turn', '200 no-store']],
  ])('answers %s', async (_when, onSocket, expected) => {
    const turn = new Promise((resolve) => setImmediate(resolve)).then(() => settled.push('turn'))
    await Promise.all([ask(onSocket), turn])
    expect(settled).toEqual(expected)
  })
})
