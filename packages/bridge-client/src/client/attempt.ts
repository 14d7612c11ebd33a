import { classifyAnswer } from '../classify/classify-answer.ts'
import { classifyFault } from '../classify/classify-fault.ts'
import { BridgeClientError, createFailure } from '../failure/error.ts'
import { isFault } from '../failure/fault.ts'
import { toDisplayUrl } from '../policy/display-url.ts'
import type { Refusal } from '../policy/policy.ts'
import { type BridgeCall, toRequest } from '../transport/bridge-call.ts'
import { redirectStatuses } from '../transport/exchange.ts'
import { type HopAnswer, type HopOptions, makeHop } from '../transport/hop.ts'
import { type Hop, maxRedirects, toNextHop } from '../transport/redirect.ts'

/** Configures {@link attempt}. */
export interface AttemptOptions extends HopOptions {
  /** The bridge's address, as stored. */
  readonly bridgeUrl: string
  /** Returns whether a host belongs to a development tunnel. */
  readonly isTunnel: (host: string) => boolean
}

/**
 * Calls a bridge once: policy, DNS lookup, connection and request, repeated for each redirect. Then classifies the
 * response.
 *
 * @param options - The options of the client, and the attempt's signal.
 * @throws BridgeClientError - The attempt failed.
 */
export async function attempt(call: BridgeCall, options: AttemptOptions): Promise<Record<string, unknown>> {
  const { bridgeUrl, policy, isTunnel } = options
  const shownUrl = toDisplayUrl(bridgeUrl)
  const admitted = policy.checkUrl(bridgeUrl)
  let hop: Hop | Refusal =
    'refused' in admitted ? admitted : { admitted, toRequest: () => toRequest(call, admitted.url) }
  for (let redirects = 0; ; redirects++) {
    if ('refused' in hop) throw refuse(hop, shownUrl)
    const { request, answer } = await take(hop, options, shownUrl)
    const { status, location } = answer
    if (location === undefined || !redirectStatuses.includes(status)) {
      const { host } = hop.admitted
      const result = classifyAnswer(answer, { action: call.action, shownUrl, host, isTunnel: isTunnel(host) })
      if (result instanceof BridgeClientError) throw result
      return result
    }
    if (redirects === maxRedirects) {
      const reason = `more than ${maxRedirects} redirects`
      throw createFailure('MaximumRedirectsExceeded', shownUrl, { reason })
    }
    hop = toNextHop(request, { status, location }, policy)
  }
}

async function take(hop: Hop, options: HopOptions, shownUrl: string): Promise<HopAnswer> {
  const result = await makeHop(hop, options)
  if ('refused' in result) throw refuse(result, shownUrl)
  if (!isFault(result)) return result
  const { code, cause } = classifyFault(result)
  throw createFailure(code, shownUrl, cause)
}

function refuse({ refused, ...cause }: Refusal, shownUrl: string): BridgeClientError {
  return createFailure(refused, shownUrl, cause)
}
