import { type Outbound, OutboundError } from '@trestle/bridge-client'

/** A call to a webhook with a JSON body. */
export interface WebhookCall {
  readonly url: string
  /** Headers in addition to those of JSON, in lowercase. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The outcome of a call. */
export interface WebhookOutcome {
  /** Why the webhook has not accepted the call; absent if it has. */
  readonly reason?: string
  /** Whether a retry would be useless, because the network policy blocks the address. */
  readonly isFinal?: boolean
  /** The status of the response; absent if there is none. */
  readonly status?: number
  /** The body of the response. */
  readonly response?: string
  /** The header `retry-after` of the response. */
  readonly retryAfter?: string
}

/**
 * Calls a webhook once. Any status from 200 to 299 means that it accepted the call.
 *
 * @param outbound - Sends the call, under the network policy.
 * @param call - The call.
 * @param signal - Cancels it.
 */
export async function postWebhook(
  outbound: Pick<Outbound, 'send'>,
  { url, headers, body }: WebhookCall,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const all = { 'content-type': 'application/json', accept: 'application/json', ...headers }
  try {
    const reply = await outbound.send({ method: 'POST', url, headers: all, body }, signal)
    const { status, text: response } = reply
    const asked = reply.headers['retry-after']
    const answer = { status, response, ...(asked !== undefined && { retryAfter: asked }) }
    return status >= 200 && status <= 299 ? answer : { ...answer, reason: `The webhook answered ${status}.` }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { reason: error.message, isFinal: error.isRefused }
  }
}
