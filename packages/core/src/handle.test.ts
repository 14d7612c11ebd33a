import { describe, expect, it, vi } from 'vitest'
import { silent } from './ask.fixture.ts'
import { createBridge } from './bridge.ts'

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

describe('a call', () => {
  it('is answered even if its headers cannot be read', async () => {
    const bridge = createBridge({ logger: silent, cors: '*', strictAuthentication: true })
    const { status, body } = await bridge.handle(unreadable)
    expect([status, JSON.parse(body).code]).toEqual([500, 'BridgeError'])
  })

  it('is reported once, also where its answer comes after the deadline', async () => {
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
    expect(onReply).toHaveBeenCalledWith(expect.objectContaining({ status: 504, code: 'StepExecutionTimeoutError' }))
  })

  it('is not harmed by a hook that throws', async () => {
    const onReply = (): void => {
      throw new Error('the hook')
    }
    const bridge = createBridge({ hooks: { onReply }, logger: silent })
    const { status } = await bridge.handle({ ...unreadable, method: 'OPTIONS', header: () => undefined })
    expect(status).toBe(200)
  })
})
