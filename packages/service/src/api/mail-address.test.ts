import { expect, test } from 'vitest'
import { mailAddress } from './input.ts'

test.each([
  'ada@example.org',
  "o'neill+tag@sub.example.co",
  'john&jane@example.org',
  'sales/north=1@example.org',
  'a@b.xn--p1ai',
  'grüße@beispiel.example',
  'müller@exämple.de',
  'उपयोगकर्ता@उदाहरण.भारत',
  '用户@例子.广告',
  'A.B@EXAMPLE.ORG',
  '_@x-y.example',
  `${'a'.repeat(64)}@${'b'.repeat(63)}.example`,
])('accepts %s as an email address', (address) => {
  expect(mailAddress().safeParse(address).success).toBe(true)
})

test.each([
  ' ada@example.org',
  'ada@example.org ',
  'ada',
  'ada@',
  '@example.org',
  'ada@localhost',
  'ada@example.o',
  'ada@127.0.0.1',
  'ada@example..org',
  'ada..b@example.org',
  '.ada@example.org',
  'ada.@example.org',
  'ada@-example.org',
  'ada@example-.org',
  'ada@exa_mple.org',
  'a@b.example,c@d.example',
  'a@b.example;c@d.example',
  'Ada <ada@example.org>',
  '"ada"@example.org',
  'ada(comment)@example.org',
  'ada@[127.0.0.1]',
  'ada@b@example.org',
  'ada@example.org\r\nbcc: x@example.org',
  'ada@example.org\0',
  42,
])('rejects %j with a reason', (address) => {
  expect(mailAddress().safeParse(address).error?.issues[0]?.message).toBe('must be an email address')
})

test('rejects long text quickly', () => {
  const started = process.cpuUsage().user / 1000
  for (const piece of ['a', 'a.', 'a-', '-', 'a@', 'a@b.', '@', '.'])
    expect(mailAddress().safeParse(`a@${piece.repeat(200_000)}`).success).toBe(false)
  expect(process.cpuUsage().user / 1000 - started).toBeLessThan(3000)
})
