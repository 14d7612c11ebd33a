import { CodedError, checkMac, isCodedError, parseSignature, verifyTimestamp } from '@trestle/protocol'
import type { AdmittedCall } from './admit.ts'
import { tooLarge } from './body-bytes.ts'
import type { ReceivedBody } from './bridge-call.ts'
import { claimNonce } from './claim-nonce.ts'
import type { Deadline } from './deadline.ts'
import { checkUnsignedPost } from './origin.ts'
import type { Trust } from './trust.ts'

const emptyObject = new TextEncoder().encode('{}')

declare const proof: unique symbol

/** A call that may be acted on. Only this file can make one, so nothing can be parsed that was not verified. */
export interface VerifiedCall extends AdmittedCall {
  /** The proof; there is nothing in it at run time. */
  readonly [proof]: true
  /** The body's bytes; those of `{}` for a GET. */
  readonly body: Uint8Array
  /** False when the bridge takes unsigned calls, so that nothing was proved. */
  readonly signed: boolean
}

/**
 * Proves that a call was signed with one of the bridge's secrets, or that the bridge takes unsigned calls.
 * The header is judged before a byte of the body is read.
 *
 * @param admitted - The call.
 * @param trust - Secrets, clock, limits and strictness for this call.
 * @param deadline - When an unfinished body counts as unreadable.
 * @throws CodedError - In this order: `SignatureNotFoundError`, `SigningKeyNotFoundError`, `SignatureInvalidError`,
 *   `SignatureExpiredError`, `PayloadTooLarge`, `SignatureMismatchError`, and `SignatureExpiredError` for a signature
 *   that was used before, `NonceStoreUnavailableError` where that cannot be told. For unsigned calls
 *   `RequestBodyInvalidError` and `PayloadTooLarge`.
 * @source Specification, "Bridge request signature", 5; protocol, "Order of checks", 4 to 6.
 */
export async function verify(admitted: AdmittedCall, trust: Trust, deadline: Deadline): Promise<VerifiedCall> {
  if (!trust.strict) return toUnsigned(admitted, trust, deadline)
  const header = findSignature(admitted, trust)
  if (header === undefined) throw missingHeader(trust.signatureHeaders)
  if (trust.secrets.length === 0) {
    trust.warnKeyless()
    throw missingKey()
  }
  const signature = parseSignature(header)
  verifyTimestamp(signature, trust.nowMs)
  const body = await receive(admitted, trust, deadline)
  const checked = body && checkMac(signature, body.bytes, trust)
  const match = checked instanceof Promise ? await checked : checked
  if (!body || !match) throw mismatch(admitted, body)
  // A GET changes nothing, and its signature, made over {}, is the same for every GET of one millisecond.
  if (trust.nonceStore && admitted.method === 'POST') await claimNonce(trust.nonceStore, match)
  return toVerified(admitted, body, true)
}

/**
 * Returns the signature's header as it was sent; `undefined` when it was not.
 *
 * @param admitted - The call.
 * @param trust - The names the header may have.
 */
export function findSignature(
  { call }: Pick<AdmittedCall, 'call'>,
  trust: Pick<Trust, 'signatureHeaders'>,
): string | undefined {
  for (const name of trust.signatureHeaders) {
    const header = call.header(name)
    if (header !== null && header !== undefined) return header
  }
  return undefined
}

async function toUnsigned(admitted: AdmittedCall, trust: Trust, deadline: Deadline): Promise<VerifiedCall> {
  trust.warnUnverified()
  if (admitted.method === 'POST') checkUnsignedPost(admitted.call, trust.cors)
  const body = await receive(admitted, trust, deadline)
  if (body) return toVerified(admitted, body, false)
  const message = 'The body could not be read to its end.'
  throw new CodedError('RequestBodyInvalidError', message, { data: [{ path: '', message }] })
}

/** The only place that makes a verified call. */
function toVerified({ method, query, call }: AdmittedCall, { bytes }: ReceivedBody, signed: boolean): VerifiedCall {
  return { method, query, call, body: bytes, signed } as VerifiedCall
}

/** Reads the body; `null` when it cannot be read, or not in time. */
async function receive(admitted: AdmittedCall, trust: Trust, deadline: Deadline): Promise<ReceivedBody | null> {
  if (admitted.method !== 'POST') return { bytes: emptyObject, exact: true }
  const { call } = admitted
  const length = Number(call.header('content-length') ?? 0)
  if (length > trust.maxBodyBytes) throw tooLarge(trust.maxBodyBytes)
  try {
    const reading = call.readBody(trust.maxBodyBytes)
    const body = reading instanceof Promise ? await deadline.within(reading) : reading
    if (body && !body.exact) trust.warnReserialised(call.rawBodyHint)
    return body ?? null
  } catch (error) {
    if (isCodedError(error) && error.code === 'PayloadTooLarge') throw error
    return null
  }
}

function missingHeader([name]: readonly string[]): CodedError {
  return new CodedError(
    'SignatureNotFoundError',
    `The header ${name} is missing. Every call but health-check is signed.`,
  )
}

function missingKey(): CodedError {
  return new CodedError(
    'SigningKeyNotFoundError',
    'This bridge has no secret key. Set SERVICE_SECRET_KEY, or the option secretKey, to the secret key of the ' +
      'environment that calls it.',
  )
}

function mismatch(admitted: AdmittedCall, body: ReceivedBody | null): CodedError {
  const base = 'The signature does not match the body under the secret key of this bridge.'
  if (!body) return new CodedError('SignatureMismatchError', `${base} The body could not be read to its end.`)
  if (body.exact)
    return new CodedError(
      'SignatureMismatchError',
      `${base} Check that the secret key is the one of the environment that calls, and that nothing in between changes the body.`,
    )
  return new CodedError(
    'SignatureMismatchError',
    `${base} The raw body was not available, because it was parsed before it reached the bridge; it was re-serialized ` +
      `as JSON, which can differ from what was signed. ${admitted.call.rawBodyHint ?? 'Keep the raw body.'}`,
  )
}
