import type { Session } from '../../store/store.ts'
import { includes, type Role, roles } from './access.ts'

/** The roles of an account. */
export interface AccountRoles {
  /** The role in each existing environment, by the environment's row id. Environments without a role are omitted. */
  readonly roles: ReadonlyMap<string, Role>
  /** Whether the account is an admin of all environments, including future ones. */
  readonly managesPeople: boolean
}

/** Returns a stored role; undefined if there is none. */
export const toRole = (text: string | null | undefined): Role | undefined => roles.find((role) => role === text)

/** Returns the roles of an account in all environments. */
export async function readRoles(
  db: Session,
  account: { readonly id: string; readonly role: string | null },
): Promise<AccountRoles> {
  const rows = await db
    .selectFrom('environments')
    .leftJoin('accountRoles', (join) =>
      join.onRef('accountRoles.environmentId', '=', 'environments.id').on('accountRoles.accountId', '=', account.id),
    )
    .select(['environments.id', 'accountRoles.role'])
    .orderBy('environments.id')
    .execute()
  const roleEntries = rows.flatMap(({ id, role }): readonly (readonly [string, Role])[] => {
    const effective = toRole(role ?? account.role)
    return effective === undefined ? [] : [[id, effective]]
  })
  const isAdminOfAll = roleEntries.length === rows.length && roleEntries.every(([, role]) => includes(role, 'admin'))
  return { roles: new Map(roleEntries), managesPeople: toRole(account.role) === 'admin' && isAdminOfAll }
}
