import { expect, test } from 'vitest'
import { toConnectionProblem } from './connection-problem.ts'

const errorWith = (message: string, rest: object): Error => Object.assign(new Error(message), rest)
const failed = (cause: unknown): Error => new Error('fetch failed', { cause })
const refused = errorWith('connect ECONNREFUSED ::1:1', { code: 'ECONNREFUSED' })

test.each([
  ['an error with a code', failed(refused), 'connect ECONNREFUSED ::1:1 (ECONNREFUSED)'],
  ['one error per address', failed(new AggregateError([refused, new Error('other')])), refused.message],
  ['an error without a code', failed(new Error('bad port')), 'bad port'],
  ['no cause', new Error('fetch failed'), 'fetch failed'],
  ['no error', 'broken', 'broken'],
])('names the innermost cause of %s', (_what, error, why) => {
  expect(toConnectionProblem(error)).toEqual({ why: expect.stringContaining(why) })
})

test('ends for an error that is its own cause', () => {
  const error = new Error('loop')
  error.cause = error
  expect(toConnectionProblem(error).why).toBe('loop')
})

test.each(['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
  'says how to trust a certificate after %s',
  (code) => {
    const { why, fix } = toConnectionProblem(failed(errorWith('wrong', { code })))
    expect([why, fix]).toEqual([`wrong (${code})`, expect.stringContaining('NODE_EXTRA_CA_CERTS')])
  },
)
