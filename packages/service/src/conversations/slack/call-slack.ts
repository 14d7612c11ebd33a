import { type Outbound, OutboundError } from '@trestle/bridge-client'
import { isObject, type JsonObject, parseJson } from '@trestle/protocol'
import { readRetryAfter, toOutboundFault } from '../../channels/base/retry.ts'
import { shorten } from '../../channels/base/shorten.ts'
import { readText } from '../../json/json.ts'
import type { DeliveryFault } from '../delivery/delivery-outcome.ts'
import type { SlackIntegration } from './slack-integration.ts'

/** A method of Slack's Web API with its arguments. */
export interface SlackRequest {
  /** The method, such as `chat.postMessage`. */
  readonly method: string
  readonly body: JsonObject
}

/** The outcome of a Slack API call. */
export interface SlackResult {
  /** The response; absent if it failed. */
  readonly answer?: JsonObject
  readonly fault?: DeliveryFault
  /** Whether a retry may succeed. */
  readonly isTransient?: boolean
  /** The delay that Slack requests, in milliseconds. */
  readonly retryAfterMs?: number
}

/** Errors of calls that Slack has not processed. */
const unprocessed: readonly unknown[] = ['ratelimited', 'rate_limited', 'service_unavailable', 'request_timeout']
/** Errors after which a call may have been processed in part. */
const unclear: readonly unknown[] = ['internal_error', 'fatal_error']
/** A repeated post would appear twice; all other calls have the same effect if they are repeated. */
const isRepeatable = (method: string): boolean => method !== 'chat.postMessage'
/** Errors that mean that the action was already done count as success. */
const harmless: Readonly<Record<string, string>> = {
  'reactions.add': 'already_reacted',
  'chat.delete': 'message_not_found',
}
const longestRetryMs = 60 * 60_000

/**
 * Calls a method of Slack's Web API, once.
 *
 * @param outbound - Sends the request, under the network policy.
 * @param integration - The integration with the token.
 * @param call - The method and a signal.
 * @throws The reason of the signal, if it aborts.
 */
export async function callSlack(
  outbound: Outbound,
  { token, apiUrl, identifier }: SlackIntegration,
  { method, body, signal }: SlackRequest & { readonly signal: AbortSignal },
): Promise<SlackResult> {
  if (token === undefined)
    return fail('credentials_missing', `The integration "${identifier}" has no "token" in its credentials.`)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' }
  try {
    const reply = await outbound.send(
      { method: 'POST', url: `${apiUrl}/${method}`, headers, body: JSON.stringify(body) },
      signal,
    )
    return readReply(method, reply)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const isTransient = isRepeatable(method) ? !error.isRefused : toOutboundFault(error).waitMs !== undefined
    return { ...fail(error.code, error.message), isTransient }
  }
}

function readReply(method: string, { status, text, headers }: Awaited<ReturnType<Outbound['send']>>): SlackResult {
  const answer = parse(text)
  const code = readName(answer?.['error'])
  const isDelayed = status === 429 || (status === 503 && headers['retry-after'] !== undefined)
  const isUnclear = status >= 500 || unclear.includes(code)
  if (isDelayed || unprocessed.includes(code) || (isUnclear && isRepeatable(method))) {
    const retryAfterMs = Math.min(readRetryAfter(headers['retry-after'], Date.now()), longestRetryMs)
    return {
      ...fail(code ?? `http_${status}`, `Slack answered ${code ?? status} to ${method}.`),
      isTransient: true,
      retryAfterMs,
    }
  }
  if (status < 200 || status > 299 || answer === undefined)
    return fail(`http_${status}`, `Slack answered ${status} to ${method} without a result.`)
  if (answer['ok'] === true || (code !== undefined && harmless[method] === code)) return { answer }
  return fail(code ?? 'unknown_error', `Slack answered ${code ?? 'an unnamed error'} to ${method}.`)
}

/** Slack's errors have names; other texts might not be storable. */
function readName(error: unknown): string | undefined {
  const name = readText(error)
  return name !== undefined && /^[\w.-]{1,100}$/.test(name) ? name : undefined
}

function parse(text: string): JsonObject | undefined {
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}

const fail = (code: string, message: string): SlackResult & { readonly fault: DeliveryFault } => ({
  fault: { code: code.slice(0, 100), message: shorten(message, 1000) },
})
