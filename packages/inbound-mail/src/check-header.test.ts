import fc from 'fast-check'
import { dkimVerify } from 'mailauth'
import PostalMime from 'postal-mime'
import { expect, it } from 'vitest'
import { draws } from '../../../test/scope.ts'
import { checkHeader } from './check-header.ts'

const check = (header: string): void => checkHeader(Buffer.from(header, 'latin1'))
const runs = draws(200, 20_000)

it('accepts folded lines, 8-bit values, and bare line feeds', () => {
  for (const header of [
    'From: a@x.test\r\nSubject: one\r\n two\r\n\tthree\r\n\r\nbody\r: is free\r\n text',
    'From: a@x.test\nX-!#~: \xfc\n\nbody',
    'From:a@x.test\r\nReceived: 1\r\nReceived: 2\r\n',
    'From: a@x.test',
  ])
    expect(() => check(header), header).not.toThrow()
})

it('names the line that is malformed', () => {
  for (const [header, reason] of [
    ['From: a@x.test\r\nSubject : x\r\n\r\n', 'Line 2 of the header does not start with a name'],
    [' From: a@x.test\r\n\r\n', 'Line 1 of the header does not start with a name'],
    ['From: a@x.test\r\nno colon\r\n\r\n', 'Line 2 of the header does not start with a name'],
    ['From: a@x.test\r\n: x\r\n\r\n', 'Line 2 of the header does not start with a name'],
    ['From: a@x.test\r\nSubj\xe9: x\r\n\r\n', 'Line 2 of the header does not start with a name'],
    ['From: a@x.test\r\nSubject: x\r\n y\rTo: z\r\n\r\n', 'Line 3 of the header contains a carriage return'],
    [`From: a@x.test\r\n${'X: y\r\n'.repeat(1000)}\r\n`, 'more than 1000 header fields'],
  ] as const)
    expect(() => check(header), header).toThrow(reason)
})

it('requires exactly one author header, and at most one of each other', () => {
  for (const [header, reason] of [
    ['To: a@x.test\r\n\r\n', 'exactly one From address'],
    ['From: a@x.test\r\nfrom: b@x.test\r\n\r\n', 'exactly one From address'],
    ['From: a@x.test\r\nSubject: x\r\nSUBJECT: y\r\n\r\n', '2 headers "subject"'],
  ] as const)
    expect(() => check(header), header).toThrow(reason)
})

it('accepts only headers that both libraries read in the same way', { timeout: 60_000 + runs * 20 }, async () => {
  const bits = ['From', 'X', ':', ' ', '\t', '\0', '\x0b', '\x0c', '\x1c', '\x85', '\xa0', '\xef\xbb\xbf', '"', '(']
  const line = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('X: y', 'Y:', ' folded', '\tfolded', '  ', 'Z: \x0b\xa0z', 'X-1: :') },
    fc.array(fc.constantFrom(...bits), { maxLength: 4 }).map((parts) => parts.join('')),
  )
  const end = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('\r\n', '\n') },
    fc.constantFrom('\r', '\r\r\n', '\n\r', '\r\n\r\n', '\n\n'),
  )
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(line, end), { maxLength: 6 }), async (rest) => {
      const raw = Buffer.from(`From: a@x.test\r\n${rest.flat().join('')}\r\nbody`, 'latin1')
      try {
        checkHeader(raw)
      } catch {
        return
      }
      accepted++
      const { headerLines } = await PostalMime.parse(raw)
      const { headers } = await dkimVerify(raw, { resolver: async () => [] })
      const signed = headers?.parsed.map(({ key, line }) => ({ key, line: line.toString().replaceAll('\r\n', '\n') }))
      expect(headerLines).toEqual(signed)
    }),
    { numRuns: runs },
  )
  expect(accepted).toBeGreaterThan(runs / 10)
})
