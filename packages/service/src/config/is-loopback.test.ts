import { expect, test } from 'vitest'
import { isLoopback } from './is-loopback.ts'

test.each([
  ...['localhost', '127.0.0.1', '127.200.3.4', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'],
])('treats %s as loopback', (host) => {
  expect(isLoopback(host)).toBe(true)
})

test.each([
  ...['', '0.0.0.0', '::', '128.0.0.1', '10.0.0.1', '::2', '::ffff:10.0.0.1', '127.0.0.1.nip.io', 'localhost.evil'],
])('does not treat %s as loopback', (host) => {
  expect(isLoopback(host)).toBe(false)
})
