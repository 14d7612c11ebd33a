import { errorStatuses, isObject } from '@trestle/protocol'
import { BridgeClientError, createFailure, type FailureCause } from '../failure/error.ts'
import { type FailureCode, failures } from '../failure/failure.ts'
import { deadline, isFault } from '../failure/fault.ts'
import type { BridgeCall } from '../transport/bridge-call.ts'
import type { WireAnswer } from '../transport/exchange.ts'
import { parseAnswer } from './answer-json.ts'
import { isNextReply } from './next-reply.ts'

/** Describes the call that a response belongs to. */
export interface AnswerContext {
  /** The action of the call. */
  readonly action: BridgeCall['action']
  /** The bridge's address, safe to show. */
  readonly shownUrl: string
  readonly host: string
  /** Whether the host belongs to a development tunnel. */
  readonly isTunnel: boolean
}

const statusCodes: Readonly<Record<number, FailureCode>> = {
  401: 'BridgeAuthenticationFailed',
  404: 'BridgeEndpointUnavailable',
  405: 'BridgeMethodNotConfigured',
  413: 'PayloadTooLarge',
  502: 'BridgeEndpointNotFound',
}

const tunnelStatuses: readonly number[] = [404, 502, 530]

/** Codes that existing bridges return and our tables do not list. */
const furtherBridgeCodes: readonly string[] = [
  'ExecutionEventControlInvalidError',
  'ExecutionEventPayloadInvalidError',
  'MissingDependencyError',
  'SignatureVersionInvalidError',
]

/** Checks that a reply has its required fields: other JSON must not pass for a step without content. */
const shapes: Readonly<Record<BridgeCall['action'], (body: Record<string, unknown>) => boolean>> = {
  'health-check': isOfNoOther,
  discover: (body) => Array.isArray(body['workflows']),
  execute: (body) => isObject(body['outputs']),
  next: isNextReply,
  preview: (body) => isObject(body['outputs']),
  'agent-event': isOfNoOther,
}

/** The reply to a health check or an event may have any fields, except those of a different action. */
function isOfNoOther(body: Record<string, unknown>): boolean {
  return !Array.isArray(body['workflows']) && !isObject(body['outputs'])
}

/**
 * Returns the body of a success, or the error of a response. A bridge error takes precedence, then the tunnel, then the
 * status.
 *
 * @param answer - A final response, not a redirect.
 * @source service-api.md#response-errors, service-api.md#errors-of-the-bridge
 */
export function classifyAnswer(
  answer: WireAnswer,
  context: AnswerContext,
): Record<string, unknown> | BridgeClientError {
  const { status, body, address, headers } = answer
  const { shownUrl, action } = context
  const cause = { reason: `the bridge answered ${status}`, address, httpStatus: status }
  const fail = (code: FailureCode, more: Partial<FailureCause> = {}): BridgeClientError =>
    createFailure(code, shownUrl, { ...cause, ...more })
  if (status >= 200 && status < 300) {
    if (isFault(body)) {
      const isLate = body.error === deadline
      return isLate ? fail('BridgeRequestTimeout') : fail('ResponseReadError', { error: body.error })
    }
    const json = parseAnswer(body)
    if ('reason' in json) return fail('ResponseParseError', { reason: `${cause.reason}, ${json.reason}` })
    if (isObject(json.value) && shapes[action](json.value)) return json.value
    return fail('ResponseParseError', { reason: `${cause.reason}; the body is not a valid reply to ${action}` })
  }
  if (isFault(body)) {
    const code = toStatusCode(answer, context)
    // Without a body the status still counts, but a call whose step may have run and failed is not retried.
    const mayHaveRun = failures[code].retried && /json/i.test(headers['content-type'] ?? 'json')
    return fail(mayHaveRun ? 'ResponseReadError' : code, { error: body.error })
  }
  const json = parseAnswer(body)
  if ('value' in json && isBridgeError(json.value, status)) {
    const { code, message, data } = json.value
    return new BridgeClientError(code, message, { status, data, cause })
  }
  return fail('value' in json && isTunnelError(json.value, status) ? 'TunnelNotFound' : toStatusCode(answer, context))
}

/** Returns whether a response comes from a development tunnel without a connected client. */
function isTunnelError(json: unknown, status: number): boolean {
  return status >= 400 && isObject(json) && json['code'] === 'TUNNEL_ERROR'
}

/** The host names of tunnels without an account. Cloudflare answers 530 if no client is connected. */
const quickTunnel = /(?:^|\.)trycloudflare\.com$/

function toStatusCode({ status, headers }: WireAnswer, { host, isTunnel }: AnswerContext): FailureCode {
  if (isTunnel && tunnelStatuses.includes(status)) return 'TunnelNotFound'
  // ngrok itself returns 404 only if nothing is connected.
  if (status === 404 && headers['ngrok-error-code'] !== undefined) return 'TunnelNotFound'
  if (status === 530 && quickTunnel.test(host)) return 'TunnelNotFound'
  return statusCodes[status] ?? 'UnknownBridgeRequestError'
}

interface BridgeErrorBody {
  readonly code: string
  readonly message: string
  readonly data?: unknown
}

/**
 * Returns whether a body is a bridge error with a matching status. Unknown codes count if all fields of a bridge error
 * are present. Exceptions: 401, which middleware may send, and this client's own codes, which callers rely on.
 */
function isBridgeError(json: unknown, status: number): json is BridgeErrorBody {
  if (status < 400 || status > 599 || !isObject(json)) return false
  const { code, message } = json
  if (typeof code !== 'string' || typeof message !== 'string') return false
  if (Object.hasOwn(errorStatuses, code) || furtherBridgeCodes.includes(code)) return true
  if (Object.hasOwn(failures, code)) return false
  return status !== 401 && Object.hasOwn(json, 'data') && /^[A-Z][A-Za-z]{0,99}Error$/.test(code)
}
