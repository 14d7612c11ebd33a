import type { FailureCause } from '../failure/error.ts'
import type { FailureCode } from '../failure/failure.ts'
import { deadline, type Fault, type Phase } from '../failure/fault.ts'

const timeouts: Readonly<Record<Phase, FailureCode>> = {
  lookup: 'EAI_AGAIN',
  prepare: 'RequestCacheError',
  connect: 'ETIMEDOUT',
  secure: 'BridgeRequestTimeout',
  upload: 'BridgeRequestTimeout',
  answer: 'BridgeRequestTimeout',
}

/** What Node reports, and the code of the specification with the same meaning. */
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

/** What a fault means where Node's code says nothing. */
const otherwise: Readonly<Record<Phase, FailureCode>> = {
  lookup: 'EAI_AGAIN',
  prepare: 'RequestCacheError',
  connect: 'UnknownBridgeNonRequestError',
  secure: 'UnknownBridgeNonRequestError',
  upload: 'RequestUploadError',
  answer: 'ResponseReadError',
}

/**
 * Gives the code of a fault, from how far the attempt had come and what Node reported. Messages are never looked at.
 *
 * @param fault - What went wrong below HTTP.
 * @source Specification, "Reachability errors" and "Response errors".
 */
export function classifyFault(fault: Fault): { readonly code: FailureCode; readonly cause: FailureCause } {
  const { fault: phase, error, address } = fault
  return {
    code: toCode(phase, error),
    cause: {
      reason: `the attempt failed at the stage "${phase}"${error === deadline ? ', its time was up' : ''}`,
      ...(address === undefined ? {} : { address }),
      ...(error === deadline ? {} : { error }),
    },
  }
}

function toCode(phase: Phase, error: unknown): FailureCode {
  if (error === deadline) return timeouts[phase]
  const code = codeOf(error)
  if (phase === 'lookup') return code === 'ENOTFOUND' ? 'ENOTFOUND' : 'EAI_AGAIN'
  if (phase === 'prepare') return 'RequestCacheError'
  if (phase === 'secure' && selfSignedCodes.includes(code)) return 'SelfSignedCertificate'
  return Object.hasOwn(connectionCodes, code) ? (connectionCodes[code] ?? otherwise[phase]) : otherwise[phase]
}

function codeOf(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code : ''
}
