import { createHash } from 'node:crypto'
import { type Outbound, OutboundError, type OutboundReply } from '@trestle/bridge-client'
import { findPath, type JsonObject, type JsonValue, parseJson, sign, signatureHeader } from '@trestle/protocol'
import { maskSecrets } from '../../bridge/mask-secrets.ts'
import { mergeObjects, toObject } from '../../json/json.ts'
import { findClosedHeaders } from '../../outbound/closed-headers.ts'
import type { ProviderApi, Refusal } from '../apis/provider-api.ts'
import type { Authorizer, Proof } from '../auth/authorizer.ts'
import type { OutgoingRequest } from '../base/delivery.ts'
import { readRetryAfter, toOutboundFault } from '../base/retry.ts'
import { SendError, type SendErrorRest } from '../base/send-error.ts'
import { checkAnswer, readId } from './check-answer.ts'

/** Dependencies for sending requests. */
export interface RequestOptions {
  /** Sends them under the network policy. */
  readonly outbound: Pick<Outbound, 'send'>
  /** Authenticates requests to providers that require signatures or short-lived tokens. */
  readonly authorizer: Authorizer
  /** Row id of the message: the receiver's idempotency key. */
  readonly messageId: string
  /** Returns the meaning of a rejection. @default based on its status */
  readonly explain?: ProviderApi['explain']
  /** The time of the signature, in milliseconds since 1970. */
  readonly nowMs: number
  readonly signal: AbortSignal
}

/** The response of a webhook. */
export interface RequestReceipt {
  /** The provider's message id, if its response contains one. */
  readonly providerMessageId: string | undefined
  readonly status: number
  /** The start of the response. */
  readonly response: string
}

/** Longer than what is shown, because only complete secrets can be recognized. */
const keptLength = 65_536

/**
 * Sends a message to a webhook. Any response other than 2xx is a failure, unless it refuses a repetition; redirects are
 * not followed.
 *
 * @param options - Policy, identity of the message and signal.
 * @throws {SendError} The address is blocked, the server does not respond, or the response is an error.
 */
export async function sendRequest(request: OutgoingRequest, options: RequestOptions): Promise<RequestReceipt> {
  const { receiver = 'webhook', url, method, idPath, expects, http2, auth, refusal } = request
  const { outbound, nowMs, signal } = options
  if (refusal) throw new SendError(refusal.code, refusal.message, { blame: refusal.blame })
  const closed = findClosedHeaders(Object.keys(request.headers))
  if (closed.length > 0) throw new SendError('header_refused', `These headers cannot be set: ${closed.join(', ')}.`)
  const text = toText(request, options.messageId)
  const headers = await toHeaders(request, text, options)
  const proof = auth && (await options.authorizer.prove(auth, { method, url, headers, text, nowMs }))
  const reply = await outbound
    .send({ url, method, headers: { ...headers, ...proof?.headers }, body: text, ...(http2 && { http2 }) }, signal)
    .catch(toSendError)
  const excerpt = reply.text.slice(0, keptLength)
  const response = proof?.token === undefined ? excerpt : String(maskSecrets(excerpt, [proof.token]))
  if (reply.status < 200 || reply.status > 299) {
    const { meaning, waitMs, code = `http_${reply.status}` } = toRefusal(reply, options)
    // The answer to a repetition does not contain the message id.
    if (meaning === 'accepted') return { providerMessageId: undefined, status: reply.status, response }
    if (meaning === 'token' && auth) options.authorizer.drop(auth)
    const why = `The ${receiver} answered ${reply.status}${response && `: ${response}`}`
    throw new SendError(code, why, toRest({ meaning, waitMs }, proof))
  }
  if (expects) checkAnswer(reply, expects, nowMs)
  return { providerMessageId: findId(reply, idPath), status: reply.status, response }
}

function toText(request: OutgoingRequest, messageId: string): string {
  const body = withKey(request, messageId)
  return request.encoding === 'form' ? toForm(body) : JSON.stringify(body)
}

async function toHeaders(
  { headers, encoding, signingKey, keyHeaders = [] }: OutgoingRequest,
  text: string,
  { messageId, nowMs }: RequestOptions,
): Promise<Readonly<Record<string, string>>> {
  return {
    'content-type': encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
    accept: 'application/json',
    'idempotency-key': messageId,
    ...Object.fromEntries(keyHeaders.map((name) => [name, toUuid(messageId)])),
    ...headers,
    ...(signingKey ? { [signatureHeader]: await sign(signingKey, text, { nowMs }) } : {}),
  }
}

type WaitingRefusal = Refusal & { readonly waitMs: number }

function toRefusal({ status, headers, text }: OutboundReply, { explain, nowMs }: RequestOptions): WaitingRefusal {
  const asked = headers['retry-after']
  const waitMs = readRetryAfter(asked, nowMs)
  const own = explain?.({ status, headers, text, body: toObject(parseJson(text)) })
  // A gateway may also return 503 for a message in progress, but then without a retry time.
  const isPutOff = status === 429 || (status === 503 && asked !== undefined)
  const meaning = isPutOff ? 'temporary' : status >= 500 ? 'unknown' : isOfAccount(status) ? 'integration' : 'message'
  return { meaning, waitMs, ...own }
}

const isOfAccount = (status: number): boolean => status === 401 || status === 402 || status === 403

interface Failure {
  readonly meaning: Exclude<Refusal['meaning'], 'accepted'>
  readonly waitMs: number
}

function toRest({ meaning, waitMs }: Failure, proof: Proof | undefined): SendErrorRest {
  if (meaning === 'temporary') return { blame: 'integration', waitMs }
  if (meaning !== 'token') return { blame: meaning }
  // A cached token may have been revoked. If a new token is rejected, the credentials are wrong.
  return { blame: 'integration', ...(proof?.isKept ? { waitMs } : {}) }
}

/** A key set by the sender of the message takes precedence. */
function withKey({ body, keyPath }: OutgoingRequest, messageId: string): JsonObject {
  if (!keyPath) return body
  const key: JsonObject = keyPath.reduceRight<JsonValue>(
    (value, name) => ({ [name]: value }),
    toUuid(messageId),
  ) as JsonObject
  return mergeObjects(key, body)
}

/** The same UUID for the same message, in every process. */
function toUuid(messageId: string): string {
  const hex = createHash('sha256').update(messageId).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function toForm(body: JsonObject): string {
  const pairs = Object.entries(body).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
  return new URLSearchParams(pairs).toString()
}

function toSendError(error: unknown): never {
  if (!(error instanceof OutboundError))
    throw new SendError('request_failed', 'The request was canceled before it was answered.', { blame: 'unknown' })
  throw new SendError(error.code, error.message, toOutboundFault(error))
}

function findId({ text, headers }: OutboundReply, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  const [, source, name = ''] = /^(?:(header|xml):)?(.*)$/s.exec(path) ?? []
  const id =
    source === 'header'
      ? headers[name]
      : source === 'xml'
        ? readElement(text, name)
        : findPath(parseJson(text), name.split('.'))
  return readId(id)
}

/** Returns the text of the first element with a name. */
function readElement(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}>`)
  const end = xml.indexOf(`</${name}>`, start)
  return start < 0 || end < 0 ? undefined : xml.slice(start + name.length + 2, end)
}
