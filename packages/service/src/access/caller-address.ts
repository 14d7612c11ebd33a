import { isIP } from 'node:net'
import { createRangeSet, toPlainAddress } from '@trestle/bridge-client'
import type { HttpCall } from '../api/http-call.ts'

/** Returns the address of a caller, even if the call came through proxies. */
export type CallerAddress = (http: Pick<HttpCall, 'header' | 'remoteAddress'>) => string

const loopback: readonly string[] = ['127.0.0.0/8', '::1']

/**
 * Creates the lookup of caller addresses. Each proxy appends its caller's address to `X-Forwarded-For`, so only entries
 * added by trusted proxies are used.
 *
 * @param ranges - The addresses of trusted proxies. @default loopback addresses
 * @throws {TypeError} A range is invalid.
 */
export function createCallerAddress(ranges: readonly string[] = loopback): CallerAddress {
  const trusted = createRangeSet(ranges)
  return ({ header, remoteAddress }) => {
    let address = toPlainAddress(remoteAddress)
    const added = (header('x-forwarded-for') ?? '').split(',').slice(-20).reverse()
    for (const before of added.map((text) => toPlainAddress(text.trim()))) {
      if (!trusted.has(address) || isIP(before) === 0) break
      address = before
    }
    return address
  }
}
