import { sign, signatureHeader } from '@trestle/protocol'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { secret } from '../call.ts'
import { echoQuery, event, workflows } from '../fixture.ts'
import type { Mount } from '../mounts/mount.ts'
import { useSite } from '../site.ts'

const text = JSON.stringify(event)
const execute = { query: echoQuery, body: text }

/** Creates the two parts of a signature header. */
async function parts(nowMs: number = Date.now()): Promise<{ t: string; v1: string }> {
  const [t = '', v1 = ''] = (await sign(secret, text, { nowMs })).split(',')
  return { t, v1 }
}

const zeros = `v1=${'0'.repeat(64)}`

const valid: readonly [rule: string, write: (part: { t: string; v1: string }) => string][] = [
  ['as the service writes it', ({ t, v1 }) => `${t},${v1}`],
  ['in another order', ({ t, v1 }) => `${v1},${t}`],
  ['with spaces around the parts', ({ t, v1 }) => ` ${t} , ${v1} `],
  ['with spaces around =', ({ t, v1 }) => `${t.replace('=', ' = ')},${v1.replace('=', ' = ')}`],
  ['with unknown parts', ({ t, v1 }) => `v0=abc,${t},flag,=,x=y=z,${v1},v2=`],
  ['in capitals', ({ t, v1 }) => `${t},v1=${v1.slice(3).toUpperCase()}`],
  ['behind a v1 that does not match', ({ t, v1 }) => `${t},${zeros},${v1}`],
  ['in front of a v1 that does not match', ({ t, v1 }) => `${t},${v1},${zeros}`],
  ['behind a v1 that is no hex', ({ t, v1 }) => `${t},v1=zz,${v1}`],
  ['behind an empty v1', ({ t, v1 }) => `${t},v1=,${v1}`],
  ['as the eighth v1', ({ t, v1 }) => `${t},${`${zeros},`.repeat(7)}${v1}`],
]

const refused: readonly [rule: string, code: string, write: (part: { t: string; v1: string }) => string][] = [
  ['empty', 'SignatureInvalidError', () => ''],
  ['without a part', 'SignatureInvalidError', () => ','],
  ['without t', 'SignatureInvalidError', ({ v1 }) => v1],
  ['without v1', 'SignatureInvalidError', ({ t }) => t],
  ['with an empty v1 only', 'SignatureInvalidError', ({ t }) => `${t},v1=`],
  ['with an empty t', 'SignatureInvalidError', ({ v1 }) => `t=,${v1}`],
  ['with t twice', 'SignatureInvalidError', ({ t, v1 }) => `${t},${t},${v1}`],
  ['with another t behind', 'SignatureInvalidError', ({ t, v1 }) => `${t},${v1},t=1`],
  ['with a name in capitals', 'SignatureInvalidError', ({ t, v1 }) => `${t.replace('t', 'T')},${v1}`],
  ...['-1', '+1', '1.5', '1e3', '0x10', '1_000', '１２', 'now', '12 34', 'NaN', 'Infinity'].map(
    (t): (typeof refused)[number] => [`with t ${t}`, 'SignatureInvalidError', ({ v1 }) => `t=${encodeLatin(t)},${v1}`],
  ),
  ['in seconds', 'SignatureExpiredError', ({ t, v1 }) => `${t.slice(0, -3)},${v1}`],
  ['of the year 1970', 'SignatureExpiredError', ({ v1 }) => `t=0,${v1}`],
  ['with a t of 16 digits', 'SignatureExpiredError', ({ v1 }) => `t=9999999999999999,${v1}`],
  ['with a t of 400 digits', 'SignatureExpiredError', ({ v1 }) => `t=${'9'.repeat(400)},${v1}`],
  ['expired, with a v1 that is no hex', 'SignatureExpiredError', () => 't=1,v1=zz'],
  ['with a v1 that is no hex', 'SignatureMismatchError', ({ t }) => `${t},v1=${'z'.repeat(64)}`],
  ['with a v1 that is too short', 'SignatureMismatchError', ({ t, v1 }) => `${t},${v1.slice(0, -1)}`],
  ['with a v1 of half its length', 'SignatureMismatchError', ({ t, v1 }) => `${t},${v1.slice(0, 35)}`],
  ['with a v1 and more', 'SignatureMismatchError', ({ t, v1 }) => `${t},${v1}00`],
  ['with a v1 followed by junk', 'SignatureMismatchError', ({ t, v1 }) => `${t},${v1}zz`],
  ['with a v1 one bit off', 'SignatureMismatchError', ({ t, v1 }) => `${t},${flip(v1)}`],
  ['of another time', 'SignatureMismatchError', ({ t, v1 }) => `t=${Number(t.slice(2)) + 1},${v1}`],
  ['as the ninth v1', 'SignatureMismatchError', ({ t, v1 }) => `${t},${`${zeros},`.repeat(8)}${v1}`],
]

