import { createContext, use } from 'react'

/** Roles, lowest first. */
export const roles = ['viewer', 'editor', 'admin'] as const

/** The permissions of a user in the selected environment. */
export type Role = (typeof roles)[number]

/** The kind of action: changes what is sent and to whom, or changes secrets, addresses and settings. */
export type Need = 'edit' | 'administer'

const needed: Readonly<Record<Need, Role>> = { edit: 'editor', administer: 'admin' }

/** The user's role; undefined without accounts, which allows everything. */
export const RoleContext: React.Context<Role | undefined> = createContext<Role | undefined>(undefined)

/** Returns why the user may not perform an action; undefined if it is allowed. */
export function useRefusal(needs: Need | undefined): string | undefined {
  const role = use(RoleContext)
  if (needs === undefined || role === undefined) return undefined
  if (roles.indexOf(role) >= roles.indexOf(needed[needs])) return undefined
  return `Needs the role ${needed[needs]} in this environment; yours is ${role}`
}
