import type { Clock } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import type { Accounts } from './accounts.ts'
import { createLink } from './links.ts'
import { hasAdmin } from './redeem-link.ts'

/** Dependencies for creating the link. */
export interface FirstAdminPorts {
  readonly accounts: Accounts | undefined
  readonly store: Store
  readonly clock: Clock
}

/**
 * Returns a new link for creating the first admin; undefined if there already is one, or if accounts are off. Each
 * process has its own link; using one of them invalidates the others.
 */
export async function offerFirstAdmin({ accounts, store, clock }: FirstAdminPorts): Promise<string | undefined> {
  if (!accounts) return undefined
  const token = await store.transaction(async (tx) =>
    (await hasAdmin(tx)) ? undefined : (await createLink(tx, null, clock.now())).token,
  )
  return token === undefined ? undefined : `${accounts.url()}/studio/welcome#link=${token}`
}
