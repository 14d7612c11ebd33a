import type { OidcSettings } from '../config/people-settings.ts'
import { createId } from '../store/create-id.ts'
import type { AccountRow } from '../store/schema/account.ts'
import type { Session } from '../store/store.ts'
import { isEmail, toEmail } from './base/email.ts'
import { blankAccount } from './people.ts'
import type { Identity } from './sign-in/oidc-provider.ts'

/** Why a person whom the provider has authenticated cannot sign in; the sign-in page explains each reason. */
export type OidcRefusal = 'unverified' | 'domain' | 'uninvited' | 'disabled' | 'other-identity'

/** The result of looking up a person's account. */
export type OidcAccount = { readonly accountId: string } | { readonly refusal: OidcRefusal }

/** The inputs of an account lookup. */
export interface OidcLookUp {
  readonly identity: Identity
  readonly settings: Pick<OidcSettings, 'domains' | 'role'>
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/**
 * Returns a person's account: the one with their identifier at the provider, otherwise the one with their verified
 * email address, which then stores the identifier. Otherwise creates an account, if the settings assign it a role.
 */
export async function findOidcAccount(tx: Session, { identity, settings, nowMs }: OidcLookUp): Promise<OidcAccount> {
  const { issuer, subject, isVerified, name = '' } = identity
  const email = toEmail(identity.email ?? '')
  if (!isVerified || !isEmail(email)) return { refusal: 'unverified' }
  if (!isOwnDomain(email, settings.domains)) return { refusal: 'domain' }
  const existingAccount = await findKnown(tx, { issuer, subject, email })
  if (!existingAccount) {
    if (settings.role === 'none') return { refusal: 'uninvited' }
    const id = createId(nowMs)
    const row: AccountRow = {
      ...{ ...blankAccount, id, email, name, issuer, subject, status: 'active', role: settings.role },
      ...{ createdAt: nowMs, updatedAt: nowMs },
    }
    await tx.insertInto('accounts').values(row).execute()
    return { accountId: id }
  }
  if (existingAccount.status === 'disabled') return { refusal: 'disabled' }
  if (existingAccount.subject !== null && (existingAccount.subject !== subject || existingAccount.issuer !== issuer))
    return { refusal: 'other-identity' }
  const changes = { issuer, subject, status: 'active', name: existingAccount.name || name, updatedAt: nowMs } as const
  await tx.updateTable('accounts').set(changes).where('id', '=', existingAccount.id).execute()
  if (existingAccount.status === 'invited')
    await tx.deleteFrom('accountLinks').where('accountId', '=', existingAccount.id).execute()
  return { accountId: existingAccount.id }
}

type Known = Pick<AccountRow, 'email'> & { readonly issuer: string; readonly subject: string }

async function findKnown(tx: Session, { issuer, subject, email }: Known): Promise<AccountRow | undefined> {
  const accounts = tx.selectFrom('accounts').selectAll()
  const bySubject = accounts.where('issuer', '=', issuer).where('subject', '=', subject)
  return (await bySubject.executeTakeFirst()) ?? accounts.where('email', '=', email).executeTakeFirst()
}

function isOwnDomain(email: string, domains: readonly string[]): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return domains.length === 0 || domains.some((one) => one.toLowerCase() === domain)
}
