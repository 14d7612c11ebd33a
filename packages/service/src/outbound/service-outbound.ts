import { createOutbound, type NetworkOptions, type Outbound, OutboundError } from '@trestle/bridge-client'
import { findClosedHeaders } from './closed-headers.ts'

/** The header by which a service recognizes its own requests, also when they come back through a proxy or a tunnel. */
export const loopHeader = 'service-loop'

/**
 * Creates the sender of the requests of steps, webhooks and providers. It refuses {@link findClosedHeaders}, and marks each
 * request so that the service refuses it as a caller.
 *
 * @param settings - The network policy.
 * @param mark - Identifies the service; all its processes have the same one.
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
          `The header ${closed} cannot be set: remove it from the request.`,
          {
            isRefused: false,
            cause: { reason: `the header ${closed} is closed` },
          },
        )
      return outbound.send({ ...request, headers: { ...headers, [loopHeader]: mark } }, signal)
    },
  }
}
