import { ApiError } from '../api/api-error.ts'
import { hashKey } from '../keys/hash-key.ts'
import type { AccountLinkRow, AccountRow } from '../store/schema/account.ts'
import type { Session } from '../store/store.ts'
import { createToken } from './base/secret-token.ts'

/** The purpose of a link. */
export type LinkPurpose = AccountLinkRow['purpose']

const hourMs = 60 * 60_000
/** How long links are valid, by purpose. */
const lifeMs: Readonly<Record<LinkPurpose, number>> = {
  'first-admin': hourMs,
  invite: 7 * 24 * hourMs,
  reset: 24 * hourMs,
}

export interface NewLink {
  /** The link's token, which is not stored. */
  readonly token: string
  readonly purpose: LinkPurpose
  /** When the link expires, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** A link that has not been used yet. */
export interface OpenLink {
  readonly purpose: LinkPurpose
  /** The link's account; undefined for the first admin. */
  readonly account: AccountRow | undefined
}

/**
 * Creates a link. It replaces all other links of the account. Links for the first admin from other processes stay
 * valid.
 *
 * @param account - The link's account; null for the first admin.
 */
export async function createLink(
  tx: Session,
  account: Pick<AccountRow, 'id' | 'status'> | null,
  nowMs: number,
): Promise<NewLink> {
  const purpose: LinkPurpose = account === null ? 'first-admin' : account.status === 'invited' ? 'invite' : 'reset'
  if (account) await tx.deleteFrom('accountLinks').where('accountId', '=', account.id).execute()
  const token = createToken()
  const expiresAt = nowMs + lifeMs[purpose]
  const row: AccountLinkRow = {
    hash: hashKey(token),
    purpose,
    accountId: account?.id ?? null,
    createdAt: nowMs,
    expiresAt,
  }
  await tx.insertInto('accountLinks').values(row).execute()
  return { token, purpose, expiresAt }
}

/**
 * Returns a link that has not been used yet.
 *
 * @throws {ApiError} 401
 */
export async function findLink(db: Session, token: string, nowMs: number): Promise<OpenLink> {
  const link = await db
    .selectFrom('accountLinks')
    .selectAll()
    .where('hash', '=', hashKey(token))
    .where('expiresAt', '>', nowMs)
    .executeTakeFirst()
  if (!link) throw refused()
  if (link.accountId === null) return { purpose: link.purpose, account: undefined }
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', link.accountId).executeTakeFirst()
  if (!account || account.status === 'disabled') throw refused()
  return { purpose: link.purpose, account }
}

/**
 * Marks a link as used, in a transaction.
 *
 * @throws {ApiError} 401 if the link was already used, including by a concurrent call.
 */
export async function useLink(tx: Session, token: string, nowMs: number): Promise<OpenLink> {
  const link = await findLink(tx, token, nowMs)
  const { numDeletedRows } = await tx
    .deleteFrom('accountLinks')
    .where('hash', '=', hashKey(token))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw refused()
  return link
}

const refused = (): ApiError =>
  new ApiError(401, 'This link was already used, was replaced, or has expired. Ask an admin for a new one.')
