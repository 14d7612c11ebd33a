import { isIP } from 'node:net'
import { parseUrl } from '@trestle/protocol'
import type { FailureCode } from '../failure/failure.ts'
import { findCarriedIPv4, toPlainAddress } from './ip-address.ts'
import { createRangeSet, type RangeSet } from './range.ts'
import { closedRanges, specialRangesIPv4, specialRangesIPv6 } from './special-ranges.ts'

/** Why the policy rejects something. */
export interface Refusal {
  /** The failure code; `UnsupportedProtocol` and the unknown failure also occur with the policy turned off. */
  readonly refused: FailureCode
  /** The reason, for the log. */
  readonly reason: string
  /** The blocked address, if any. */
  readonly address?: string
}

/** A URL whose host may be resolved. */
export interface AdmittedUrl {
  readonly url: URL
  /** The host without brackets and trailing dots: a name or an address. */
  readonly host: string
}

/** The outbound address policy of one client. Its methods return a verdict and never throw. */
export interface Policy {
  /** Whether the policy is off; an unknown name is then a connection failure. */
  readonly isOff: boolean
  /**
   * Checks the text of a URL, in this order: syntax, scheme, user info, host name. A literal address is checked like a
   * resolved one, see {@link Policy.checkAddress}.
   */
  checkUrl(text: string): AdmittedUrl | Refusal
  /** Checks an address before connecting; `undefined` if it is allowed. */
  checkAddress(address: string): Refusal | undefined
}

const closedNames = /^(?:(?:.*\.)?localhost|metadata\.google\.internal)$/
const schemes: readonly string[] = ['http:', 'https:']
const special = [...specialRangesIPv4, ...specialRangesIPv6].map((row) => ({
  ...row,
  bits: Number(row.range.split('/')[1]),
  set: createRangeSet([row.range]),
}))
const blocked = createRangeSet(special.map(({ range }) => range))
const closed = createRangeSet(closedRanges)

/**
 * @param allow - Ranges to allow although the policy blocks them: `10.0.0.0/8`, `fd00::/8` or a single address.
 *   Link-local ranges and blocked host names stay blocked. An IPv6 address that embeds an IPv4 address is only allowed
 *   if that one is too.
 * @throws TypeError - A range is invalid.
 * @source service-api.md#outbound-address-policy
 */
export function createPolicy(allow: readonly string[]): Policy {
  const opened = createRangeSet(allow)
  return {
    isOff: false,
    checkUrl,
    checkAddress(address) {
      // Any other value must not reach the connector, which would resolve it again.
      if (isIP(address) === 0) return notAnAddress(address)
      const plain = toPlainAddress(address)
      const refused = [plain, ...findCarriedIPv4(plain)].find((each) => !isOpen(each, opened))
      if (refused === undefined) return undefined
      const what = refused === plain ? 'the address' : `the address embeds ${refused}, which`
      return { refused: 'PRIVATE_IP', reason: `${what} is in the range ${toRangeText(refused)}`, address }
    },
  }
}

function isOpen(address: string, opened: RangeSet): boolean {
  return !closed.has(address) && (!blocked.has(address) || opened.has(address))
}

/** Returns the narrowest special range of an address, with its name. */
function toRangeText(address: string): string {
  const [row] = special.filter(({ set }) => set.has(address)).sort((left, right) => right.bits - left.bits)
  return row === undefined ? 'a blocked range' : `${row.range} (${row.name}, ${row.source})`
}

/** The policy that is used when checks are off: it only checks that the URL can be called at all. */
export const offPolicy: Policy = Object.freeze({
  isOff: true,
  checkUrl(text: string): AdmittedUrl | Refusal {
    const url = toUrl(text)
    if (url === undefined) return { refused: 'UnknownBridgeNonRequestError', reason: 'the URL cannot be parsed' }
    if (!schemes.includes(url.protocol))
      return { refused: 'UnsupportedProtocol', reason: `the scheme is ${url.protocol}` }
    return { url, host: toHost(url.hostname) }
  },
  checkAddress: (address: string): Refusal | undefined => (isIP(address) === 0 ? notAnAddress(address) : undefined),
})

/**
 * Parses the allow list from the environment variable.
 *
 * @param text - Ranges, separated by commas or white space; can be empty or absent.
 */
export function parseAllowList(text: string | undefined): readonly string[] {
  return (text ?? '').split(/[\s,]+/).filter((range) => range !== '')
}

/** Returns the host name of a URL in normalized form. */
export function toHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

function checkUrl(text: string): AdmittedUrl | Refusal {
  const url = toUrl(text)
  if (url === undefined) return { refused: 'INVALID_URL', reason: 'the URL cannot be parsed' }
  if (!schemes.includes(url.protocol)) return { refused: 'UNSUPPORTED_SCHEME', reason: `the scheme is ${url.protocol}` }
  if (url.username !== '' || url.password !== '') {
    return { refused: 'CREDENTIALS_IN_URL', reason: 'the URL contains a user name or password' }
  }
  const host = toHost(url.hostname)
  if (closedNames.test(host)) return { refused: 'BLOCKED_HOSTNAME', reason: `the host name ${host} is blocked` }
  if (url.port === '0' || host === '') return { refused: 'INVALID_URL', reason: 'the URL has no host or port 0' }
  return { url, host }
}

/** Rejects values that are not text: the URL constructor would convert a list with one URL to that URL. */
function toUrl(text: unknown): URL | undefined {
  return typeof text === 'string' ? parseUrl(text) : undefined
}

function notAnAddress(address: string): Refusal {
  return { refused: 'SSRF_BLOCKED', reason: 'the resolver did not return an address', address }
}
