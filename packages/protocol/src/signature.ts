import { CodedError } from './error.ts'
import { createHmac, type Hmac } from './hmac.ts'

/** The signature header, unless the service is configured to use a different name. */
export const signatureHeader = 'service-signature'

/** The maximum difference between signature time and bridge clock, in milliseconds, inclusive. */
export const signatureWindowMs = 300_000

const maxTimestampDigits = 15
const maxCandidates = 8
const macPattern = /^[0-9a-f]{64}$/i
/** Matches the header in the format that services usually send, which does not need parsing. */
const usualHeader = /^t=([0-9]+),v1=([0-9a-f]{64})$/
// Marked as pure, so that bundlers drop them from pages that do not check signatures.
const defaultHmac = /* @__PURE__ */ createHmac()
const encoder = /* @__PURE__ */ new TextEncoder()

/** A parsed signature header. */
export interface ParsedSignature {
  /** The time as sent: decimal digits, in milliseconds since 1970. It is part of the HMAC in this form. */
  readonly timestamp: string
  /** The values of `v1`, at most eight; any of them may match. */
  readonly candidates: readonly string[]
}

/** Clock and HMAC for signing and verifying. */
export interface SignatureOptions {
  /** The clock, in milliseconds since 1970. @default Date.now() */
  readonly nowMs?: number
  /** The HMAC. @default the runtime's own */
  readonly hmac?: Hmac
}

/**
 * Signs a body in the same way as the service, and returns the header value `t=<ms>,v1=<64 hex digits>`.
 *
 * @param secret - The environment's secret key; not empty.
 * @param body - The exact body to send; `{}` for a GET.
 * @param options - Clock and HMAC.
 * @source bridge-protocol.md#signature
 * @example
 * const body = JSON.stringify(event)
 * const headers = { 'content-type': 'application/json', 'service-signature': await sign(secretKey, body) }
 * await fetch(`${bridgeUrl}?action=execute&workflowId=order&stepId=mail`, { method: 'POST', headers, body })
 */
export async function sign(secret: string, body: string | Uint8Array, options: SignatureOptions = {}): Promise<string> {
  const { nowMs = Date.now(), hmac = defaultHmac } = options
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  return `t=${nowMs},v1=${toHex(await hmac.digest(secret, `${nowMs}.`, bytes))}`
}

/**
 * Parses a signature header. Parts are separated by commas, trimmed, and split at their first `=`. Only `t` and `v1`
 * are used, in any order.
 *
 * @param header - The header's value, which can be empty.
 * @throws SignatureInvalidError - `t` is missing, empty, repeated or not decimal digits, or there is no `v1` with a
 * value.
 * @source bridge-protocol.md#signature
 * @example
 * parseSignature('t=1700000000000,v1=ab12') // { timestamp: '1700000000000', candidates: ['ab12'] }
 */
export function parseSignature(header: string): ParsedSignature {
  const [, usualTime, mac] = usualHeader.exec(header) ?? []
  if (usualTime !== undefined && mac !== undefined) return { timestamp: usualTime, candidates: [mac] }
  const candidates: string[] = []
  let timestamp: string | undefined
  for (const part of header.split(',')) {
    const at = part.indexOf('=')
    if (at < 0) continue
    const name = part.slice(0, at).trim()
    const value = part.slice(at + 1).trim()
    if (name === 't') {
      if (timestamp !== undefined) throw invalid('has t twice')
      timestamp = value
    } else if (name === 'v1' && value !== '') candidates.push(value)
  }
  if (timestamp === undefined) throw invalid('has no t')
  if (!/^[0-9]+$/.test(timestamp)) throw invalid('has a t that is not decimal digits')
  if (candidates.length === 0) throw invalid('has no v1')
  return { timestamp, candidates: candidates.slice(0, maxCandidates) }
}

/**
 * Checks the signature time against the clock.
 *
 * @param signature - The parsed header.
 * @param nowMs - The bridge's clock, milliseconds since 1970.
 * @throws SignatureExpiredError - The time differs by more than five minutes, or has more than 15 digits.
 * @source bridge-protocol.md#signature
 * @example
 * verifyTimestamp(parseSignature(header), Date.now())
 */
