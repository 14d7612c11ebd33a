import { createHash } from 'node:crypto'
import { type Outbound, OutboundError } from '@trestle/bridge-client'
import { parseJson } from '@trestle/protocol'
import { readText, toObject } from '../../json/json.ts'
import type { AppleAuth, GoogleAuth, RequestAuth } from '../base/request-auth.ts'
import { SendError } from '../base/send-error.ts'
import { type SignedRequest, signForAws } from './aws-signature.ts'
import { signToken } from './json-web-token.ts'

/** The headers that authenticate a request. */
export interface Proof {
  readonly headers: Readonly<Record<string, string>>
  /** The token in the headers, which must not appear in any error or log. */
  readonly token?: string
  /** Whether the token comes from the cache; if it is rejected, a new one may be accepted. */
  readonly isKept: boolean
}

/** Authenticates requests to providers, and caches their tokens until they expire. */
export interface Authorizer {
  /**
   * Returns the headers that authenticate a request.
   *
   * @throws {SendError} No token is granted, or the key is invalid. No part of the message was sent.
   */
  prove(auth: RequestAuth, request: SignedRequest): Promise<Proof>
  /** Removes a sender's token from the cache, because it is no longer accepted. */
  drop(auth: RequestAuth): void
}

/** A token and its validity. */
interface Grant {
  readonly text: string
  readonly lifeMs: number
}

interface KeptToken {
  readonly grant: Promise<Grant>
  /** When it is replaced with a new token, in milliseconds since 1970. */
  readonly endMs: number
}

/** The maximum number of cached tokens, because many integrations can share a process; the oldest are dropped. */
const maxTokens = 1000
/** How long before its expiry a token is replaced, so that no request uses an expired one. */
const marginMs = 60_000
/**
 * How long an Apple token is used: Apple accepts it for an hour, and rejects new tokens created less than 20 minutes
 * after the last.
 */
const appleTokenMs = 41 * 60_000
const googleGrantSeconds = 3600

/**
 * Creates an authorizer. Concurrent requests with the same credentials share a token.
 *
 * @param outbound - Requests tokens, under the network policy.
 */
export function createAuthorizer(outbound: Pick<Outbound, 'send'>): Authorizer {
  const tokens = new Map<string, KeptToken>()

  function keep(key: string, token: KeptToken): void {
    tokens.delete(key)
    tokens.set(key, token)
    const [oldest] = tokens.keys()
    if (tokens.size > maxTokens && oldest !== undefined) tokens.delete(oldest)
  }

  async function readToken(auth: GoogleAuth | AppleAuth, nowMs: number): Promise<[text: string, isKept: boolean]> {
    const key = toKey(auth)
    const cachedToken = tokens.get(key)
    if (cachedToken && cachedToken.endMs > nowMs) return [(await cachedToken.grant).text, true]
    const grant = requestToken(outbound, auth, nowMs)
    // Concurrent requests share it until its lifetime is known.
    const pending = { grant, endMs: nowMs + marginMs }
    keep(key, pending)
    try {
      const { text, lifeMs } = await grant
      if (tokens.get(key) === pending) keep(key, { grant, endMs: nowMs + lifeMs - marginMs })
      return [text, false]
    } catch (error) {
      if (tokens.get(key) === pending) tokens.delete(key)
      throw error
    }
  }

  return {
    async prove(auth, request) {
      if (auth.kind === 'aws') return { headers: signForAws(auth, request), isKept: false }
      const [token, isKept] = await readToken(auth, request.nowMs)
      return { headers: { authorization: `${auth.kind === 'apple' ? 'bearer' : 'Bearer'} ${token}` }, token, isKept }
    },
    drop: (auth) => tokens.delete(toKey(auth)),
  }
}

/** Returns the cache key of credentials; different credentials never share a token. */
const toKey = (auth: RequestAuth): string => createHash('sha256').update(JSON.stringify(auth)).digest('base64')

async function requestToken(
  outbound: Pick<Outbound, 'send'>,
  auth: GoogleAuth | AppleAuth,
  nowMs: number,
): Promise<Grant> {
  if (auth.kind === 'google') return requestGoogleToken(outbound, auth, nowMs)
  const claims = { iss: auth.teamId, iat: Math.floor(nowMs / 1000) }
  const text = withKey(() => signToken({ alg: 'ES256', kid: auth.keyId }, claims, auth.privateKey))
  return { text, lifeMs: appleTokenMs }
}

function withKey(sign: () => string): string {
  try {
    return sign()
  } catch {
    throw new SendError(
      'key_invalid',
      'The private key in the credentials of the integration cannot be used to sign.',
      {
        blame: 'integration',
      },
    )
  }
}

async function requestGoogleToken(
  outbound: Pick<Outbound, 'send'>,
  { clientEmail, privateKey, tokenUrl, scope }: GoogleAuth,
  nowMs: number,
): Promise<Grant> {
  const iat = Math.floor(nowMs / 1000)
  const claims = { iss: clientEmail, scope, aud: tokenUrl, iat, exp: iat + googleGrantSeconds }
  const assertion = withKey(() => signToken({ alg: 'RS256', typ: 'JWT' }, claims, privateKey))
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
  const reply = await outbound
    .send({
      method: 'POST',
      url: tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
    })
    .catch(toGrantError)
  const { access_token: token, expires_in: seconds, error, error_description: why } = toObject(parseJson(reply.text))
  const text = readText(token)
  if (reply.status >= 200 && reply.status <= 299 && text !== undefined && /^[\x21-\x7e]+$/.test(text)) {
    const life = typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, googleGrantSeconds) : 0
    return { text, lifeMs: life * 1000 }
  }
  // The message was not sent yet, so any server failure can be retried.
  const isPassing = reply.status === 429 || reply.status >= 500
  const reason = [error, why].flatMap((part) => readText(part) ?? []).join(': ')
  throw new SendError(
    'token_refused',
    `No access token was granted: the token URL answered ${reply.status}${reason && `: ${reason}`}`,
    isPassing ? { blame: 'integration', waitMs: 0 } : { blame: 'integration' },
  )
}

function toGrantError(error: unknown): never {
  if (!(error instanceof OutboundError)) throw error
  const message = `No access token was granted: ${error.message}`
  throw new SendError(
    'token_refused',
    message,
    error.isRefused ? { blame: 'integration' } : { blame: 'integration', waitMs: 0 },
  )
}
