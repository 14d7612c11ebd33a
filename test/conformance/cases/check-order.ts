import { describe, expect, test } from 'vitest'
import { type Call, secret } from '../call.ts'
import { echoQuery, event, runs, workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

const old = Date.now() - 3_600_000
const wrongMac = `v1=${'0'.repeat(64)}`

/** The errors in a call, in the order of the checks. */
interface Row {
  readonly rule: string
  readonly call: Call
  readonly status: number
  readonly code: string
  /** The case runs against a bridge without a secret. */
  readonly keyless?: true
}

// Each row combines as many faults from the rows below it as possible, to show the order of the checks.
const rows: readonly Row[] = [
  {
    rule: '1. a method that is not allowed, before anything else',
    call: { method: 'PUT', query: { action: 'nonsense' }, body: 'not JSON', signature: null },
    status: 405,
    code: 'MethodNotAllowedError',
  },
  {
    rule: '4.1 no signature, though there is no secret either',
    call: { query: { action: 'nonsense' }, body: 'not JSON', signature: null },
    status: 401,
    code: 'SignatureNotFoundError',
    keyless: true,
  },
  {
    rule: '4.1 no signature, though action and body are wrong too',
    call: { query: { action: 'nonsense' }, body: 'not JSON', signature: null },
    status: 401,
    code: 'SignatureNotFoundError',
  },
  {
    rule: '4.2 no secret, though the header is malformed too',
    call: { query: { action: 'nonsense' }, body: 'not JSON', signature: 'malformed' },
    status: 401,
    code: 'SigningKeyNotFoundError',
    keyless: true,
  },
  {
    rule: '4.3 header without v1, though it is expired too',
    call: { query: { action: 'nonsense' }, body: 'not JSON', signature: `t=${old}` },
    status: 401,
    code: 'SignatureInvalidError',
  },
  {
    rule: '4.4 expired, though it does not match either',
    call: { query: { action: 'nonsense' }, body: 'not JSON', signature: `t=${old},${wrongMac}` },
    status: 401,
    code: 'SignatureExpiredError',
  },
  {
    rule: '4.4 expired, though the body is over the limit too',
    call: { query: echoQuery, body: 'x'.repeat(3000), signature: `t=${old},${wrongMac}` },
    status: 401,
    code: 'SignatureExpiredError',
  },
  {
    rule: '5. a body over the limit, though it does not match either',
    call: { query: { action: 'nonsense' }, body: 'x'.repeat(3000), key: 'wrong' },
    status: 413,
    code: 'PayloadTooLarge',
  },
  {
    rule: '6. no match, though the action is unknown and the body is not JSON',
    call: { query: { action: 'nonsense' }, body: 'not JSON', key: 'wrong' },
    status: 401,
    code: 'SignatureMismatchError',
  },
  {
    rule: '6. no match, though the workflow does not exist',
    call: { query: { ...echoQuery, workflowId: 'nobody' }, body: event, key: 'wrong' },
    status: 401,
    code: 'SignatureMismatchError',
  },
  {
    rule: '7. unknown action, though the body is not JSON',
    call: { query: { action: 'nonsense' }, body: 'not JSON' },
    status: 400,
    code: 'InvalidActionError',
  },
  {
    rule: '7. an action that its method cannot carry',
    call: { method: 'GET', query: { action: 'execute', workflowId: 'nobody' } },
    status: 400,
    code: 'InvalidActionError',
  },
  {
    rule: '8. not JSON, though the workflow does not exist',
    call: { query: { ...echoQuery, workflowId: 'nobody' }, body: 'not JSON' },
    status: 400,
    code: 'RequestBodyInvalidError',
  },
  {
    rule: '8. a part of the wrong type, though the workflow does not exist',
    call: { query: { ...echoQuery, workflowId: 'nobody' }, body: { ...event, state: 7 } },
    status: 400,
    code: 'RequestBodyInvalidError',
  },
  {
    rule: '9. the workflow does not exist',
    call: { query: { ...echoQuery, workflowId: 'nobody' }, body: event },
    status: 404,
    code: 'WorkflowNotFoundError',
  },
]

/** Bodies that a body parser rejects with its own 400. */
const isForParser = ({ call }: Row): boolean => call.body === 'not JSON' || typeof call.body === 'string'

/** The order of checks: protocol 2; specification, check-order table. */
export function checkOrder(mount: Mount): void {
  describe('order of checks', () => {
    const site = useSite(mount, { workflows, maxBodyBytes: 2000 })
    const keyless = useSite(mount, { workflows, secretKey: '', maxBodyBytes: 2000 })
    // A JSON parser in front of the bridge rejects such bodies itself.
    const own = parsesJson(mount) ? rows.filter((row) => !isForParser(row)) : rows

    test.each(own)('$rule: $status $code', async ({ call, status, code, keyless: without }) => {
      const answer = await (without ? keyless : site).call(call)
      expect([answer.status, answer.json?.code]).toEqual([status, code])
      expect(answer.json).toHaveProperty('data')
    })

    test.each(['PUT', 'PATCH', 'DELETE', 'HEAD'])('responds to %s with 405 and Allow', async (method) => {
      const answer = await site.call({ method, signature: null })
      expect(answer.status).toBe(405)
      expect(answer.headers['allow']).toBe('GET, POST, OPTIONS')
      if (method !== 'HEAD') expect(answer.json.code).toBe('MethodNotAllowedError')
    })

    test.each([
      { title: 'bare', call: {} },
      { title: 'with an unknown action', call: { query: { action: 'nonsense' } } },
      { title: 'with a wrong signature', call: { signature: 'malformed' } },
    ])('2. responds to OPTIONS $title with {}', async ({ call }) => {
      const answer = await site.call({ method: 'OPTIONS', signature: null, ...call })
      expect([answer.status, answer.json]).toEqual([200, {}])
    })

    test.each(['', 'action=', 'action=health-check'])('3. responds to GET ?%s without a signature', async (query) => {
      for (const signature of [null, 'malformed']) {
        const answer = await site.call({ query, signature })
        expect([answer.status, answer.json]).toEqual([200, { status: 'ok' }])
      }
    })

    test('3. runs no user code for a health check', async () => {
      const before = { ...runs }
      await site.call({ query: { action: 'health-check' } })
      expect(runs).toEqual(before)
    })

    test.each(['', 'action=health-check'])('3. always verifies POST ?%s', async (query) => {
      const unsigned = await site.call({ query, body: event, signature: null })
      expect([unsigned.status, unsigned.json.code]).toEqual([401, 'SignatureNotFoundError'])
      const signed = await site.call({ query, body: event })
      expect([signed.status, signed.json.code]).toEqual([400, 'InvalidActionError'])
    })

    test('7. lists the actions and their methods in the message', async () => {
      const { json } = await site.call({ query: { action: 'nonsense' }, body: event })
      for (const name of [
        'health-check (GET)',
        'discover (GET)',
        'execute (POST)',
        'preview (POST)',
        'trigger (POST)',
        'agent-event (POST)',
      ])
        expect(json.message).toContain(name)
    })

    test.each(['__proto__', 'constructor', 'toString', 'EXECUTE', 'execute '])(
      '7. rejects the action %s',
      async (action) => {
        const { status, json } = await site.call({ query: { ...echoQuery, action }, body: event })
        expect([status, json.code]).toEqual([400, 'InvalidActionError'])
      },
    )

    test('5. accepts a body of exactly the limit', async () => {
      const base = JSON.stringify({ ...event, payload: { text: '' } })
      const body = JSON.stringify({ ...event, payload: { text: 'x'.repeat(2000 - base.length) } })
      expect(Buffer.byteLength(body)).toBe(2000)
      expect((await site.call({ query: echoQuery, body })).status).toBe(200)
    })

    test('5. counts bytes, not characters, and reports the limit', async () => {
      const body = JSON.stringify({ ...event, payload: { text: 'é'.repeat(1000) } })
      expect(body.length).toBeLessThan(2000)
      const { status, json } = await site.call({ query: echoQuery, body })
      expect([status, json.code, json.data]).toEqual([413, 'PayloadTooLarge', { limit: 2000 }])
    })

    test('executes a valid call', async () => {
      const { status, json } = await site.call({ query: echoQuery, body: event, key: secret })
      expect([status, json.options]).toEqual([200, { skip: false }])
    })
  })
}

/** Whether invalid JSON never reaches the bridge. */
export function parsesJson({ body, parsesJson: parses = body === 'parsed' }: Mount): boolean {
  return parses
}
