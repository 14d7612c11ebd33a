/** Roles, lowest first: each includes the permissions of the ones before it. */
export const roles = ['viewer', 'editor', 'admin'] as const

/** A person's role in an environment. */
export type Role = (typeof roles)[number]

/**
 * The kind of an operation, which determines who can call it. `self`: accesses the caller's own account. `view`: reads.
 * `edit`: changes what is sent and to whom. `administer`: changes keys, credentials, variables and addresses. `people`:
 * changes accounts, which exist in all environments.
 */
export type Access = 'self' | 'view' | 'edit' | 'administer' | 'people'

/** The minimum role for operations in an environment. */
const needed: Readonly<Record<Exclude<Access, 'self' | 'people'>, Role>> = {
  view: 'viewer',
  edit: 'editor',
  administer: 'admin',
}

/** A signed-in person. */
export interface Person {
  readonly accountId: string
  readonly sessionId: string
  readonly email: string
  readonly name: string
  /** The role in each existing environment, by the environment's row id. Environments without a role are omitted. */
  readonly roles: ReadonlyMap<string, Role>
  /** Whether the account is an admin of all environments, including future ones. */
  readonly managesPeople: boolean
}

/** Returns whether a role includes another. */
export function includes(role: Role | undefined, other: Role): boolean {
  return role !== undefined && roles.indexOf(role) >= roles.indexOf(other)
}

/**
 * Returns why a person is not permitted to call an operation; undefined if they are.
 *
 * @param environmentId - Row id of the call's environment.
 */
export function refusalOf(person: Person, access: Access, environmentId: string): string | undefined {
  if (access === 'self') return undefined
  if (access === 'people')
    return person.managesPeople ? undefined : 'Only an admin of all environments may manage people.'
  const role = person.roles.get(environmentId)
  if (includes(role, needed[access])) return undefined
  if (role === undefined) return 'Your account has no role in this environment. Ask an admin for one.'
  return `This needs the role ${needed[access]} in this environment; yours is ${role}. Ask an admin for it.`
}
