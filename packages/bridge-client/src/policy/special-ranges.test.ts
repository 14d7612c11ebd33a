import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPolicy } from './policy.ts'
import { closedRanges, specialRangesIPv4, specialRangesIPv6 } from './special-ranges.ts'

const special = [...specialRangesIPv4, ...specialRangesIPv6]
const policy = createPolicy([])
const isRefused = (address: string, allow?: readonly string[]): boolean =>
  (allow === undefined ? policy : createPolicy(allow)).checkAddress(address) !== undefined

// A second implementation of addresses and ranges, as numbers, that shares no code with the code under test.
const widths = { 4: 32n, 6: 128n } as const
type Family = keyof typeof widths

function toNumber(address: string): { family: Family; value: bigint } {
  if (!address.includes(':')) {
    return { family: 4, value: address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n) }
  }
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string): string[] => text.split(':').filter((group) => group !== '')
  const missing = 8 - groups(head).length - groups(tail).length
  const all = address.includes('::') ? [...groups(head), ...Array(missing).fill('0'), ...groups(tail)] : groups(head)
  return { family: 6, value: all.reduce((sum, group) => sum * 0x1_0000n + BigInt(`0x${group}`), 0n) }
}

function toAddress(family: Family, value: bigint): string {
  const parts = family === 4 ? 4 : 8
  const bits = family === 4 ? 8n : 16n
  const list = Array.from(
    { length: parts },
    (_, at) => (value >> (BigInt(parts - 1 - at) * bits)) & ((1n << bits) - 1n),
  )
  return list.map((part) => part.toString(family === 4 ? 10 : 16)).join(family === 4 ? '.' : ':')
}

function toBounds(range: string): { family: Family; first: bigint; last: bigint } {
  const [address = '', bits = ''] = range.split('/')
  const { family, value } = toNumber(address)
  const size = 1n << (widths[family] - BigInt(bits))
  return { family, first: value, last: value + size - 1n }
}

const bounds = special.map(({ range }) => ({ range, ...toBounds(range) }))
const inAny = (family: Family, value: bigint): boolean =>
  bounds.some((bound) => bound.family === family && value >= bound.first && value <= bound.last)

/** IPv6 forms that a tunnel or a translator converts to an IPv4 packet. */
const forms: Readonly<Record<string, (ipv4: bigint) => bigint>> = {
  'IPv4-mapped': (ipv4) => (0xffffn << 32n) | ipv4,
  'IPv4-compatible': (ipv4) => ipv4,
  'IPv4-translated': (ipv4) => (0xffffn << 48n) | ipv4,
  NAT64: (ipv4) => (0x64_ff9bn << 96n) | ipv4,
  '6to4': (ipv4) => (0x2002n << 112n) | (ipv4 << 80n) | 1n,
  'Teredo, its server': (ipv4) => (0x2001_0000n << 96n) | (ipv4 << 64n) | 0xf7f7_f7f7n,
  'Teredo, its client': (ipv4) => (0x2001_0000n << 96n) | (0x0808_0808n << 64n) | (ipv4 ^ 0xffff_ffffn),
  ISATAP: (ipv4) => (0x2606_4700n << 96n) | (0x5efen << 32n) | ipv4,
}

