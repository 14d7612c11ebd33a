import { ApiError } from '../api/api-error.ts'
import { createId } from '../store/create-id.ts'
import type { AccountRow } from '../store/schema/account.ts'
import type { Session, Store } from '../store/store.ts'
import { isEmail, toEmail } from './base/email.ts'
import { findLink, type OpenLink, useLink } from './links.ts'
import { blankAccount } from './people.ts'
import { checkPassword } from './sign-in/password-rules.ts'
import type { Passwords } from './sign-in/passwords.ts'
import { endSessions } from './sign-in/sessions.ts'

/** Dependencies for using a link. */
export interface RedeemPorts {
  readonly store: Pick<Store, 'db' | 'serializable'>
  readonly passwords: Passwords
  /** Returns the time, in milliseconds since 1970. */
  readonly now: () => number
}

/** The data that a person enters on a link's page. */
export interface Redemption {
  readonly token: string
  /** The name; left unchanged if omitted. */
  readonly name?: string | undefined
  /** The email address; only for the first admin. */
  readonly email?: string | undefined
  readonly password: string
}

/** A used link. */
export interface Redeemed {
  readonly accountId: string
  readonly email: string
  readonly purpose: OpenLink['purpose']
}

/**
 * Uses a link: sets the password of its account, or creates the first admin. Ends all sessions of the account.
 *
 * @throws {ApiError} 401 for an invalid link, 422 for an invalid password.
 */
export async function redeemLink({ store, passwords, now }: RedeemPorts, given: Redemption): Promise<Redeemed> {
  const { account } = await findLink(store.db, given.token, now())
  const email = account?.email ?? toEmail(given.email ?? '')
  if (!isEmail(email)) {
    const errors = { email: { messages: ['must be an email address'] } }
    throw new ApiError(422, 'email: must be an email address', { errors })
  }
  checkPassword(given.password, email)
  const passwordHash = await passwords.hash(given.password)
  return store.serializable(async (tx) => {
    const nowMs = now()
    const link = await useLink(tx, given.token, nowMs)
    const row = link.account ?? (await addFirstAdmin(tx, { email, nowMs }))
    const changes = { passwordHash, status: 'active', name: given.name ?? row.name, updatedAt: nowMs } as const
    await tx.updateTable('accounts').set(changes).where('id', '=', row.id).execute()
    await endSessions(tx, row.id)
    return { accountId: row.id, email: row.email, purpose: link.purpose }
  })
}

async function addFirstAdmin(tx: Session, { email, nowMs }: { readonly email: string; readonly nowMs: number }) {
  if (await hasAdmin(tx)) throw new ApiError(401, 'An admin already exists. Ask them for an invitation.')
  await tx.deleteFrom('accountLinks').where('purpose', '=', 'first-admin').execute()
  const existingAccount = await tx.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst()
  if (existingAccount) {
    await tx.updateTable('accounts').set({ role: 'admin' }).where('id', '=', existingAccount.id).execute()
    await tx.deleteFrom('accountRoles').where('accountId', '=', existingAccount.id).execute()
    return existingAccount
  }
  const row: AccountRow = {
    ...blankAccount,
    id: createId(nowMs),
    email,
    role: 'admin',
    createdAt: nowMs,
    updatedAt: nowMs,
  }
  await tx.insertInto('accounts').values(row).execute()
  return row
}

/** Returns whether anyone can administer people; if not, a link for the first admin is needed. */
export async function hasAdmin(db: Session): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
