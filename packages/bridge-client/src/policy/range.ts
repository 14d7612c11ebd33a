import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** A set of address ranges. IPv4-mapped IPv6 addresses count as the IPv4 address they carry. */
export interface RangeSet {
  /** Tells whether an address lies in one of the ranges; false for text that is not an address. */
  has(address: string): boolean
}

/**
 * The ranges that are refused unless an allow list opens them.
 *
 * @source Specification, "Outbound address policy codes"; the further ones are not global either: "this network", IETF
 * assignments, documentation, benchmarks, multicast, reserved, and IPv6 forms that carry an IPv4 address.
 */
export const blockedRanges: readonly string[] = Object.freeze([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
  ...['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/32', '2001:db8::/32'],
  ...['2002::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
])

/**
 * The ranges that no allow list opens: link-local, also where an IPv6 form carries it. A local NAT64 prefix can carry
 * it at any place, so that range stays closed as a whole.
 *
 * @source Specification, "Outbound address policy codes".
 */
export const closedRanges: readonly string[] = Object.freeze([
  ...['169.254.0.0/16', 'fe80::/10'],
  ...['::a9fe:0/112', '::ffff:0:a9fe:0/112', '64:ff9b::a9fe:0/112', '64:ff9b:1::/48', '2002:a9fe::/32'],
])

/**
 * Makes a set of ranges.
 *
 * @param ranges - `address/bits`, or a single address.
 * @throws TypeError - A text is neither.
 */
export function createRangeSet(ranges: readonly string[]): RangeSet {
  // One list per family: Node's list would let an IPv6 range such as ::/0 match every IPv4 address.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of ranges) {
    const { address, family, bits } = parseRange(range)
    lists[family].addSubnet(address, bits, family)
  }
  return {
    has(address) {
      const plain = toPlainAddress(address)
      if (isIPv4(plain)) return lists.ipv4.check(plain, 'ipv4')
      return isIPv6(plain) && lists.ipv6.check(plain, 'ipv6')
    },
  }
}

/**
 * Writes an address in one way: lower case, without zone id, and an IPv4-mapped one as IPv4.
 *
 * @param address - An IP address in any of its spellings; other text is returned as it is.
 */
export function toPlainAddress(address: string): string {
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return bare
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical)
  if (mapped === null) return canonical
  const bits = Number.parseInt(mapped[1] ?? '', 16) * 0x1_0000 + Number.parseInt(mapped[2] ?? '', 16)
  return [24, 16, 8, 0].map((shift) => Math.floor(bits / 2 ** shift) % 256).join('.')
}

function parseRange(text: string): { address: string; family: 'ipv4' | 'ipv6'; bits: number } {
  const [address = '', bitsText, ...rest] = text.split('/')
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) && !address.includes('%') ? 'ipv6' : undefined
  const maxBits = family === 'ipv4' ? 32 : 128
  const bits = bitsText === undefined ? maxBits : /^[0-9]{1,3}$/.test(bitsText) ? Number(bitsText) : -1
  if (family === undefined || rest.length > 0 || bits < 0 || bits > maxBits) {
    throw new TypeError(`"${text}" is not a range of addresses such as 10.0.0.0/8 or fd00::/8.`)
  }
  return { address, family, bits }
}
