import { ApiError } from '../api/api-error.ts'
import { readSessionToken } from '../inbox/session-token.ts'
import type { SubscriberSession } from '../inbox/subscriber-session.ts'
import { sealedPlaces } from '../secrets/sealed-places.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Session } from '../store/store.ts'

/** Dependencies for identifying subscribers. */
export interface SubscriberIdentification {
  readonly db: Session
  /** Decrypts the secret keys of environments. */
  readonly vault: Vault
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

const refused = (): ApiError =>
  new ApiError(401, 'The session has ended or is unknown. Open a new one with POST /v1/inbox/session.')

/**
 * Returns the subscriber of a session token.
 *
 * @throws {ApiError} 401 if it is invalid, expired or revoked.
 */
export async function identifySubscriber(
  token: string,
  { db, vault, nowMs }: SubscriberIdentification,
): Promise<SubscriberSession> {
  const read = readSessionToken(token)
  if (!read || read.expiresMs <= nowMs) throw refused()
  const { environmentId, subscriberRowId, expiresMs } = read
  const environment = await db
    .selectFrom('environments')
    .innerJoin('apiKeys', 'apiKeys.environmentId', 'environments.id')
    .selectAll('environments')
    .select(['apiKeys.sealed', 'apiKeys.hash'])
    .where('environments.id', '=', environmentId)
    .executeTakeFirst()
  if (!environment) throw refused()
  const { sealed, hash, ...row } = environment
  if (!read.isSignedBy(vault.open(sealed, sealedPlaces.apiKey(environmentId)))) throw refused()
  const subscriber = await db
    .selectFrom('subscribers')
    .selectAll()
    .where('id', '=', subscriberRowId)
    .where('environmentId', '=', environmentId)
    .executeTakeFirst()
  if (!subscriber) throw refused()
  return { environment: row, subscriber, keyHash: hash, claims: { environmentId, subscriberRowId, expiresMs } }
}

/**
 * Returns the session token in the `Authorization` header.
 *
 * @throws {ApiError} 401
 */
export function readBearer(header: string | undefined): string {
  const [, token] = /^Bearer ([\w.-]{1,500})$/.exec(header ?? '') ?? []
  if (token === undefined)
    throw new ApiError(401, 'Send "Authorization: Bearer" and a session token from POST /v1/inbox/session.')
  return token
}
