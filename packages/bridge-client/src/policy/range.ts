import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { toPlainAddress } from './ip-address.ts'

/** A set of address ranges. IPv4-mapped IPv6 addresses count as the embedded IPv4 address. */
export interface RangeSet {
  /** Returns whether an address is in one of the ranges; false for text that is not an address. */
  has(address: string): boolean
}

/**
 * Creates a set of ranges.
 *
 * @param ranges - `address/bits`, or a single address.
 * @throws TypeError - A string is neither an address nor a range.
 * @example
 *   createRangeSet(['10.0.0.0/8', '::1']).has('10.1.2.3') // true
 */
export function createRangeSet(ranges: readonly string[]): RangeSet {
  // One list per family: in Node's list an IPv6 range such as ::/0 would match every IPv4 address.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of ranges) {
    const { address, family, bits } = parseRange(range)
    const plain = toPlainAddress(address)
    // IPv4-mapped addresses are compared as IPv4, so an IPv4-mapped range must be too.
    if (family === 'ipv6' && isIPv4(plain) && bits >= 96) lists.ipv4.addSubnet(plain, bits - 96, 'ipv4')
    else lists[family].addSubnet(address, bits, family)
  }
  return {
    has(address) {
      const plain = toPlainAddress(address)
      if (isIPv4(plain)) return lists.ipv4.check(plain, 'ipv4')
      return isIPv6(plain) && lists.ipv6.check(plain, 'ipv6')
    },
  }
}

function parseRange(text: string): { address: string; family: 'ipv4' | 'ipv6'; bits: number } {
  const [address = '', bitsText, ...rest] = text.split('/')
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) && !address.includes('%') ? 'ipv6' : undefined
  const maxBits = family === 'ipv4' ? 32 : 128
  const bits = bitsText === undefined ? maxBits : /^[0-9]{1,3}$/.test(bitsText) ? Number(bitsText) : -1
  if (family === undefined || rest.length > 0 || bits < 0 || bits > maxBits) {
    throw new TypeError(`"${text}" is not an address range such as 10.0.0.0/8 or fd00::/8.`)
  }
  return { address, family, bits }
}
