import type { FailureCode } from '@trestle/bridge-client'
import type { BridgeOutcome } from '../../bridge/bridge-call.ts'

const unreachedCodes: readonly FailureCode[] = [
  'BridgeEndpointUnavailable',
  'TunnelNotFound',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ECONNREFUSED',
  'EADDRINUSE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]

/** Failures of attempts that did not reach the app: it was not found, or nothing listened there. */
const unreached: ReadonlySet<string> = new Set(unreachedCodes)

/** Returns whether an attempt of a failed call may have run a step, which may have caused the failure. */
export function mayHaveRun({ failure, record }: Pick<BridgeOutcome, 'failure' | 'record'>): boolean {
  const codes = [failure?.code ?? '', ...record.attempts.map(({ code }) => code)]
  return codes.some((code) => !unreached.has(code))
}
