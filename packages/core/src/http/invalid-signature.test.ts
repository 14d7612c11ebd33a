import { sign } from '@trestle/protocol'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { BridgeOptions } from '../bridge/bridge-options.ts'
import type { CallInfo, RefusalReport } from '../bridge/hooks.ts'
import type { BridgeReply } from '../call/bridge-call.ts'
import { createNonceStore } from '../call/nonce-store.ts'
import { silent } from '../call-bridge.fixture.ts'
import { workflow } from '../workflow/workflow.ts'
import { createBridge } from './create-bridge.ts'

const secretKey = 'canary-secret-0123456789'
const body = '{"payload":{"canary":"body-0123456789"},"controls":{},"state":[],"subscriber":{}}'
const said = workflow('said', async ({ step }) => {
  await step.custom('well', () => ({}))
})

interface Sent {
  readonly method?: string
  readonly query?: string
  readonly signature?: string
  readonly options?: BridgeOptions
  readonly send?: (handle: () => Promise<BridgeReply>) => Promise<BridgeReply>
}

const execute = 'action=execute&workflowId=said&stepId=well'

async function call({ method = 'POST', query = execute, signature, options, send = (once) => once() }: Sent) {
  const bridge = createBridge({ workflows: [said], secretKey, strictAuthentication: true, logger: silent, ...options })
  const headers: Record<string, string | undefined> = {
    'service-signature': signature,
    'content-type': 'application/json',
    'content-length': `${body.length}`,
  }
  const reply = await send(() =>
    bridge.handle({
      method,
      url: `/?${query}`,
      header: (name) => headers[name] ?? null,
      readBody: () => ({ bytes: new TextEncoder().encode(body), exact: true }),
    }),
  )
  return { reply, code: (JSON.parse(reply.body) as { code?: string }).code }
}

const twice = async (once: () => Promise<BridgeReply>): Promise<BridgeReply> => {
  await once()
  return once()
}