describe('the special ranges', () => {
  it('are unique networks, each with a name and a source', () => {
    for (const { range, name, source } of special) {
      const { family, first } = toBounds(range)
      const hostBits = widths[family] - BigInt(range.split('/')[1] ?? '')
      expect(first & ((1n << hostBits) - 1n), range).toBe(0n)
      expect(name).not.toBe('')
      expect(source).toMatch(/^RFC \d+$|documentation$/)
    }
    expect(new Set(special.map(({ range }) => range)).size).toBe(special.length)
  })

  it.each([
    ...['10.0.0.0/8', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '100.64.0.0/10'],
    ...['0.0.0.0/32', '::/128', '::1/128', 'fc00::/7', 'fe80::/10'],
  ])('contain %s from the specification, also in IPv4-mapped form', (range) => {
    const { family, first, last } = toBounds(range)
    for (const value of [first, (first + last) / 2n, last]) {
      expect(isRefused(toAddress(family, value))).toBe(true)
      if (family === 4) expect(isRefused(toAddress(6, (0xffffn << 32n) | value))).toBe(true)
    }
  })

  it.each(bounds)(
    'block $range at its first and last address, but not the neighboring addresses',
    ({ family, first, last }) => {
      for (const value of [first, first + 1n, last - 1n, last, first - 1n, last + 1n]) {
        if (value < 0n || value >= 1n << widths[family]) continue
        const address = toAddress(family, value)
        expect(isRefused(address), address).toBe(inAny(family, value))
      }
    },
  )

  it('block exactly the addresses in these ranges', () => {
    const anyOf = (family: Family) =>
      fc.oneof(
        fc.bigInt(0n, (1n << widths[family]) - 1n),
        fc
          .constantFrom(...bounds.filter((bound) => bound.family === family))
          .chain(({ first, last }) => fc.bigInt(first, last)),
      )
    for (const family of [4, 6] as const) {
      fc.assert(
        fc.property(anyOf(family), (value) => {
          const address = toAddress(family, value)
          const isIsatap = family === 6 && ((value >> 32n) & 0xfdff_ffffn) === 0x5efen
          if (isIsatap || (value >> 32n === 0xffffn && family === 6)) return
          expect(isRefused(address), address).toBe(inAny(family, value))
        }),
        { numRuns: 500 },
      )
    }
  })

  it.each([
    ['10.1.2.3', 'the address is in the range 10.0.0.0/8 (Private-Use, RFC 1918)'],
    ['192.0.0.9', 'the address is in the range 192.0.0.9/32 (Port Control Protocol Anycast, RFC 7723)'],
    ['::ffff:127.0.0.1', 'the address is in the range 127.0.0.0/8 (Loopback, RFC 1122)'],
    ['fe80::1', 'the address is in the range fe80::/10 (Link-Local Unicast, RFC 4291)'],
    ['2606:4700::5efe:a00:1', 'the address embeds 10.0.0.1, which is in the range 10.0.0.0/8 (Private-Use, RFC 1918)'],
  ])('report which range blocks %s', (address, reason) => {
    expect(policy.checkAddress(address)).toMatchObject({ refused: 'PRIVATE_IP', reason, address })
  })

  it('do not block the addresses of well-known hosts', () => {
    for (const address of [
      '1.1.1.1',
      '8.8.8.8',
      '93.184.216.34',
      '140.82.121.4',
      '2606:4700::1111',
      '2a00:1450:4001::8',
    ]) {
      expect(isRefused(address), address).toBe(false)
    }
  })
})

describe.each(Object.entries(forms))('the form %s', (form, toForm) => {
  it.each([
    ['169.254.169.254', 'link-local'],
    ['169.254.0.0', 'the first link-local'],
    ['169.254.255.255', 'the last link-local'],
    ['168.63.129.16', 'platform services'],
  ])('of %s (%s) stays blocked with any allow list', (ipv4) => {
    const address = toAddress(6, toForm(toNumber(ipv4).value))
    expect(isRefused(address, ['0.0.0.0/0', '::/0']), address).toBe(true)
    expect(isRefused(address, ['::/0', ipv4, address]), address).toBe(true)
  })

  it('of a private address is allowed only if both are in the list', () => {
    const address = toAddress(6, toForm(toNumber('10.1.2.3').value))
    expect(isRefused(address)).toBe(true)
    if (form !== 'IPv4-mapped') expect(isRefused(address, ['::/0'])).toBe(true)
    expect(isRefused(address, ['::/0', '10.0.0.0/8'])).toBe(false)
  })

  it('of a public address is allowed if its range is in the list', () => {
    const address = toAddress(6, toForm(toNumber('8.8.4.4').value))
    expect(isRefused(address, ['::/0'])).toBe(false)
    expect(isRefused(address)).toBe(!['IPv4-mapped', 'ISATAP'].includes(form))
  })
})

describe('a permanently blocked range', () => {
  it.each(closedRanges)('%s stays blocked with any allow list', (range) => {
    const { family, first, last } = toBounds(range)
    for (const value of [first, (first + last) / 2n, last]) {
      const address = toAddress(family, value)
      expect(isRefused(address, ['0.0.0.0/0', '::/0', range, address]), address).toBe(true)
    }
  })
})

describe('an allow list', () => {
  it('can contain a range of IPv4-mapped addresses', () => {
    expect(isRefused('10.1.2.3', ['::ffff:10.0.0.0/104'])).toBe(false)
    expect(isRefused('::ffff:10.1.2.3', ['::ffff:a00:0/104'])).toBe(false)
    expect(isRefused('11.1.2.3', ['::ffff:10.0.0.0/104'])).toBe(false)
    expect(isRefused('192.168.0.1', ['::ffff:10.0.0.0/104'])).toBe(true)
  })
})
