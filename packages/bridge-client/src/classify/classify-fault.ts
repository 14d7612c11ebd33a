import type { FailureCause } from '../failure/error.ts'
import type { FailureCode } from '../failure/failure.ts'
import { codeOf, deadline, type Fault, type Phase } from '../failure/fault.ts'

const timeouts: Readonly<Record<Phase, FailureCode>> = {
  lookup: 'EAI_AGAIN',
  prepare: 'RequestCacheError',
  connect: 'ETIMEDOUT',
  secure: 'BridgeRequestTimeout',
  upload: 'BridgeRequestTimeout',
  answer: 'BridgeRequestTimeout',
  headers: 'BridgeRequestTimeout',
}

/** Maps codes of Node to the codes of the specification with the same meaning. */
const connectionCodes: Readonly<Record<string, FailureCode>> = {
  ECONNREFUSED: 'ECONNREFUSED',
  ECONNRESET: 'ECONNRESET',
  ECONNABORTED: 'ECONNRESET',
  EADDRINUSE: 'EADDRINUSE',
  EADDRNOTAVAIL: 'EADDRINUSE',
  EMFILE: 'EADDRINUSE',
  ENFILE: 'EADDRINUSE',
  EPIPE: 'EPIPE',
  ETIMEDOUT: 'ETIMEDOUT',
  EHOSTUNREACH: 'EHOSTUNREACH',
  EHOSTDOWN: 'EHOSTUNREACH',
  ENETUNREACH: 'ENETUNREACH',
  ENETDOWN: 'ENETUNREACH',
}

const selfSignedCodes: readonly string[] = ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN']

/** The code of each phase, used if Node reports no known code. */
const otherwise: Readonly<Record<Phase, FailureCode>> = {
  lookup: 'EAI_AGAIN',
  prepare: 'RequestCacheError',
  connect: 'UnknownBridgeNonRequestError',
  secure: 'UnknownBridgeNonRequestError',
  upload: 'RequestUploadError',
  answer: 'ResponseReadError',
  headers: 'ResponseReadError',
}

/**
 * Returns the code for a fault, based on its phase and Node's error code, never on a message.
 *
 * @source service-api.md#reachability-errors, service-api.md#response-errors
 */
export function classifyFault(fault: Fault): { readonly code: FailureCode; readonly cause: FailureCause } {
  const { fault: phase, error, address } = fault
  const detail = error === deadline ? 'timeout' : codeOf(error)
  return {
    code: toCode(phase, error),
    cause: {
      reason: `the attempt failed during the phase "${phase}"${detail === '' ? '' : ` (${detail})`}`,
      ...(address === undefined ? {} : { address }),
      ...(error === deadline ? {} : { error: error }),
    },
  }
}

function toCode(phase: Phase, error: unknown): FailureCode {
  if (error === deadline) return timeouts[phase]
  const code = codeOf(error)
  if (phase === 'lookup') return code === 'ENOTFOUND' ? 'ENOTFOUND' : 'EAI_AGAIN'
  if (phase === 'prepare') return 'RequestCacheError'
  // The peer had started to respond, so the call may have run.
  if (phase === 'headers') return 'ResponseReadError'
  if (phase === 'secure' && selfSignedCodes.includes(code)) return 'SelfSignedCertificate'
  return Object.hasOwn(connectionCodes, code) ? (connectionCodes[code] ?? otherwise[phase]) : otherwise[phase]
}
