import { CodedError } from './error.ts'
import { createHmac, type Hmac } from './hmac.ts'

/** The header that carries the signature, unless a deployment of the service names another. */
export const signatureHeader = 'service-signature'

/** How far the signature's time may lie from the bridge's clock, each way, in milliseconds; the limit itself is valid. */
export const signatureWindowMs = 300_000

const maxTimestampDigits = 15
const maxCandidates = 8
const macPattern = /^[0-9a-f]{64}$/i
/** A header as services write it, which needs no taking apart. */
const usualHeader = /^t=([0-9]+),v1=([0-9a-f]{64})$/
const defaultHmac = createHmac()
const encoder = new TextEncoder()

/** A signature header, taken apart. */
export interface ParsedSignature {
  /** The time as it was sent: decimal digits, milliseconds since 1970. It enters the HMAC in this form. */
  readonly timestamp: string
  /** The values of `v1`, at most eight; any of them may match. */
  readonly candidates: readonly string[]
}

/** Where signing and verifying take their parts from. */
export interface SignatureOptions {
  /** The clock, in milliseconds since 1970. @default Date.now() */
  readonly nowMs?: number
  /** The HMAC. @default the runtime's own */
  readonly hmac?: Hmac
}

/**
 * Signs a body as the service does and gives the header's value, `t=<ms>,v1=<64 hex digits>`.
 *
 * @param secret - The environment's secret key; not empty.
 * @param body - Exactly what will be sent; `{}` for a GET.
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
 * Takes a signature header apart. Parts are separated by commas, trimmed, and split at their first `=`; only `t` and
 * `v1` are looked at, in any order.
 *
 * @param header - The header's value, present but possibly empty.
 * @throws SignatureInvalidError - `t` is missing, empty, not decimal digits or there twice, or no `v1` has a value.
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
 * Holds the signature's time against the clock.
 *
 * @param signature - The header, taken apart.
 * @param nowMs - The bridge's clock, milliseconds since 1970.
 * @throws SignatureExpiredError - The time is more than five minutes away, either way, or has more than 15 digits.
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
 * Looks for a `v1` that the body was signed with, under one of the secrets. Compares in constant time.
 *
 * @param signature - The header, taken apart.
 * @param body - The bytes as received; those of `{}` for a GET.
 * @param options - The secrets (none of them empty) and the HMAC.
 * @returns The matching `v1` in lowercase, the last of several, or `null`; a promise only where the HMAC is asynchronous.
 * @source bridge-protocol.md#signature
 * @example
 * const match = await checkMac(parseSignature(header), bytes, { secrets: [secretKey], hmac: createHmac() })
 */
export function checkMac(
  signature: ParsedSignature,
  body: Uint8Array,
  options: MacOptions,
): string | null | Promise<string | null> {
  const found = findMacs(signature, body, options)
  return found instanceof Promise ? found.then((macs) => macs.at(-1) ?? null) : (found.at(-1) ?? null)
}

/** What a `v1` is held against. */
export interface MacOptions {
  /** None of them empty. */
  readonly secrets: readonly string[]
  /** The HMAC. @default that of the runtime */
  readonly hmac?: Hmac
}

/**
 * Looks for every `v1` that the body was signed with. Whoever takes a signature once must take all of them: each alone
 * would be one, too.
 *
 * @param signature - The header, taken apart.
 * @param body - The bytes as received; those of `{}` for a GET.
 * @param options - The secrets and the HMAC.
 * @returns The matching `v1`s in lowercase, each once; a promise only where the HMAC is asynchronous.
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
  if (!hmac.synchronous) return Promise.all(macs).then((found) => findMatches(signature, found, hmac))
  return findMatches(signature, macs as Uint8Array[], hmac)
}

function findMatches(signature: ParsedSignature, macs: readonly Uint8Array[], hmac: Hmac): readonly string[] {
  const matches: string[] = []
  for (const candidate of signature.candidates) {
    // A prefix of a MAC followed by junk must not be decoded to something that compares equal.
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

function toHex(bytes: Uint8Array): string {
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

/** The value of a hex digit: letters of either case have bit 6 set and lie nine behind their low bits. */
function toNibble(code: number): number {
  return (code & 15) + (code >> 6) * 9
}
