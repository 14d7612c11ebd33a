import { parseUrl } from '@trestle/protocol'
import type { AdmittedUrl, Policy, Refusal } from '../policy/policy.ts'
import type { UnsignedRequest } from './bridge-call.ts'

/** How many redirects are followed. */
export const maxRedirects = 3

/** One request of an attempt: the first, or a redirected one. */
export interface Hop {
  /** The target, as allowed by the policy. */
  readonly admitted: AdmittedUrl
  /** Returns the request; called only after the target was checked. */
  readonly toRequest: () => UnsignedRequest
}

const methodPreserving: readonly number[] = [307, 308]

/**
 * Returns the next hop of a redirect. 301, 302 and 303 become a GET without a body, signed again only if the call has
 * never left the bridge's host and port. 307 and 308 keep the request, so a redirect to a different host is rejected.
 *
 * @param answer - The redirect's status and `location`.
 * @source service-api.md#outbound-address-policy
 */
export function toNextHop(
  previous: UnsignedRequest,
  answer: { readonly status: number; readonly location: string },
  policy: Policy,
): Hop | Refusal {
  const { location, status } = answer
  const target = parseUrl(location, previous.url.href)
  if (target === undefined) {
    return { refused: 'INVALID_URL', reason: 'the redirect target is not a URL' }
  }
  const admitted = policy.checkUrl(target.href)
  if ('refused' in admitted) return { ...admitted, reason: `after a redirect ${admitted.reason}` }
  const { url } = admitted
  const isSame = isSameHost(previous.url, url)
  if (!methodPreserving.includes(status)) {
    const isSigned = previous.isSigned && isSame
    const trace = isSame ? previous.trace : undefined
    return { admitted, toRequest: () => ({ method: 'GET', url, body: undefined, isSigned, ...(trace && { trace }) }) }
  }
  if (isSame) return { admitted, toRequest: () => ({ ...previous, url }) }
  const reason = `a ${status} redirects to the other host ${url.host}`
  return { refused: 'CROSS_ORIGIN_METHOD_PRESERVING_REDIRECT', reason }
}

/**
 * Returns whether two URLs have the same host and port. A change from http to https without ports counts as the same
 * host; one from https to http does not, because encrypted data would be sent in plain text.
 */
function isSameHost(from: URL, to: URL): boolean {
  return from.host === to.host && !(from.protocol === 'https:' && to.protocol === 'http:')
}