export function verifyTimestamp(signature: ParsedSignature, nowMs: number): void {
  const { timestamp } = signature
  const awayMs = timestamp.length > maxTimestampDigits ? Number.POSITIVE_INFINITY : Math.abs(nowMs - Number(timestamp))
  if (awayMs <= signatureWindowMs) return
  throw new CodedError(
    'SignatureExpiredError',
    'The signature timestamp differs from the clock of this bridge by more than five minutes. ' +
      'Sign each attempt again, with t in milliseconds, and check both clocks.',
  )
}

/**
 * Finds a `v1` that matches the body with one of the secrets, in constant time.
 *
 * @param signature - The parsed header.
 * @param body - The bytes as received; those of `{}` for a GET.
 * @param options - The secrets (none of them empty) and the HMAC.
 * @returns The matching `v1` in lowercase (the last one if several match) or `null`; a promise only if the HMAC is
 *   asynchronous.
 * @source bridge-protocol.md#signature
 * @example
 * const match = await checkMac(parseSignature(header), bytes, { secrets: [secretKey], hmac: createHmac() })
 */
export function checkMac(
  signature: ParsedSignature,
  body: Uint8Array,
  options: MacOptions,
): string | null | Promise<string | null> {
  const matches = findMacs(signature, body, options)
  return matches instanceof Promise ? matches.then((macs) => macs.at(-1) ?? null) : (matches.at(-1) ?? null)
}

/** Secrets and HMAC for the comparison. */
export interface MacOptions {
  /** The secret keys; none may be empty. */
  readonly secrets: readonly string[]
  /** The HMAC. @default that of the runtime */
  readonly hmac?: Hmac
}

/**
 * Finds every `v1` that matches the body. To reject replays, all of them must be recorded, because each is a valid
 * signature.
 *
 * @param signature - The parsed header.
 * @param body - The bytes as received; those of `{}` for a GET.
 * @param options - The secrets and the HMAC.
 * @returns The unique matching `v1`s in lowercase; a promise only if the HMAC is asynchronous.
 * @source bridge-protocol.md#signature
 * @example
 * const macs = await findMacs(parseSignature(header), bytes, { secrets: [newKey, oldKey] })
 */
export function findMacs(
  signature: ParsedSignature,
  body: Uint8Array,
  { secrets, hmac = defaultHmac }: MacOptions,
): readonly string[] | Promise<readonly string[]> {
  const macs = secrets.map((secret) => hmac.digest(secret, `${signature.timestamp}.`, body))
  if (!hmac.synchronous) return Promise.all(macs).then((digests) => findMatches(signature, digests, hmac))
  return findMatches(signature, macs as Uint8Array[], hmac)
}

function findMatches(signature: ParsedSignature, macs: readonly Uint8Array[], hmac: Hmac): readonly string[] {
  const matches: string[] = []
  for (const candidate of signature.candidates) {
    // A valid MAC prefix followed by junk must not decode to a value that compares equal.
    if (!macPattern.test(candidate)) continue
    const bytes = fromHex(candidate)
    for (const mac of macs) if (hmac.equal(bytes, mac)) matches.push(candidate.toLowerCase())
  }
  return matches.length < 2 ? matches : [...new Set(matches)]
}

function invalid(why: string): CodedError {
  return new CodedError(
    'SignatureInvalidError',
    `The signature header ${why}. It must have the form t=<milliseconds>,v1=<64 hex digits>.`,
  )
}

/**
 * Returns bytes as lowercase hex digits.
 *
 * @example
 * toHex(new Uint8Array([1, 255])) // '01ff'
 */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}

function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2)
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = (toNibble(text.charCodeAt(index * 2)) << 4) | toNibble(text.charCodeAt(index * 2 + 1))
  return bytes
}

/**
 * Returns the value of a hex digit. Letters of either case have bit 6 set, and their value is nine more than their low
 * bits.
 */
function toNibble(code: number): number {
  return (code & 15) + (code >> 6) * 9
}
