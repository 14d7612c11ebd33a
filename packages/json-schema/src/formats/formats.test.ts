import { format as library } from '@cfworker/json-schema'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorMs } from '../../../../test/processor-time.ts'
import { draws } from '../../../../test/scope.ts'
import { findFormat } from './formats.ts'

const accepts = (name: string, text: string): boolean | undefined => findFormat(name)?.(text)

const parts: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2024-02-29', '2023-02-29', '2026-13-01', '2026-11-20', 't', 'T', ' ', '10:00:00', '23:59:60', '.123'],
  date: ['2024', '2023', '-02', '-29', '-13', '-00', '-1', '-', '-30', 'x'],
  time: [
    '10:00',
    ':00',
    '24:00',
    '23:59:60',
    '00:59:60',
    '.123',
    '.',
    'Z',
    'z',
    '+01:00',
    '-24:00',
    '+00:60',
    '+23:59',
  ],
  duration: ['P', 'T', '1', '22', 'Y', 'M', 'D', 'W', 'H', 'S', '.', '-'],
  email: [
    'a',
    'a.b',
    '.',
    '@',
    '"',
    '"a b"',
    '\\"',
    'ä',
    'x.test',
    '-',
    '[',
    ']',
    '127.0.0.1',
    'IPv6:',
    '::1',
    'a'.repeat(65),
  ],
  hostname: ['a', 'A1', '-', '.', 'x.test', '_', 'ä', 'a'.repeat(63), '1'.repeat(250)],
  ipv4: ['0', '1', '255', '256', '.', '10.', '99', '.1.', '-', ' '],
  ipv6: ['0', 'ffff', 'FF', '12345', ':', '::', 'g', '1.2.3.4', '1:2:3:4:5:6', '%', '.'],
  uri: [
    'http:',
    'a+b:',
    '//',
    '/',
    'x.test',
    ':80',
    '@',
    '?',
    '#',
    '%41',
    '%4',
    '[::1]',
    '[v1.x]',
    '[',
    'ä',
    ' ',
    'a:b',
    '1',
  ],
  'uri-template': ['{', '}', '{a}', '{+a.b,c*}', '{?a:3}', '{a:0}', '/x', '%41', '%', ' ', "'", '<', ',', '*'],
  uuid: ['01234567', '-89ab', '-cdef', '-0123', '-456789abcdef', '-', 'F', 'g'],
  'json-pointer': ['/', '~0', '~1', '~', 'a', '#', ' '],
  'json-pointer-uri-fragment': ['#', '/', '~0', '~', 'a', '%41', '%', ' '],
  'relative-json-pointer': ['0', '1', '01', '#', '/', '~1', '~', 'a', '-'],
  regex: ['(', ')', '[a]', '+', 'a', '\\Z', '\\', '\\d', '(?<n>', '\\p{L}', '{'],
}
const names = Object.keys(parts)

/** Returns whether the validator contradicts the RFC. */
function isDisputed(name: string, text: string): boolean {
  if (name === 'ipv4' || name === 'email') return /(^|\D)0\d/.test(text)
  // A scheme without a path; and many invalid URIs, for which there is a table below.
  return name === 'uri' && (/^[^/?#]+:([?#]|$)/.test(text) || !accepts(name, text))
}

test.each(names)('an independent validator agrees about %s', (name) => {
  const part = fc.constantFrom(...(parts[name] ?? []))
  fc.assert(
    fc.property(
      fc.oneof(fc.array(part, { minLength: 1, maxLength: 7 }), fc.array(fc.string({ maxLength: 3 }))),
      (texts) => {
        const text = texts.join('')
        fc.pre(!isDisputed(name, text))
        expect([text, accepts(name, text)]).toEqual([text, library[name]?.(text)])
      },
    ),
    { numRuns: draws(1000, 50_000) },
  )
})

test('only names in the list are formats', () => {
  for (const name of ['none', 'toString', '__proto__', '']) expect(findFormat(name)).toBeUndefined()
})

test.each(['', 'g:h', 'g', './g', '/g', '//g', '?y', 'g?y', '#s', 'g;x=1/../y', '//a@[::1]:8/', '//[v1.x]', 'a/b:c'])(
  '%j is a URI reference',
  (text) => expect(accepts('uri-reference', text)).toBe(true),
)

test.each([':80', '1a:b', '%41:80', 'a b', '//http:80:', '//[::1', '//[1.2.3.4]', '%4', 'ä', '"', '#a#b', '\\'])(
  '%j is not a URI reference',
  (text) => expect(accepts('uri-reference', text)).toBe(false),
)

test.each(['http://a', 'a:', 'urn:x:y', 'mailto:a@b.example'])('%j is a URI', (text) => {
  expect(accepts('uri', text)).toBe(true)
})

test.each(['', '/a', '//a', 'a', '?b', 'http://a:b', 'http://a b', 'http:/[v1.x]', 'http://"', '1:b'])(
  '%j is not a URI',
  (text) => expect(accepts('uri', text)).toBe(false),
)

test('an IPv4 address has no leading zeros', () => {
  expect(accepts('ipv4', '10.0.0.1')).toBe(true)
  expect(accepts('ipv4', '10.00.0.1')).toBe(false)
})

// JavaScript decides about regular expressions.
test.each([...names.filter((name) => name !== 'regex'), 'cron'])('%s is checked in linear time', (name) => {
  const startMs = processorMs()
  for (const part of [...(parts[name] ?? []), '0.', ':', '::', 'a.', '{a,', '~0', '*,', '* ', '1-9,'])
    for (const end of ['', ' ', '!', '\n', '* * * * *']) accepts(name, part.repeat(50_000) + end)
  expect(processorMs() - startMs).toBeLessThan(3000)
})
