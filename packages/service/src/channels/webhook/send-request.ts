import { createHash } from 'node:crypto'
import { type Outbound, OutboundError, type OutboundReply } from '@trestle/bridge-client'
import { type JsonObject, type JsonValue, sign, signatureHeader } from '@trestle/protocol'
import { mergeObjects, toObject } from '../../json/json.ts'
import { findClosedHeaders } from '../../outbound/closed-headers.ts'
import { readPath } from '../../templates/render-template.ts'
import type { ExpectedAnswer, OutgoingRequest } from '../base/delivery.ts'
import { isBeforeSending, readRetryAfter } from '../base/retry.ts'
import { SendError } from '../base/send-error.ts'

/** Dependencies for sending requests. */
export interface RequestOptions {
  /** Sends them under the network policy. */
  readonly outbound: Pick<Outbound, 'send'>
  /** Row id of the message: the receiver's idempotency key. */
  readonly messageId: string
  /** The time of the signature, in milliseconds since 1970. */
  readonly nowMs: number
  readonly signal: AbortSignal
}

/** The answer of a webhook. */
export interface RequestReceipt {
  /** The provider's message id, if its answer contains one. */
  readonly providerMessageId: string | undefined
  readonly status: number
  /** The start of the answer. */
  readonly response: string
}

/** More than is shown: secrets can only be recognized while complete. */
const keptLength = 65_536

/**
 * Sends a message to a webhook. Any answer other than 2xx is a failure; redirects are not followed.
 *
 * @param options - Policy, identity of the message and signal.
 * @throws {SendError} The address is blocked, nothing answers, or the answer is not a success.
 */
export async function sendRequest(request: OutgoingRequest, options: RequestOptions): Promise<RequestReceipt> {
  const { url, method, signingKey, idPath, encoding = 'json', expects } = request
  const { outbound, messageId, nowMs, signal } = options
  const closed = findClosedHeaders(Object.keys(request.headers))
  if (closed.length > 0) throw new SendError('header_refused', `These headers cannot be set: ${closed.join(', ')}.`)
  const body = withKey(request, messageId)
  const text = encoding === 'form' ? toForm(body) : JSON.stringify(body)
  const headers = {
    'content-type': encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
    accept: 'application/json',
    'idempotency-key': messageId,
    ...request.headers,
    ...(signingKey ? { [signatureHeader]: await sign(signingKey, text, { nowMs }) } : {}),
  }
  const reply = await outbound.send({ url, method, headers, body: text }, signal).catch(toSendError)
  const response = reply.text.slice(0, keptLength)
  if (reply.status < 200 || reply.status > 299) {
    const asked = reply.headers['retry-after']
    // A gateway may also answer 503 for a message in progress, but then without a time to retry.
    const isPutOff = reply.status === 429 || (reply.status === 503 && asked !== undefined)
    const waitMs = isPutOff ? readRetryAfter(asked, nowMs) : undefined
    const why = `The webhook answered ${reply.status}${response && `: ${response}`}`
    throw new SendError(`http_${reply.status}`, why, waitMs)
  }
  if (expects) checkAnswer(reply.text, expects)
  return { providerMessageId: findId(reply, idPath), status: reply.status, response }
}

/** A key of the message's own sender wins. */
function withKey({ body, keyPath }: OutgoingRequest, messageId: string): JsonObject {
  if (!keyPath) return body
  const key: JsonObject = keyPath.reduceRight<JsonValue>(
    (value, name) => ({ [name]: value }),
    toUuid(messageId),
  ) as JsonObject
  return mergeObjects(key, body)
}

/** The same UUID for the same message, whoever sends it. */
function toUuid(messageId: string): string {
  const hex = createHash('sha256').update(messageId).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function toForm(body: JsonObject): string {
  const pairs = Object.entries(body).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
  return new URLSearchParams(pairs).toString()
}

function checkAnswer(text: string, { list, field, value, reason }: ExpectedAnswer): void {
  const items = toObject(parse(text))[list]
  const results = [items].flat().map(toObject)
  if (results.some((item) => String(item[field]) === value)) return
  const why = results.map((item) => item[reason]).find((one) => typeof one === 'string')
  throw new SendError('provider_refused', `The provider did not accept the message${why ? `: ${why}` : '.'}`)
}

function toSendError(error: unknown): never {
  if (error instanceof OutboundError)
    throw new SendError(error.code, error.message, isBeforeSending(error.code) ? 0 : undefined)
  throw new SendError('request_failed', 'The request was canceled before it was answered.')
}

function findId({ text, headers }: OutboundReply, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  const id = path.startsWith('header:') ? headers[path.slice(7)] : readPath(parse(text), path.split('.'))
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
