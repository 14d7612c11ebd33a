import { ApiError } from '../api/api-error.ts'
import type { AccountLinkRow, AccountRow } from '../store/schema/account.ts'
import type { Session } from '../store/store.ts'
import { createToken, hashToken } from './base/secret-token.ts'

/** What a link is for. */
export type LinkPurpose = AccountLinkRow['purpose']

const hourMs = 60 * 60_000
/** How long links last. */
const lifeMs: Readonly<Record<LinkPurpose, number>> = {
  'first-admin': hourMs,
  invite: 7 * 24 * hourMs,
  reset: 24 * hourMs,
}

/** A new link. */
export interface NewLink {
  /** Its token, which is not stored. */
  readonly token: string
  readonly purpose: LinkPurpose
  /** When it expires, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** A link that has not been used. */
export interface OpenLink {
  readonly purpose: LinkPurpose
  /** Its account; undefined for the first admin. */
  readonly account: AccountRow | undefined
}

/**
 * Creates a link. It replaces all links of its account, but not those of other processes for the first admin.
 *
 * @param account - Its account; null for the first admin.
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
    hash: hashToken(token),
    purpose,
    accountId: account?.id ?? null,
    createdAt: nowMs,
    expiresAt,
  }
  await tx.insertInto('accountLinks').values(row).execute()
  return { token, purpose, expiresAt }
}

/**
 * Returns a link that has not been used.
 *
 * @throws {ApiError} 401
 */
export async function findLink(db: Session, token: string, nowMs: number): Promise<OpenLink> {
  const link = await db
    .selectFrom('accountLinks')
    .selectAll()
    .where('hash', '=', hashToken(token))
    .where('expiresAt', '>', nowMs)
    .executeTakeFirst()
  if (!link) throw refused()
  if (link.accountId === null) return { purpose: link.purpose, account: undefined }
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', link.accountId).executeTakeFirst()
  if (!account || account.status === 'disabled') throw refused()
  return { purpose: link.purpose, account }
}

/**
 * Uses a link up, in a transaction.
 *
 * @throws {ApiError} 401 if it was used, also by a concurrent call.
 */
export async function useLink(tx: Session, token: string, nowMs: number): Promise<OpenLink> {
  const link = await findLink(tx, token, nowMs)
  const { numDeletedRows } = await tx
    .deleteFrom('accountLinks')
    .where('hash', '=', hashToken(token))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw refused()
  return link
}

const refused = (): ApiError =>
  new ApiError(401, 'This link was already used, was replaced, or has expired. Ask an admin for a new one.')
