import { domainToASCII } from 'node:url'
import type { DomainRouteRow, DomainRow } from '../store/schema/domain.ts'
import type { Session } from '../store/store.ts'

/** The destination of an email address. */
export interface InboundPlace {
  /** The address in lowercase. */
  readonly recipient: string
  /** The verified domain. */
  readonly domain: DomainRow
  readonly route: DomainRouteRow
}

/**
 * Finds the route for an address: for the address itself, for the address without its `+` suffix, or for all other
 * addresses.
 *
 * @param db - The session.
 * @param address - The address, as a mail server wrote it.
 * @returns The destination; `undefined` if no verified domain has a matching route.
 */
export async function findPlace(db: Session, address: string): Promise<InboundPlace | undefined> {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).toLowerCase()
  const name = domainToASCII(address.slice(at + 1)).toLowerCase()
  if (at < 1 || name === '' || local.length > 64) return undefined
  const domain = await db
    .selectFrom('domains')
    .selectAll()
    .where('name', '=', name)
    .where('status', '=', 'verified')
    .executeTakeFirst()
  if (!domain) return undefined
  const names = [local, local.replace(/(?<=.)\+.*$/s, ''), '*']
  const routes = await db
    .selectFrom('domainRoutes')
    .selectAll()
    .where('domainId', '=', domain.id)
    .where('address', 'in', names)
    .execute()
  const route = names.flatMap((one) => routes.find((row) => row.address === one) ?? [])[0]
  return route && { recipient: `${local}@${name}`, domain, route }
}
