import { ApiError, invalid } from '../api/api-error.ts'
import { createId } from '../store/create-id.ts'
import type { AccountRow } from '../store/schema/account.ts'
import type { Session } from '../store/store.ts'
import type { Role } from './base/access.ts'
import { isEmail } from './base/email.ts'
import { readRoles } from './base/roles-of.ts'
import { endSessions } from './sign-in/sessions.ts'

/** The role in one environment, or none. */
export interface RoleChoice {
  readonly environmentId: string
  readonly role: Role | 'none'
}

/** A new account. */
export interface Invitation {
  /** The email address, in lowercase. */
  readonly email: string
  readonly name: string
  /** The role in environments that are not listed in `roles`. */
  readonly role: Role | 'none'
  /** Different roles, by environment. */
  readonly roles: readonly RoleChoice[]
}

/** Changes to an account. Missing fields are left unchanged. */
export interface PersonChanges {
  readonly name?: string | undefined
  readonly role?: Role | 'none' | undefined
  /** Replaces all roles by environment. */
  readonly roles?: readonly RoleChoice[] | undefined
  readonly disabled?: boolean | undefined
}

/** The fields of a new account that has not signed in. */
export const blankAccount: Omit<AccountRow, 'id' | 'email' | 'createdAt' | 'updatedAt'> = Object.freeze({
  ...{ name: '', status: 'invited', passwordHash: null, issuer: null, subject: null, role: null, signedInAt: null },
})

/**
 * Creates an account that can be accessed with a link or through the OpenID provider.
 *
 * @throws {ApiError} 409 if there is an account with that email address, 422 for an invalid field.
 */
export async function invite(tx: Session, invitation: Invitation, nowMs: number): Promise<AccountRow> {
  const { email, name, role, roles } = invitation
  if (!isEmail(email)) throw invalid('email', 'must be an email address')
  const existingAccount = await tx.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirst()
  if (existingAccount) throw new ApiError(409, `An account with the email address ${email} already exists.`)
  const id = createId(nowMs)
  const row = { ...blankAccount, id, email, name, role: toColumn(role), createdAt: nowMs, updatedAt: nowMs }
  await tx.insertInto('accounts').values(row).execute()
  await replaceRoles(tx, id, roles)
  return row
}

/**
 * Changes an account. Disabling an account, or changing its roles, takes effect with its next request.
 *
 * @throws {ApiError} 404, 409 if no admin would be left, 422 for an invalid field.
 */
export async function changePerson(
  tx: Session,
  id: string,
  { changes, nowMs }: { readonly changes: PersonChanges; readonly nowMs: number },
): Promise<void> {
  const row = await findAccount(tx, id)
  const { name = row.name, role, roles, disabled } = changes
  const back = row.passwordHash === null && row.subject === null ? 'invited' : 'active'
  const status =
    disabled === undefined ? row.status : disabled ? 'disabled' : row.status === 'disabled' ? back : row.status
  const values = { name, status, role: role === undefined ? row.role : toColumn(role), updatedAt: nowMs }
  await tx.updateTable('accounts').set(values).where('id', '=', id).execute()
  if (roles) await replaceRoles(tx, id, roles)
  if (status === 'disabled') {
    await endSessions(tx, id)
    await tx.deleteFrom('accountLinks').where('accountId', '=', id).execute()
  }
  await keepAdmin(tx)
}

/**
 * Deletes an account. Its entries in the audit log are kept.
 *
 * @throws {ApiError} 404, or 409 if no admin would be left.
 */
export async function removePerson(tx: Session, id: string): Promise<void> {
  await findAccount(tx, id)
  for (const table of ['accountSessions', 'accountLinks', 'accountRoles'] as const)
    await tx.deleteFrom(table).where('accountId', '=', id).execute()
  await tx.deleteFrom('accounts').where('id', '=', id).execute()
  await keepAdmin(tx)
}

/**
 * Returns an account.
 *
 * @throws {ApiError} 404
 */
export async function findAccount(db: Session, id: string): Promise<AccountRow> {
  const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new ApiError(404, `There is no account ${JSON.stringify(id)}.`)
  return row
}

const toColumn = (role: Role | 'none'): Role | null => (role === 'none' ? null : role)

async function replaceRoles(tx: Session, accountId: string, choices: readonly RoleChoice[]): Promise<void> {
  await tx.deleteFrom('accountRoles').where('accountId', '=', accountId).execute()
  const environments = await tx.selectFrom('environments').select('id').execute()
  for (const [index, { environmentId, role }] of choices.entries()) {
    if (!environments.some(({ id }) => id === environmentId))
      throw invalid(`roles.${index}.environmentId`, 'must be the id of an environment')
    if (choices.findIndex((one) => one.environmentId === environmentId) !== index)
      throw invalid(`roles.${index}.environmentId`, 'must not be repeated')
    await tx.insertInto('accountRoles').values({ accountId, environmentId, role }).execute()
  }
}

/** Checks that an admin remains, because otherwise only the link logged at the next start would restore access. */
async function keepAdmin(tx: Session): Promise<void> {
  const rows = await tx
    .selectFrom('accounts')
    .select(['id', 'role'])
    .where('status', '=', 'active')
    .where('role', '=', 'admin')
    .execute()
  for (const row of rows) if ((await readRoles(tx, row)).managesPeople) return
  throw new ApiError(409, 'There must be an active admin of all environments. Give another account that role first.')
}
