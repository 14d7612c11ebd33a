import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ApiError } from '../api/api-error.ts'
import type { HttpReply } from '../api/http-call.ts'
import { sealedPlaces } from '../secrets/sealed-places.ts'
import type { Vault } from '../secrets/vault.ts'
import type { IdempotencyRow } from '../store/schema/traffic.ts'
import type { Session } from '../store/store.ts'
import { jsonHeaders } from './error-reply.ts'

/** The maximum length of a key. @source service-api.md#idempotency */
export const maxKeyCharacters = 255
const oneRequest = ', or another URL. A key identifies one request; send a new key with a new request'
const inProgressMs = 5 * 60_000
const cachedMs = 24 * 60 * 60_000
/** These statuses mean that nothing was done and the call should be retried, so they are not stored. */
const repeatable: ReadonlySet<number> = new Set([429, 503])

/** A request with a key. */
export interface KeyedRequest {
  readonly key: string
  /** Distinguishes requests with the same key: see {@link hashRequest}. */
  readonly hash: string
}

export interface IdempotencyPorts {
  readonly db: Session
  /** Encrypts stored responses, because they may contain secrets. */
  readonly vault: Vault
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number
}

/** The parts that make two requests the same. */
export interface RequestParts {
  /** The environment of its key. */
  readonly environmentId: string
  readonly method: string
  readonly url: string
  /** The body as received. */
  readonly body: Uint8Array
}

/** Returns a hash of environment, method, URL and the bytes of the body. */
export function hashRequest({ environmentId, method, url, body }: RequestParts): string {
  return createHash('sha256')
    .update(JSON.stringify([environmentId, method, url]))
    .update(body)
    .digest('hex')
}

/**
 * Returns the idempotency key of a POST or PATCH request, if any. A key may have any format; it is stored and returned
 * as the received bytes.
 *
 * @throws {ApiError} 400 if the key is too long, or has characters that a header cannot contain.
 * @source service-api.md#idempotency
 */
export function readKey(method: string, header: string | undefined): string | undefined {
  if ((method !== 'POST' && method !== 'PATCH') || header === undefined || header === '') return undefined
  const { length } = [...toShownKey(header)]
  if (length > maxKeyCharacters)
    throw new ApiError(
      400,
      `idempotencyKey exceeded the maximum length of ${maxKeyCharacters} characters; it has ${length}.`,
    )
  if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(header))
    throw new ApiError(400, 'idempotencyKey must consist of characters that a header can contain.')
  return header
}

/** Decodes a key for messages, because Node reads header bytes as Latin-1, but most are UTF-8. */
function toShownKey(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}

/**
 * Answers a request with a key: the first one by `answer`, and later ones with the stored response. A key is claimed in
 * one database statement, so only one of several concurrent requests is processed.
 *
 * @param answer - Processes the request; never rejects.
 * @throws {ApiError} 409 while the first request is processed, 422 if the key was used for a different request.
 * @source service-api.md#idempotency
 */
export async function answerOnce(
  request: KeyedRequest,
  ports: IdempotencyPorts,
  answer: () => Promise<HttpReply>,
): Promise<HttpReply> {
  const { key } = request
  const claim = randomUUID()
  const held = await claimKey(request, ports, claim)
  if (held) return replay(request, held, ports.vault)
  const reply = await answer()
  await settle(ports, { key, claim, reply })
  return withHeaders(reply, { 'idempotency-key': key })
}

/** Claims a key, or returns the record of its holder. */
async function claimKey(
  { key, hash }: KeyedRequest,
  { db, now }: IdempotencyPorts,
  claim: string,
): Promise<IdempotencyRow | undefined> {
  for (;;) {
    const nowMs = now()
    const fresh = { bodyHash: hash, claim, state: 'in_progress', expiresAt: nowMs + inProgressMs } as const
    const empty = { status: null, contentType: null, body: null }
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('idempotency')
      .values({ key, ...fresh, ...empty })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ ...fresh, ...empty })
          .where(sql<boolean>`"idempotency"."expiresAt" <= ${nowMs}`),
      )
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows > 0n) return undefined
    const held = await db
      .selectFrom('idempotency')
      .selectAll()
      .where('key', '=', key)
      .where('expiresAt', '>', nowMs)
      .executeTakeFirst()
    // The record may have expired between the two statements, which frees the key.
    if (held) return held
  }
}

function replay({ key, hash }: KeyedRequest, held: IdempotencyRow, vault: Vault): HttpReply {
  const shownKey = toShownKey(key)
  if (held.state === 'in_progress')
    throw new ApiError(
      409,
      `Request with key "${shownKey}" is currently being processed. Please retry after 1 second`,
      {
        headers: { 'retry-after': '1', 'idempotency-key': key },
      },
    )
  if (held.bodyHash !== hash)
    throw new ApiError(422, `Request with key "${shownKey}" is being reused for a different body${oneRequest}`, {
      headers: { 'idempotency-key': key },
    })
  const { status, contentType, body } = held
  return {
    status: status ?? 200,
    headers: {
      ...jsonHeaders,
      ...(contentType === null ? {} : { 'content-type': contentType }),
      'idempotency-key': key,
      'idempotency-replay': 'true',
    },
    body: body === null ? undefined : vault.open(body, sealedPlaces.answer(held.key)),
  }
}

interface Settlement {
  readonly key: string
  readonly claim: string
  readonly reply: HttpReply
}

/** Stores the response, unless the claim expired and another request holds the key. */
async function settle({ db, vault, now }: IdempotencyPorts, { key, claim, reply }: Settlement): Promise<void> {
  const { status, headers, body, replayBody = body } = reply
  if (repeatable.has(status) || (replayBody !== undefined && typeof replayBody !== 'string')) {
    await db.deleteFrom('idempotency').where('key', '=', key).where('claim', '=', claim).execute()
    return
  }
  const sealed = replayBody === undefined ? null : vault.seal(replayBody, sealedPlaces.answer(key))
  const stored = { status, contentType: headers['content-type'] ?? null, body: sealed }
  await db
    .updateTable('idempotency')
    .set({ state: 'cached', ...stored, expiresAt: now() + cachedMs })
    .where('key', '=', key)
    .where('claim', '=', claim)
    .execute()
}

function withHeaders(reply: HttpReply, headers: Readonly<Record<string, string>>): HttpReply {
  return { ...reply, headers: { ...reply.headers, ...headers } }
}
