import {
  CodedError,
  findMacs,
  isCodedError,
  type ParsedSignature,
  parseSignature,
  toBodyError,
  verifyTimestamp,
} from '@trestle/protocol'
import type { AdmittedCall } from './admit.ts'
import { BodyReadBefore, refusedForSize } from './body-bytes.ts'
import type { BridgeCall, ReceivedBody } from './bridge-call.ts'
import { claimNonces } from './claim-nonces.ts'
import type { Deadline } from './deadline.ts'
import { checkUnsignedPost } from './origin.ts'
import { type Trust, warnKeyless, warnReserialised, warnUnverified } from './trust.ts'

const emptyObject = new TextEncoder().encode('{}')

declare const proof: unique symbol

/** A verified call. Only this file can create one, so nothing unverified can be parsed. */
export interface VerifiedCall extends AdmittedCall {
  /** Marks a call as verified; it does not exist at run time. */
  readonly [proof]: true
  /** The bytes of the body; those of `{}` for a GET. */
  readonly body: Uint8Array
  /** False if the bridge accepts unsigned calls and nothing was verified. */
  readonly signed: boolean
}

/**
 * Verifies that a call was signed with one of the bridge's secrets, or that the bridge accepts unsigned calls. The
 * header is checked before the body is read.
 *
 * @param trust - Secrets, clock, limits and strictness for this call.
 * @param deadline - The time after which an incomplete body counts as unreadable.
 * @throws CodedError - In this order: `SignatureNotFoundError`, `SigningKeyNotFoundError`, `SignatureInvalidError`,
 * `SignatureExpiredError`, `PayloadTooLarge`, `SignatureMismatchError`. Then `SignatureExpiredError` for a replayed
 * signature, or `NonceStoreUnavailableError` if this cannot be checked. For unsigned calls `RequestBodyInvalidError`
 * and `PayloadTooLarge`.
 * @source bridge-protocol.md#signature, bridge-protocol.md#order-of-checks
 */
export async function verify(admitted: AdmittedCall, trust: Trust, deadline: Deadline): Promise<VerifiedCall> {
  const { settings, hmac } = trust.bridge
  const signature = trust.strict ? readSignature(admitted, trust) : undefined
  if (!signature) checkUnsigned(admitted, trust)
  // Inlined: a promise per stage would cost as much as the stages themselves.
  let body: ReceivedBody | null
  let unreadable = 'The body could not be read completely.'
  try {
    const reading = startReading(admitted, settings.maxBodyBytes)
    body = (reading instanceof Promise ? await deadline.within(reading) : reading) ?? null
  } catch (error) {
    if (isCodedError(error) && error.code === 'PayloadTooLarge') throw error
    const refused = refusedForSize(error)
    if (refused) throw refused
    if (error instanceof BodyReadBefore) unreadable = error.message
    body = null
  }
  if (body && !body.exact) warnReserialised(trust, admitted.call.rawBodyHint)
  if (!signature) return toUnsigned(admitted, body, unreadable)
  const checked = body ? findMacs(signature, body.bytes, { secrets: trust.secrets, hmac }) : []
  const macs = checked instanceof Promise ? await checked : checked
  if (!body || macs.length === 0) throw mismatch(admitted, body, unreadable)
  // A GET changes nothing, and its signature over {} is the same for all GETs in the same millisecond.
  if (settings.nonceStore && admitted.method === 'POST')
    await claimNonces(settings.nonceStore, { nonces: macs, timeoutMs: settings.timeoutMs })
  return toVerified(admitted, body, true)
}

/**
 * Returns the signature header as sent; `undefined` if it is missing.
 *
 * @param names - The accepted header names, in lowercase; the first that was sent is used.
 */
export function findSignature(call: BridgeCall, names: readonly string[]): string | undefined {
  for (const name of names) {
    const header = call.header(name)
    if (header !== null && header !== undefined) return header
  }
}

/** Checks the header before the body is read. */
function readSignature({ call }: AdmittedCall, trust: Trust): ParsedSignature {
  const { signatureHeaders } = trust.bridge.settings
  const header = findSignature(call, signatureHeaders)
  if (header === undefined) throw missingHeader(signatureHeaders)
  if (trust.secrets.length === 0) {
    warnKeyless(trust)
    throw missingKey()
  }
  const signature = parseSignature(header)
  verifyTimestamp(signature, trust.nowMs)
  return signature
}

function checkUnsigned({ method, call }: AdmittedCall, trust: Trust): void {
  warnUnverified(trust)
  if (method === 'POST') checkUnsignedPost(call, trust.bridge.settings.cors)
}

function toUnsigned(admitted: AdmittedCall, body: ReceivedBody | null, message: string): VerifiedCall {
  if (body) return toVerified(admitted, body, false)
  throw new CodedError('RequestBodyInvalidError', message, { data: [{ path: '', message }] })
}

/** Creates a verified call; the only place that does so. */
function toVerified({ method, query, call }: AdmittedCall, { bytes }: ReceivedBody, signed: boolean): VerifiedCall {
  return { method, query, call, body: bytes, signed } as VerifiedCall
}

function startReading({ method, call }: AdmittedCall, maxBytes: number): ReceivedBody | Promise<ReceivedBody> {
  if (method !== 'POST') return { bytes: emptyObject, exact: true }
  if (Number(call.header('content-length') ?? 0) > maxBytes) throw toBodyError('bytes', maxBytes)
  return call.readBody(maxBytes)
}

function missingHeader([name]: readonly string[]): CodedError {
  return new CodedError(
    'SignatureNotFoundError',
    `The header ${name} is missing. All actions except health-check need a signature.`,
  )
}

function missingKey(): CodedError {
  return new CodedError(
    'SigningKeyNotFoundError',
    'This bridge has no secret key. Set SERVICE_SECRET_KEY, or the option secretKey, to the secret key of the ' +
      'calling environment.',
  )
}

function mismatch(admitted: AdmittedCall, body: ReceivedBody | null, unreadable: string): CodedError {
  const base = 'The signature does not match the body and the secret key of this bridge.'
  if (!body) return new CodedError('SignatureMismatchError', `${base} ${unreadable}`)
  if (body.exact) return new CodedError('SignatureMismatchError', `${base} ${whyNot(admitted)}`)
  return new CodedError(
    'SignatureMismatchError',
    `${base} The raw body was not available, because it was parsed before it reached the bridge; it was re-serialized ` +
      `as JSON, which can differ from what was signed. ${admitted.call.rawBodyHint ?? 'Keep the raw body.'}`,
  )
}

function whyNot({ call }: AdmittedCall): string {
  const coding = call.header('content-encoding')?.trim() || 'identity'
  return coding.toLowerCase() === 'identity'
    ? 'Check that both sides use the same secret key, and that no proxy or middleware changes the body.'
    : `The body is compressed (content-encoding: ${coding.slice(0, 50)}), but calls are signed and read as plain JSON: ` +
        'send it uncompressed, and let no proxy compress it.'
}
