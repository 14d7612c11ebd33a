import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CallContext } from '../../context/service-context.ts'
import { sealedPlaces } from '../../secrets/sealed-places.ts'
import { createVault } from '../../secrets/vault.ts'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import { checkCredentials } from './check-credentials.ts'

const vault = createVault(new Uint8Array(32).fill(7))

/** Checks the credentials of a SendGrid integration, with a resolver that gives up when its signal aborts. */
async function check(signal: AbortSignal) {
  const id = '0000000000000000000000a1'
  const credentials = vault.seal(
    JSON.stringify({ apiKey: 'a-wrong-key', from: 'a@b.example' }),
    sealedPlaces.credentials(id),
  )
  const resolveHost = vi.fn(async (_host: string, given?: AbortSignal) => {
    given?.throwIfAborted()
    return ['203.0.113.1']
  })
  const outbound = { resolveHost, send: () => Promise.reject(new Error('a request was sent')) }
  const context = { vault, signal, outbound } as unknown as CallContext
  await checkCredentials(context, { id, providerId: 'sendgrid', credentials } as IntegrationRow)
  return resolveHost.mock.calls.map(([host, , port]: readonly unknown[]) => [host, port])
}

describe('the check of the credentials of an API', () => {
  test('looks up its host, and sends nothing', async () => {
    expect(await check(new AbortController().signal)).toEqual([['api.sendgrid.com', 443]])
  })

  test('fails after its time limit', async () => {
    const over = AbortSignal.abort(new DOMException('The time is over.', 'TimeoutError'))
    const spy = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(over)
    onTestFinished(() => spy.mockRestore())
    const errors = { credentials: { messages: [expect.stringContaining('in time')] } }
    await expect(check(new AbortController().signal)).rejects.toMatchObject({ status: 422, details: { errors } })
    expect(spy).toHaveBeenCalledWith(10_000)
  })

  test('ends with its call', async () => {
    await expect(check(AbortSignal.abort(new Error('the caller left')))).rejects.toThrow('the caller left')
  })
})
