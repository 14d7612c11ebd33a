import type { AccountRow } from '../../store/schema/account.ts'
import type { Session } from '../../store/store.ts'

interface RoleRow {
  readonly accountId: string
  readonly environmentId: string
  readonly name: string
  readonly role: string
}

/** Returns accounts in the API format, in the same order. */
export async function showPeople(db: Session, rows: readonly AccountRow[]): Promise<readonly unknown[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const roles = await readRoleRows(db).where('accountRoles.accountId', 'in', ids).execute()
  return rows.map((row) => toPerson(row, roles))
}

/** Returns an account in the API format. */
export async function showPerson(db: Session, row: AccountRow): Promise<unknown> {
  return (await showPeople(db, [row]))[0]
}

const readRoleRows = (db: Session) =>
  db
    .selectFrom('accountRoles')
    .innerJoin('environments', 'environments.id', 'accountRoles.environmentId')
    .select(['accountRoles.accountId', 'accountRoles.environmentId', 'environments.name', 'accountRoles.role'])
    .orderBy('accountRoles.environmentId')

/** Neither hashes nor the identity at the provider are shown. */
function toPerson(row: AccountRow, roles: readonly RoleRow[]): unknown {
  const { id, email, name, status, role, passwordHash, subject, signedInAt, createdAt } = row
  return {
    ...{ id, email, name, status, role: role ?? 'none' },
    roles: roles
      .filter(({ accountId }) => accountId === id)
      .map((one) => ({ environmentId: one.environmentId, environment: one.name, role: one.role })),
    signInWith: [passwordHash === null ? [] : 'password', subject === null ? [] : 'provider'].flat(),
    signedInAt: signedInAt === null ? null : new Date(signedInAt).toISOString(),
    createdAt: new Date(createdAt).toISOString(),
  }
}
