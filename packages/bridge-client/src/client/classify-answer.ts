import { errorStatuses } from '@trestle/protocol'
import { BridgeClientError, createFailure, type FailureCause } from '../failure/error.ts'
import type { FailureCode } from '../failure/failure.ts'
import { deadline, isFault } from '../failure/fault.ts'
import type { BridgeCall } from '../transport/bridge-call.ts'
import type { WireAnswer } from '../transport/exchange.ts'

/** What the classification of an answer needs to know of the call. */
export interface AnswerContext {
  /** What was asked. */
  readonly action: BridgeCall['action']
  /** The bridge's address as it may be shown. */
  readonly shownUrl: string
  /** Whether the host that answered is a development tunnel's. */
  readonly isTunnel: boolean
}

const statusCodes: Readonly<Record<number, FailureCode>> = {
  401: 'BridgeAuthenticationFailed',
  404: 'BridgeEndpointUnavailable',
  405: 'BridgeMethodNotConfigured',
  413: 'PayloadTooLarge',
  502: 'BridgeEndpointNotFound',
}

const tunnelStatuses: readonly number[] = [404, 502]

/** Codes of bridges in use that are in no table of ours. */
const furtherBridgeCodes: readonly string[] = [
  'ExecutionEventControlInvalidError',
  'ExecutionEventPayloadInvalidError',
  'MissingDependencyError',
  'SignatureVersionInvalidError',
]

/** What an answer must hold: a page that happens to be JSON must not pass for a step without content. */
const shapes: Readonly<Record<BridgeCall['action'], (body: Record<string, unknown>) => boolean>> = {
  'health-check': () => true,
  discover: (body) => Array.isArray(body['workflows']),
  execute: (body) => isObject(body['outputs']),
  preview: (body) => isObject(body['outputs']),
  'agent-event': () => true,
}

/**
 * Gives the body of a success, or the error an answer stands for. A bridge's own error comes first, then the tunnel,
 * then the status.
 *
 * @param answer - A final answer, no redirect.
 * @param context - What is known of the call.
 * @source Specification, "Response errors" and "Errors raised by the bridge application".
 */
export function classifyAnswer(
  answer: WireAnswer,
  context: AnswerContext,
): Record<string, unknown> | BridgeClientError {
  const { status, body, address } = answer
  const { shownUrl, isTunnel, action } = context
  const cause = { reason: `the bridge answered ${status}`, address, httpStatus: status }
  const fail = (code: FailureCode, more: Partial<FailureCause> = {}): BridgeClientError =>
    createFailure(code, shownUrl, { ...cause, ...more })
  const json = isFault(body) ? undefined : parseJson(body)
  if (status >= 200 && status < 300) {
    if (isFault(body)) {
      return fail(body.error === deadline ? 'BridgeRequestTimeout' : 'ResponseReadError', { error: body.error })
    }
    if (!isObject(json)) return fail('ResponseParseError')
    return shapes[action](json) ? json : fail('ResponseParseError', { reason: `the answer is not that of ${action}` })
  }
  if (isBridgeError(json, status)) {
    return new BridgeClientError(json.code, json.message, { status, data: json.data, cause })
  }
  // A status without its body has still been answered; the body is only needed to know a bridge's own error.
  if (isTunnel && tunnelStatuses.includes(status)) return fail('TunnelNotFound')
  return fail(statusCodes[status] ?? 'UnknownBridgeRequestError')
}

interface BridgeErrorBody {
  readonly code: string
  readonly message: string
  readonly data?: unknown
}

/** An unknown code counts when the body has all of a bridge's fields, but never for a 401, which middleware answers. */
function isBridgeError(json: unknown, status: number): json is BridgeErrorBody {
  if (!isObject(json)) return false
  const { code, message } = json
  if (typeof code !== 'string' || typeof message !== 'string') return false
  if (Object.hasOwn(errorStatuses, code) || furtherBridgeCodes.includes(code)) return true
  return status !== 401 && Object.hasOwn(json, 'data') && /^[A-Z][A-Za-z]*Error$/.test(code)
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
