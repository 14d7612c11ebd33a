import { isCodedError, sign } from '@trestle/protocol'
import { describe, expect, test, vi } from 'vitest'
import { createBridge } from '../http/create-bridge.ts'
import { workflow } from '../workflow/workflow.ts'
import { claimNonces } from './claim-nonces.ts'
import { createNonceStore } from './nonce-store.ts'

const nonce = 'a'.repeat(64)
const call = { nonces: [nonce], timeoutMs: 4500 }
const codeOf = async (claim: unknown): Promise<string | undefined> => {
  try {
    await claimNonces({ claim: (() => claim) as never }, call)
    return undefined
  } catch (error) {
    return isCodedError(error) ? `${error.status} ${error.code}` : String(error)
  }
}

describe('claiming a signature', () => {
  test.each([
    ['true', true, undefined],
    ['a promise of true', Promise.resolve(true), undefined],
    ['false', false, '401 SignatureExpiredError'],
    ['a promise of false', Promise.resolve(false), '401 SignatureExpiredError'],
    // A store must return a boolean: the raw result of its database query is not one.
    ['nothing', undefined, '503 NonceStoreUnavailableError'],
    ['the answer of a database', Promise.resolve('OK'), '503 NonceStoreUnavailableError'],
    ['1', 1, '503 NonceStoreUnavailableError'],
  ])('%s: %s', async (_what, claimed, code) => expect(await codeOf(claimed)).toBe(code))

  test('distinguishes a store that throws, rejects or never responds from one that rejects the signature', async () => {
    const failing = (): never => {
      throw new Error('store down')
    }
    for (const claim of [failing, () => Promise.reject(new Error('store down')), () => ({ then: failing })]) {
      const error: unknown = await claimNonces({ claim: claim as never }, call).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'NonceStoreUnavailableError', cause: { message: 'store down' } })
      expect((error as Error).message).not.toContain('store down')
    }
  })

  test('passes the nonce and its time to live to the store', async () => {
    const claim = vi.fn(() => true)
    await claimNonces({ claim }, call)
    expect(claim.mock.calls).toEqual([[nonce, 605_500]])
  })

  test('waits at most a second, and ignores a later response', async () => {
    vi.useFakeTimers()
    try {
      let settled: unknown
      const late = new Promise<boolean>((_resolve, reject) => setTimeout(reject, 5000, new Error('late')))
      const claiming = claimNonces({ claim: () => late }, call).catch((error: unknown) => {
        settled = error
      })
      await vi.advanceTimersByTimeAsync(999)
      expect(settled).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      await claiming
      expect(settled).toMatchObject({ status: 503, cause: { message: 'claim took longer than 1000 ms' } })
      await vi.advanceTimersByTimeAsync(5000)
      expect(vi.getTimerCount()).toBe(0)
      await claimNonces({ claim: () => Promise.resolve(true) }, call)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

test('runs no step while the store is down, and logs the cause without returning it to the caller', async () => {
  const ran = vi.fn(() => ({}))
  const error = vi.fn()
  const bridge = createBridge({
    workflows: [
      workflow('w', async ({ step }) => {
        await step.custom('s', ran)
      }),
    ],
    secretKey: 'sk',
    strictAuthentication: true,
    logger: { warn() {}, error },
    nonceStore: { claim: () => Promise.reject(new Error('connection to 10.1.2.3 refused')) },
  })
  const body = '{}'
  const response = await bridge.fetch(
    new Request('http://a/?action=execute&workflowId=w&stepId=s', {
      method: 'POST',
      body,
      headers: { 'service-signature': await sign('sk', body) },
    }),
  )
  const text = await response.text()
  expect([response.status, JSON.parse(text).code, JSON.parse(text).data]).toEqual([
    503,
    'NonceStoreUnavailableError',
    null,
  ])
  expect(text).not.toContain('10.1.2.3')
  expect(ran).not.toHaveBeenCalled()
  expect(error.mock.calls).toEqual([
    [{ err: expect.objectContaining({ message: 'connection to 10.1.2.3 refused' }) }, 'The nonce store failed.'],
  ])
})

describe('a signature from a clock that is five minutes ahead', () => {
  const startMs = 1_700_000_000_000
  const body = '{}'
  /** Sends a call whose body arrives after a delay. */
  async function answer(bridge: ReturnType<typeof createBridge>, header: string, bodyAfterMs: number): Promise<number> {
    const stream = new ReadableStream({
      async pull(controller) {
        await vi.advanceTimersByTimeAsync(bodyAfterMs)
        controller.enqueue(new TextEncoder().encode(body))
        controller.close()
      },
    })
    const headers = { 'service-signature': header }
    const init = { method: 'POST', body: stream, headers, duplex: 'half' } as RequestInit
    return (await bridge.fetch(new Request('http://a/?action=execute&workflowId=w&stepId=s', init))).status
  }

  test.each([
    ['at once', 0],
    ['slowly', 4000],
  ])(
    'is accepted once, even in the last millisecond of its window, if the body arrives %s',
    async (_how, bodyAfterMs) => {
      vi.useFakeTimers({ now: startMs })
      try {
        const ran = vi.fn(() => ({}))
        const w = workflow('w', async ({ step }) => void (await step.custom('s', ran)))
        const bridge = createBridge({
          workflows: [w],
          secretKey: 'sk',
          strictAuthentication: true,
          nonceStore: createNonceStore(),
        })
        const header = await sign('sk', body, { nowMs: startMs + 300_000 })
        expect(await answer(bridge, header, 0)).toBe(200)
        vi.setSystemTime(startMs + 600_000)
        expect(await answer(bridge, header, bodyAfterMs)).toBe(401)
        expect(ran).toHaveBeenCalledOnce()
      } finally {
        vi.useRealTimers()
      }
    },
  )
})

test('claims each nonce of a call, and rejects the call if one of them was already used', async () => {
  const used = new Set<string>()
  const store = { claim: (one: string) => !used.has(one) && used.add(one) !== undefined }
  await claimNonces(store, { nonces: ['a', 'b'], timeoutMs: 1 })
  for (const again of [['a'], ['b'], ['b', 'c'], ['a', 'b']])
    await expect(claimNonces(store, { nonces: again, timeoutMs: 1 })).rejects.toMatchObject({
      code: 'SignatureExpiredError',
    })
  expect([...used]).toEqual(['a', 'b', 'c'])
})
