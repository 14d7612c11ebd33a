import { expect, test } from 'vitest'
import { createCallerAddress } from './caller-address.ts'

const read = (remoteAddress: string, forwarded: string | undefined, ranges?: readonly string[]) =>
  createCallerAddress(ranges)({ remoteAddress, header: () => forwarded })

test.each([
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['::1', '203.0.113.9, 127.0.0.1', '203.0.113.9'],
  // The caller itself has sent the first two.
  ['127.0.0.1', '1.1.1.1, 2.2.2.2, 203.0.113.9', '203.0.113.9'],
  ['203.0.113.9', '1.1.1.1', '203.0.113.9'],
  ['127.0.0.1', 'unknown', '127.0.0.1'],
  ['127.0.0.1', '1.1.1.1, ', '127.0.0.1'],
  ['', '1.1.1.1', ''],
])('a call from %s forwarded for %s comes from %s', (remote, forwarded, expected) => {
  expect(read(remote, forwarded)).toBe(expected)
})

test('proxies are trusted by address range', () => {
  expect(read('10.1.2.3', '203.0.113.9', ['10.0.0.0/8'])).toBe('203.0.113.9')
  expect(read('10.1.2.3', '203.0.113.9, 10.9.9.9', ['10.0.0.0/8'])).toBe('203.0.113.9')
  expect(read('127.0.0.1', '203.0.113.9', [])).toBe('127.0.0.1')
  expect(read('10.1.2.3', '203.0.113.9', ['::/0'])).toBe('10.1.2.3')
  expect(read('fd00::5', '2001:db8::1', ['fd00::/8'])).toBe('2001:db8::1')
})
