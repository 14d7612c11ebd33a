import { isIPv6 } from 'node:net'

/**
 * Normalizes an address: lowercase, without zone id, and an IPv4-mapped address as IPv4.
 *
 * @param address - An IP address in any notation; other text is returned unchanged.
 * @example
 *   toPlainAddress('::ffff:10.1.2.3') // '10.1.2.3'
 */
export function toPlainAddress(address: string): string {
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return bare
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const groups = toGroups(canonical)
  return hasPrefix(groups, [0, 0, 0, 0, 0, 0xffff]) ? toIPv4(groups, 6) : canonical
}

/**
 * Returns the IPv4 addresses that an IPv6 address embeds, because a tunnel or a translator would send to them:
 * IPv4-compatible, IPv4-translated, NAT64, 6to4, Teredo (server and client) and ISATAP.
 *
 * @param address - As {@link toPlainAddress} returns it.
 */
export function findCarriedIPv4(address: string): readonly string[] {
  if (!isIPv6(address)) return []
  const groups = toGroups(address)
  const addresses: string[] = []
  // Neither `::` nor `::1` is an IPv4-compatible address, nor is any other address in 0.0.0.0/16.
  if (carriers.some((prefix) => hasPrefix(groups, prefix)) && groups[6] !== 0) addresses.push(toIPv4(groups, 6))
  if (groups[0] === 0x2002) addresses.push(toIPv4(groups, 1))
  if (hasPrefix(groups, [0x2001, 0])) {
    addresses.push(toIPv4(groups, 2))
    // Teredo stores the client address with inverted bits.
    addresses.push(
      toIPv4(
        groups.map((group) => group ^ 0xffff),
        6,
      ),
    )
  }
  // The ISATAP interface id; the bit 0x200 marks a globally unique IPv4 address.
  if ([0, 0x200].includes(groups[4] ?? -1) && groups[5] === 0x5efe) addresses.push(toIPv4(groups, 6))
  return addresses
}

/** 96-bit prefixes that are followed by an IPv4 address. */
const carriers: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0],
  [0, 0, 0, 0, 0xffff, 0],
  [0x64, 0xff9b, 0, 0, 0, 0],
]

function hasPrefix(groups: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((group, index) => groups[index] === group)
}

function toIPv4(groups: readonly number[], index: number): string {
  const [high = 0, low = 0] = groups.slice(index, index + 2)
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

/** Returns the eight groups of a canonical IPv6 address. */
function toGroups(address: string): readonly number[] {
  const [head = '', tail] = address.split('::')
  const parse = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const left = parse(head)
  const right = parse(tail ?? '')
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right]
}