describe('onInvalidSignature', () => {
  const nowMs = Date.now()
  const good = sign(secretKey, body)

  test.each<[string, string, () => Promise<Sent>, Partial<RefusalReport>]>([
    ['no header', 'SignatureNotFoundError', async () => ({}), { signedAtMs: undefined, method: 'POST' }],
    [
      'no header of a GET',
      'SignatureNotFoundError',
      async () => ({ method: 'GET', query: 'action=discover' }),
      { method: 'GET', action: 'discover', workflowId: undefined },
    ],
    [
      'no key',
      'SigningKeyNotFoundError',
      async () => ({ signature: `t=${nowMs},v1=00`, options: { secretKey: '' } }),
      { signedAtMs: nowMs },
    ],
    ['half a header', 'SignatureInvalidError', async () => ({ signature: 't=5' }), { signedAtMs: undefined }],
    [
      'an old one',
      'SignatureExpiredError',
      async () => ({ signature: await sign(secretKey, body, { nowMs: 1_700_000_000_000 }) }),
      { signedAtMs: 1_700_000_000_000 },
    ],
    [
      'a time of 16 digits',
      'SignatureExpiredError',
      async () => ({ signature: `t=${'9'.repeat(16)},v1=00` }),
      { signedAtMs: undefined },
    ],
    [
      'another key',
      'SignatureMismatchError',
      async () => ({ signature: await sign('another', body, { nowMs }) }),
      { signedAtMs: nowMs, stepId: 'well' },
    ],
    [
      'one that was used',
      'SignatureExpiredError',
      async () => ({ signature: await good, options: { nonceStore: createNonceStore() }, send: twice }),
      { workflowId: 'said', message: 'The signature was already used. Sign each attempt again.' },
    ],
  ])('receives %s, before onReply', async (_what, code, make, facts) => {
    const hookCalls: [string, RefusalReport | undefined, CallInfo][] = []
    const hooks: BridgeOptions['hooks'] = {
      onInvalidSignature: (report, info) => hookCalls.push(['onInvalidSignature', report, info]),
      onReply: ({ status }, info) => status === 401 && hookCalls.push(['onReply', undefined, info]),
    }
    const sent = await make()
    const beforeMs = Date.now()
    const { reply } = await call({ ...sent, options: { ...sent.options, hooks } })
    expect(hookCalls.map(([name]) => name)).toEqual(['onInvalidSignature', 'onReply'])
    expect(hookCalls[0]?.[2]).toBe(hookCalls[1]?.[2])
    const { message } = JSON.parse(reply.body) as { message: string }
    expect([reply.status, hookCalls[0]?.[1]]).toEqual([401, expect.objectContaining({ code, message, ...facts })])
    expect(hookCalls[0]?.[1]?.receivedAtMs).toBeGreaterThanOrEqual(beforeMs)
    expect(Object.keys(hookCalls[0]?.[1] ?? {}).sort()).toEqual(
      ['action', 'agentId', 'code', 'message', 'method', 'receivedAtMs', 'signedAtMs', 'stepId', 'workflowId'].sort(),
    )
    const written = JSON.stringify(hookCalls[0]?.[1])
    for (const word of [secretKey, 'canary', (await good).slice(-64)]) expect(written).not.toContain(word)
  })

  test('receives nothing else', async () => {
    const onInvalidSignature = vi.fn()
    const options = { hooks: { onInvalidSignature } }
    const ofGet = await sign(secretKey, '{}')
    const answers = [
      await call({ signature: await good, options }),
      await call({ method: 'GET', query: '', signature: 't=1,v1=00', options }),
      await call({ method: 'PUT', options }),
      await call({ method: 'OPTIONS', options }),
      await call({ signature: await good, query: 'action=execute&workflowId=none&stepId=none', options }),
      await call({ method: 'GET', query: 'action=discover', signature: ofGet, options }),
      await call({ signature: 'nonsense', options: { ...options, strictAuthentication: false } }),
      await call({ signature: await good, options: { ...options, maxBodyBytes: 10 } }),
    ]
    expect(answers.map(({ reply }) => reply.status)).toEqual([200, 200, 405, 200, 404, 200, 200, 413])
    expect(onInvalidSignature).not.toHaveBeenCalled()
  })

  test('receives no rejection after the response', async () => {
    const onInvalidSignature = vi.fn()
    const late = { claim: () => new Promise<boolean>((resolve) => setTimeout(resolve, 250, false)) }
    const options = { hooks: { onInvalidSignature }, timeoutMs: 30, nonceStore: late }
    expect((await call({ signature: await good, options })).reply.status).toBe(504)
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect(onInvalidSignature).not.toHaveBeenCalled()
  })

  test('is called for any header if the response is 401, and only then', async () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('t=1', `t=${Date.now()}`, 'v1=', `v1=${'a'.repeat(64)}`, 't=x'))
    const header = fc.oneof(
      fc.array(part, { maxLength: 4 }).map((parts) => parts.join(',')),
      fc.constant(undefined),
    )
    await fc.assert(
      fc.asyncProperty(header, fc.constantFrom('GET', 'POST'), async (signature, method) => {
        const codes: string[] = []
        const hooks = { onInvalidSignature: (report: RefusalReport) => void codes.push(report.code) }
        const { reply, code } = await call({
          method,
          options: { hooks },
          ...(signature !== undefined && { signature }),
        })
        expect([reply.status, codes]).toEqual([401, [code]])
      }),
      { numRuns: 200 },
    )
  })

  const never = new Promise<never>(() => undefined)
  const fail = (): never => {
    throw new Error('the hook')
  }
  test.each<[string, () => unknown, number]>([
    ['throws', fail, 1],
    [
      'throws nothing',
      () => {
        throw undefined
      },
      1,
    ],
    ['rejects', () => Promise.reject(new Error('the hook')), 1],
    ['never settles', () => never, 0],
    ['rejects after the answer', () => new Promise((_, reject) => setTimeout(reject, 20, new Error('the hook'))), 1],
    ['returns a thenable that throws', () => ({ then: fail }), 1],
    ['returns what throws when it is looked at', () => new Proxy({}, { has: fail }), 1],
  ])('does not affect the response if it %s', async (_how, hook, logged) => {
    const error = vi.fn()
    const plain = await call({ signature: 't=1,v1=00' })
    const startMs = performance.now()
    const { reply } = await call({
      signature: 't=1,v1=00',
      options: { hooks: { onInvalidSignature: hook as () => void }, logger: { ...silent, error } },
    })
    expect(performance.now() - startMs).toBeLessThan(5000)
    expect(reply).toEqual(plain.reply)
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(error.mock.calls).toEqual(
      Array.from({ length: logged }, () => [expect.objectContaining({}), 'The hook onInvalidSignature failed.']),
    )
  })
})
