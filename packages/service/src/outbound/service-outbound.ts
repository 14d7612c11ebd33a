import { createOutbound, type NetworkOptions, type Outbound, OutboundError } from '@trestle/bridge-client'
import { findClosedHeaders } from './closed-headers.ts'

/** The header by which a service recognizes its own requests, even after a proxy or tunnel. */
export const loopHeader = 'service-loop'

/**
 * Creates the sender of requests for steps, webhooks and providers. It rejects {@link findClosedHeaders}, and marks
 * each request so that the service rejects it as a caller.
 *
 * @param mark - Identifies the service; all its processes share it.
 */
export function createServiceOutbound(settings: NetworkOptions, mark: string): Outbound {
  const outbound = createOutbound(settings)
  return {
    resolveHost: outbound.resolveHost,
    async send(request, signal) {
      const { headers = {} } = request
      const [closed] = findClosedHeaders(Object.keys(headers))
      if (closed !== undefined)
        throw new OutboundError(
          'RequestCacheError',
          `The header ${closed} cannot be set. Remove it from the request.`,
          {
            isRefused: false,
            cause: { reason: `the header ${closed} cannot be set` },
          },
        )
      return outbound.send({ ...request, headers: { ...headers, [loopHeader]: mark } }, signal)
    },
  }
}