function flip(v1: string): string {
  const last = Number.parseInt(v1.slice(-1), 16)
  return v1.slice(0, -1) + (last ^ 1).toString(16)
}

/** Headers contain bytes, so non-ASCII characters are sent as UTF-8. */
function encodeLatin(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1')
}

/** The signature: protocol 3; specification, "Bridge request signature". */
export function signature(mount: Mount): void {
  describe('signature', () => {
    const site = useSite(mount, { workflows })
    const named = useSite(mount, { workflows, signatureHeader: 'X-Their-Signature' })
    afterEach(() => void vi.useRealTimers())

    test.each(valid)('accepts %s', async (_rule, write) => {
      const answer = await site.call({ ...execute, signature: write(await parts()) })
      expect(answer.status).toBe(200)
    })

    test.each(refused)('rejects %s: %s', async (rule, code, write) => {
      const answer = await site.call({ ...execute, signature: write(await parts()) })
      const front = mount.inFront[`signature ${rule}`]
      if (front) return expect(front.answers, front.reason).toContain(answer.status)
      expect([answer.status, answer.json.code, answer.json.data]).toEqual([401, code, null])
    })

    test('uses t in the HMAC exactly as it was sent, including leading zeros', async () => {
      const t = `00${Date.now()}`
      const { createHmac } = await import('node:crypto')
      const v1 = createHmac('sha256', secret).update(`${t}.${text}`).digest('hex')
      expect((await site.call({ ...execute, signature: `t=${t},v1=${v1}` })).status).toBe(200)
    })

    test.each([
      [-300_001, 401],
      [-300_000, 200],
      [300_000, 200],
      [300_001, 401],
    ])('%i ms from the clock: %i', async (awayMs, status) => {
      const now = 1_800_000_000_000
      vi.useFakeTimers({ toFake: ['Date'], now })
      const answer = await site.call({ ...execute, nowMs: now + awayMs })
      expect(answer.status).toBe(status)
      if (status === 401) expect(answer.json.code).toBe('SignatureExpiredError')
    })

    test('verifies a GET over {}', async () => {
      expect((await site.call({ query: { action: 'discover' }, signed: '{}' })).status).toBe(200)
      const { status, json } = await site.call({ query: { action: 'discover' }, signed: '' })
      expect([status, json.code]).toEqual([401, 'SignatureMismatchError'])
    })

    test('does not accept a signature over {} for an empty body', async () => {
      const { status, json } = await site.call({ query: echoQuery, method: 'POST', body: '', signed: '{}' })
      expect([status, json.code]).toEqual([401, 'SignatureMismatchError'])
    })

    test('rejects a signature over a different body', async () => {
      const { status, json } = await site.call({ query: echoQuery, body: event, signed: '{}' })
      expect([status, json.code]).toEqual([401, 'SignatureMismatchError'])
    })

    test('reads the header named by the option', async () => {
      const header = await sign(secret, text)
      const there = await named.call({ ...execute, signature: null, headers: { 'x-their-signature': header } })
      expect(there.status).toBe(200)
      const { json } = await named.call({ ...execute, headers: { [signatureHeader]: header } })
      expect(json.code).toBe('SignatureNotFoundError')
      expect(json.message).toContain('x-their-signature')
    })
  })
}
