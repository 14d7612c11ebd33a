import { createContext, use } from 'react'

/** Roles, lowest first. */
export const roles = ['viewer', 'editor', 'admin'] as const

/** What a person may do in the environment that is shown. */
export type Role = (typeof roles)[number]

/** What an action does: changes what is sent and to whom, or changes secrets, addresses and settings. */
export type Need = 'edit' | 'administer'

const needed: Readonly<Record<Need, Role>> = { edit: 'editor', administer: 'admin' }

/** The role of the person; undefined without accounts, which allows everything. */
export const RoleContext: React.Context<Role | undefined> = createContext<Role | undefined>(undefined)

/** Returns why the person may not do something; undefined if they may. */
export function useRefusal(needs: Need | undefined): string | undefined {
  const role = use(RoleContext)
  if (needs === undefined || role === undefined) return undefined
  if (roles.indexOf(role) >= roles.indexOf(needed[needs])) return undefined
  return `Needs the role ${needed[needs]} in this environment; yours is ${role}`
}
