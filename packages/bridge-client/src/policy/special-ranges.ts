/** A range of addresses that has a special purpose. */
export interface SpecialRange {
  readonly range: string
  /** Its name in the source document. */
  readonly name: string
  /** The document that reserves it. */
  readonly source: string
}

const row = (range: string, name: string, source: string): SpecialRange => Object.freeze({ range, name, source })

/**
 * The special-purpose ranges of IPv4: the complete IANA IPv4 Special-Purpose Address Registry, multicast, and addresses
 * of cloud platforms. Includes globally reachable registry entries, because these are relays and sinks, never app
 * hosts.
 *
 * @source service-api.md#outbound-address-policy, IANA "iana-ipv4-special-registry" and "multicast-addresses"
 */
export const specialRangesIPv4: readonly SpecialRange[] = Object.freeze([
  row('0.0.0.0/8', 'This network', 'RFC 791'),
  row('0.0.0.0/32', 'This host on this network', 'RFC 1122'),
  row('10.0.0.0/8', 'Private-Use', 'RFC 1918'),
  row('100.64.0.0/10', 'Shared Address Space', 'RFC 6598'),
  row('127.0.0.0/8', 'Loopback', 'RFC 1122'),
  row('168.63.129.16/32', 'Azure platform services', 'Azure Virtual Network documentation'),
  row('169.254.0.0/16', 'Link Local', 'RFC 3927'),
  row('172.16.0.0/12', 'Private-Use', 'RFC 1918'),
  row('192.0.0.0/24', 'IETF Protocol Assignments', 'RFC 6890'),
  row('192.0.0.0/29', 'IPv4 Service Continuity Prefix', 'RFC 7335'),
  row('192.0.0.8/32', 'IPv4 dummy address', 'RFC 7600'),
  row('192.0.0.9/32', 'Port Control Protocol Anycast', 'RFC 7723'),
  row('192.0.0.10/32', 'Traversal Using Relays around NAT Anycast', 'RFC 8155'),
  row('192.0.0.170/32', 'NAT64/DNS64 Discovery', 'RFC 8880'),
  row('192.0.0.171/32', 'NAT64/DNS64 Discovery', 'RFC 8880'),
  row('192.0.2.0/24', 'Documentation (TEST-NET-1)', 'RFC 5737'),
  row('192.31.196.0/24', 'AS112-v4', 'RFC 7535'),
  row('192.52.193.0/24', 'AMT', 'RFC 7450'),
  row('192.88.99.0/24', 'Deprecated (6to4 Relay Anycast)', 'RFC 7526'),
  row('192.88.99.2/32', '6a44-relay anycast address', 'RFC 6751'),
  row('192.168.0.0/16', 'Private-Use', 'RFC 1918'),
  row('192.175.48.0/24', 'Direct Delegation AS112 Service', 'RFC 7534'),
  row('198.18.0.0/15', 'Benchmarking', 'RFC 2544'),
  row('198.51.100.0/24', 'Documentation (TEST-NET-2)', 'RFC 5737'),
  row('203.0.113.0/24', 'Documentation (TEST-NET-3)', 'RFC 5737'),
  row('224.0.0.0/4', 'Multicast', 'RFC 5771'),
  row('240.0.0.0/4', 'Reserved', 'RFC 1112'),
  row('255.255.255.255/32', 'Limited Broadcast', 'RFC 8190'),
])

/**
 * The special-purpose ranges of IPv6: the complete IANA IPv6 Special-Purpose Address Registry, and all of the IANA IPv6
 * address space that is not global unicast. The row `::ffff:0:0/96` is omitted because an IPv4-mapped address is
 * checked as the embedded IPv4 address.
 *
 * @source service-api.md#outbound-address-policy, IANA "iana-ipv6-special-registry" and "ipv6-address-space"
 */
export const specialRangesIPv6: readonly SpecialRange[] = Object.freeze([
  row('::/128', 'Unspecified Address', 'RFC 4291'),
  row('::1/128', 'Loopback Address', 'RFC 4291'),
  row('::/96', 'Deprecated (IPv4-compatible)', 'RFC 4291'),
  row('::ffff:0:0:0/96', 'IPv4-translated', 'RFC 2765'),
  row('64:ff9b::/96', 'IPv4-IPv6 Translation (NAT64)', 'RFC 6052'),
  row('64:ff9b:1::/48', 'IPv4-IPv6 Translation (local NAT64)', 'RFC 8215'),
  row('100::/64', 'Discard-Only Address Block', 'RFC 6666'),
  row('100:0:0:1::/64', 'Dummy IPv6 Prefix', 'RFC 9780'),
  row('::/3', 'Reserved, not global unicast', 'RFC 4291'),
  row('2001::/23', 'IETF Protocol Assignments', 'RFC 2928'),
  row('2001::/32', 'TEREDO', 'RFC 4380'),
  row('2001:1::1/128', 'Port Control Protocol Anycast', 'RFC 7723'),
  row('2001:1::2/128', 'Traversal Using Relays around NAT Anycast', 'RFC 8155'),
  row('2001:1::3/128', 'DNS-SD Service Registration Protocol Anycast', 'RFC 9665'),
  row('2001:2::/48', 'Benchmarking', 'RFC 5180'),
  row('2001:3::/32', 'AMT', 'RFC 7450'),
  row('2001:4:112::/48', 'AS112-v6', 'RFC 7535'),
  row('2001:10::/28', 'Deprecated (ORCHID)', 'RFC 4843'),
  row('2001:20::/28', 'ORCHIDv2', 'RFC 7343'),
  row('2001:30::/28', 'Drone Remote ID Protocol Entity Tags', 'RFC 9374'),
  row('2001:db8::/32', 'Documentation', 'RFC 3849'),
  row('2002::/16', '6to4', 'RFC 3056'),
  row('2620:4f:8000::/48', 'Direct Delegation AS112 Service', 'RFC 7534'),
  row('3fff::/20', 'Documentation', 'RFC 9637'),
  row('4000::/2', 'Reserved, not global unicast', 'RFC 4291'),
  row('5f00::/16', 'Segment Routing (SRv6) SIDs', 'RFC 9602'),
  row('8000::/1', 'Reserved, not global unicast', 'RFC 4291'),
  row('fc00::/7', 'Unique-Local', 'RFC 4193'),
  row('fe80::/10', 'Link-Local Unicast', 'RFC 4291'),
  row('fec0::/10', 'Deprecated (Site-Local)', 'RFC 3879'),
  row('ff00::/8', 'Multicast', 'RFC 4291'),
])

/**
 * The ranges that cannot be allowed: link-local, a cloud's platform services, and the local NAT64 prefix, which can
 * embed an IPv4 address at any position.
 *
 * @source service-api.md#outbound-address-policy
 */
export const closedRanges: readonly string[] = Object.freeze([
  ...['168.63.129.16/32', '169.254.0.0/16', 'fe80::/10', '64:ff9b:1::/48'],
])
