import { CodedError } from '@trestle/protocol'
import type { AllowedOrigins } from '../bridge/bridge-options.ts'
import type { BridgeCall } from './bridge-call.ts'

const loopbackOrigin = /^https?:\/\/(localhost|[a-z0-9-]+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d+)?$/i

/** Returns whether the option `cors` allows an origin. */
function isAllowedOrigin(origin: string, allowed: AllowedOrigins | undefined): boolean {
  return allowed === '*' || (allowed?.includes(origin) ?? false)
}

/**
 * Prevents web pages from calling a bridge that accepts unsigned calls, for example on a developer's machine.
 *
 * @throws CodedError - `RequestBodyInvalidError`: the body is not sent as JSON, or the page belongs to a different
 * site.
 * @source bridge-protocol.md#signature
 */
export function checkUnsignedPost(call: BridgeCall, allowed: AllowedOrigins | undefined): void {
  const type = (call.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw refused('must be sent with content-type: application/json')
  const origin = call.header('origin')
  if (origin && isAllowedOrigin(origin, allowed)) return
  const foreign = origin !== null && origin !== undefined && !loopbackOrigin.test(origin)
  if (foreign || call.header('sec-fetch-site') === 'cross-site')
    throw refused('must not come from a web page of another site; the option cors allows an origin')
}

function refused(why: string): CodedError {
  const message = `A call without a signature ${why}.`
  return new CodedError('RequestBodyInvalidError', message, { data: [{ path: '', message }] })
}

/**
 * Returns the CORS headers; none unless the option `cors` allows the caller's origin.
 *
 * @param signatureHeaders - The accepted names of the signature header.
 */
export function toCorsHeaders(
  call: BridgeCall,
  allowed: AllowedOrigins | undefined,
  signatureHeaders: readonly string[],
): Readonly<Record<string, string>> {
  const origin = allowed === undefined ? undefined : call.header('origin')
  if (!origin || !isAllowedOrigin(origin, allowed)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': ['content-type', ...signatureHeaders].join(', '),
    'access-control-max-age': '600',
    vary: 'Origin',
    ...(call.header('access-control-request-private-network') === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  }
}
