import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ApiError } from '../api/api-error.ts'
import type { HttpReply } from '../api/http-call.ts'
import { sealedPlaces } from '../secrets/sealed-places.ts'
import type { Vault } from '../secrets/vault.ts'
import type { IdempotencyRow } from '../store/schema/traffic.ts'
import type { Session } from '../store/store.ts'
import { jsonHeaders } from './error-reply.ts'

/** The longest key. @source service-api.md#idempotency */
export const maxKeyCharacters = 255
const oneRequest = ', or another address: a key stands for one request, so send a new one with a new request'
const inProgressMs = 5 * 60_000
const cachedMs = 24 * 60 * 60_000
/** These say that nothing was done yet and the call shall be repeated, so they are not kept. */
const repeatable: ReadonlySet<number> = new Set([429, 503])

/** A request that carries a key. */
export interface KeyedRequest {
  /** The key. */
  readonly key: string
  /** Distinguishes the request from another one with the same key: see {@link hashRequest}. */
  readonly hash: string
}

/** Dependencies for answering. */
export interface IdempotencyPorts {
  /** The database. */
  readonly db: Session
  /** Seals the answers that are kept: what they show may be a secret. */
  readonly vault: Vault
  /** Returns the time, milliseconds since 1970. */
  readonly now: () => number
}

/** The parts by which two requests are the same. */
export interface RequestParts {
  /** The environment of its key. */
  readonly environmentId: string
  /** The method. */
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** The body as received. */
  readonly body: Uint8Array
}

/** Returns what two requests have in common only when environment, method, address and the body's bytes are the same. */
export function hashRequest({ environmentId, method, url, body }: RequestParts): string {
  return createHash('sha256')
    .update(JSON.stringify([environmentId, method, url]))
    .update(body)
    .digest('hex')
}

/**
 * Returns the key of a request, if it has one that counts: of POST and PATCH only. A key has any format; it is kept and
 * sent back as the bytes that came.
 *
 * @throws {ApiError} 400 when the key is too long, or has characters that no header can hold.
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
    throw new ApiError(400, 'idempotencyKey must consist of characters that a header can hold.')
  return header
}

/** Returns a key as its caller reads it: a header is bytes, one a character, which most often are those of UTF-8. */
function toShownKey(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}

/**
 * Answers a request with a key: the first one by `answer`, and every later one by what the first was answered. The
 * claim of a key is one statement of the database, so of any number of requests at a time one is processed.
 *
 * @param answer - Processes the request; does not reject.
 * @throws {ApiError} 409 while the first request is processed, 422 for a key that was used for another request.
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

/** Claims a key, or returns the record of who has it. */
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
    // The record may have ended between the two statements; then the key is free.
    if (held) return held
  }
}

function replay({ key, hash }: KeyedRequest, held: IdempotencyRow, vault: Vault): HttpReply {
  const shown = toShownKey(key)
  if (held.state === 'in_progress')
    throw new ApiError(409, `Request with key "${shown}" is currently being processed. Please retry after 1 second`, {
      headers: { 'retry-after': '1', 'idempotency-key': key },
    })
  if (held.bodyHash !== hash)
    throw new ApiError(422, `Request with key "${shown}" is being reused for a different body${oneRequest}`, {
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

/** Keeps the answer, unless the claim ran out meanwhile and the key is another request's. */
async function settle({ db, vault, now }: IdempotencyPorts, { key, claim, reply }: Settlement): Promise<void> {
  const { status, headers, body, keptBody = body } = reply
  if (repeatable.has(status) || (keptBody !== undefined && typeof keptBody !== 'string')) {
    await db.deleteFrom('idempotency').where('key', '=', key).where('claim', '=', claim).execute()
    return
  }
  const sealed = keptBody === undefined ? null : vault.seal(keptBody, sealedPlaces.answer(key))
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
