import { BlockList, isIP } from 'node:net'
import type { HttpCall } from '../api/http-call.ts'
import { SettingsError } from '../config/settings-error.ts'

/** Returns the address of a caller, also if the call came through proxies. */
export type CallerAddress = (http: Pick<HttpCall, 'header' | 'remoteAddress'>) => string

const loopback: readonly string[] = ['127.0.0.0/8', '::1']

/**
 * Creates the look-up of callers' addresses. Each proxy adds the address of its caller at the end of `X-Forwarded-For`,
 * so only what trusted proxies have added counts.
 *
 * @param ranges - The addresses of trusted proxies. @default loopback addresses
 * @throws {SettingsError} A range cannot be read.
 */
export function createCallerAddress(ranges: readonly string[] = loopback): CallerAddress {
  const trusted = new BlockList()
  for (const range of ranges) addRange(trusted, range)
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
  return ({ header, remoteAddress }) => {
    let address = toPlain(remoteAddress)
    const added = (header('x-forwarded-for') ?? '').split(',').slice(-20).reverse()
    for (const before of added.map((text) => toPlain(text.trim()))) {
      if (!isTrusted(address) || isIP(before) === 0) break
      address = before
    }
    return address
  }
}

/** A socket of both families shows IPv4 addresses within IPv6. */
const toPlain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

function addRange(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/', 2)
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  try {
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  } catch {
    throw new SettingsError(`trustedProxies: ${JSON.stringify(range)} must be a range such as 10.0.0.0/8`)
  }
}
