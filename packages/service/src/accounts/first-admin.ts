import type { Clock } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import type { Accounts } from './accounts.ts'
import { createLink } from './links.ts'
import { hasAdmin } from './redeem-link.ts'

/** Dependencies of offering the link. */
export interface FirstAdminPorts {
  readonly accounts: Accounts | undefined
  readonly store: Store
  readonly clock: Clock
}

/**
 * Returns a new link that creates the first admin; undefined if there is one, or accounts are off. Each process has its
 * own link, and the first one that is used ends the others.
 */
export async function offerFirstAdmin({ accounts, store, clock }: FirstAdminPorts): Promise<string | undefined> {
  if (!accounts) return undefined
  const token = await store.transaction(async (tx) =>
    (await hasAdmin(tx)) ? undefined : (await createLink(tx, null, clock.now())).token,
  )
  return token === undefined ? undefined : `${accounts.url()}/studio/welcome#link=${token}`
}
