import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBridge } from './create-bridge.ts'

const signed = (): Request =>
  new Request('http://localhost/?action=discover', { headers: { 'service-signature': `t=${Date.now()},v1=00` } })

describe('a bridge without a secret key', () => {
  beforeEach(() => {
    for (const name of ['SERVICE_SECRET_KEY', 'SERVICE_API_KEY']) vi.stubEnv(name, undefined)
  })
  afterEach(() => vi.unstubAllEnvs())

  it('says so when it is created in production, and at the first call it refuses', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    const warn = vi.fn()
    const bridge = createBridge({ logger: { warn, error() {} } })
    expect(warn.mock.calls).toEqual([
      [{}, expect.stringMatching(/all of them will be refused.*set SERVICE_SECRET_KEY/)],
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
  ])('%s there is nothing to say', (_name, mode, key) => {
    vi.stubEnv('NODE_ENV', mode)
    const warn = vi.fn()
    createBridge({ secretKey: key, logger: { warn, error() {} } })
    expect(warn).not.toHaveBeenCalled()
  })
})
