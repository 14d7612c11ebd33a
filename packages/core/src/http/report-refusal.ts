import { type CodedError, parseSignature } from '@trestle/protocol'
import type { CallInfo, SignatureCode } from '../bridge/hooks.ts'
import type { Registry } from '../bridge/registry.ts'
import type { BridgeCall } from '../call/bridge-call.ts'
import { findSignature } from '../call/verify.ts'

const codes: Readonly<Record<SignatureCode, true>> = {
  SignatureNotFoundError: true,
  SigningKeyNotFoundError: true,
  SignatureInvalidError: true,
  SignatureExpiredError: true,
  SignatureMismatchError: true,
}

/** A call that was rejected before it was verified. */
export interface RefusedCall {
  readonly call: BridgeCall
  readonly info: CallInfo
  readonly error: CodedError
  /** When the call arrived, in milliseconds since 1970. */
  readonly receivedAtMs: number
}

/** Calls the hook `onInvalidSignature` if a call was rejected because of its signature. */
export function reportRefusal(registry: Registry, { call, info, error, receivedAtMs }: RefusedCall): void {
  const onInvalidSignature = registry.settings.hooks?.onInvalidSignature
  const { code, message } = error
  if (!onInvalidSignature || !isSignatureCode(code)) return
  const { action, workflowId, stepId, agentId } = info
  const method = call.method === 'POST' ? 'POST' : 'GET'
  registry.notices.guard('onInvalidSignature', () => {
    const signedAtMs = readTime(findSignature(call, registry.settings.signatureHeaders))
    return onInvalidSignature(
      { action, workflowId, stepId, agentId, method, code, message, signedAtMs, receivedAtMs },
      info,
    )
  })
}

function isSignatureCode(code: string): code is SignatureCode {
  return Object.hasOwn(codes, code)
}

/** Returns the time of a signature header; more than 15 digits are invalid. */
function readTime(header: string | undefined): number | undefined {
  try {
    const { timestamp } = parseSignature(header ?? '')
    return timestamp.length > 15 ? undefined : Number(timestamp)
  } catch {
    return undefined
  }
}
