import { hashKey } from '../../keys/hash-key.ts'
import { createId } from '../../store/create-id.ts'
import type { AccountSessionRow } from '../../store/schema/account.ts'
import type { Session, Store } from '../../store/store.ts'
import type { Person } from '../base/access.ts'
import { readRoles } from '../base/roles-of.ts'
import { createToken } from '../base/secret-token.ts'

/**
 * How often the time of last use is written. A precision of one minute is enough, and avoids a write for every request.
 */
const usedEveryMs = 60_000
const maxSessions = 20

/** How long sessions last. */
export interface SessionLimits {
  readonly sessionMs: number
  readonly idleMs: number
}

/** The browser of a session. */
export interface Visitor {
  readonly address: string | undefined
  readonly userAgent: string | undefined
}

/** The account of a new session. */
export interface SessionOwner {
  readonly accountId: string
  /** The hash of the password that was checked; undefined if the person signed in otherwise. */
  readonly passwordHash?: string
}

/** The sessions of accounts, which all processes of a database share. */
export interface AccountSessions {
  /**
   * Opens a session and returns its new token; undefined if the account was disabled, or its password was changed since
   * it was checked. If an account has too many sessions, the oldest is closed.
   */
  open(owner: SessionOwner, visitor: Visitor): Promise<string | undefined>
  /** Returns the person to whom a session belongs; undefined if it has ended, or if the account was disabled. */
  find(token: string): Promise<Person | undefined>
  /** Ends the session of a token. */
  close(token: string): Promise<void>
}

/**
 * Creates the sessions.
 *
 * @param now - Returns the time, in milliseconds since 1970.
 */
export function createAccountSessions(
  { db, transaction }: Pick<Store, 'db' | 'transaction'>,
  limits: SessionLimits,
  now: () => number,
): AccountSessions {
  return {
    async open({ accountId, passwordHash }, { address, userAgent }) {
      const token = createToken()
      const nowMs = now()
      const row: AccountSessionRow = {
        ...{ id: createId(nowMs), accountId, hash: hashKey(token) },
        ...{ address: address ?? null, userAgent: userAgent?.slice(0, 300) ?? null },
        ...{ createdAt: nowMs, usedAt: nowMs, expiresAt: nowMs + limits.sessionMs },
      }
      const isOpen = await transaction(async (tx) => {
        // Locks the account, because a change of its password ends all its sessions.
        const update = tx
          .updateTable('accounts')
          .set({ signedInAt: nowMs })
          .where('id', '=', accountId)
          .where('status', '=', 'active')
        const checked = passwordHash === undefined ? update : update.where('passwordHash', '=', passwordHash)
        const { numUpdatedRows } = await checked.executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) return false
        await tx.insertInto('accountSessions').values(row).execute()
        await endOldest(tx, accountId)
        return true
      })
      return isOpen ? token : undefined
    },
    async find(token) {
      const nowMs = now()
      const session = await findOpen(db, hashKey(token), { nowMs, ...limits })
      if (!session) return undefined
      const { sessionId, usedAt, id, role, email, name } = session
      if (usedAt < nowMs - usedEveryMs)
        await db.updateTable('accountSessions').set({ usedAt: nowMs }).where('id', '=', sessionId).execute()
      return { accountId: id, sessionId, email, name, ...(await readRoles(db, { id, role })) }
    },
    async close(token) {
      await db.deleteFrom('accountSessions').where('hash', '=', hashKey(token)).execute()
    },
  }
}

function findOpen(db: Session, hash: string, { nowMs, idleMs }: { readonly nowMs: number; readonly idleMs: number }) {
  return db
    .selectFrom('accountSessions')
    .innerJoin('accounts', 'accounts.id', 'accountSessions.accountId')
    .select(['accounts.id', 'accounts.role', 'accounts.email', 'accounts.name'])
    .select(['accountSessions.id as sessionId', 'accountSessions.usedAt'])
    .where('accountSessions.hash', '=', hash)
    .where('accounts.status', '=', 'active')
    .where('accountSessions.expiresAt', '>', nowMs)
    .where('accountSessions.usedAt', '>', nowMs - idleMs)
    .executeTakeFirst()
}

async function endOldest(db: Session, accountId: string): Promise<void> {
  const rows = await db
    .selectFrom('accountSessions')
    .select('id')
    .where('accountId', '=', accountId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .offset(maxSessions)
    .limit(100)
    .execute()
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await db.deleteFrom('accountSessions').where('id', 'in', ids).execute()
}

/** Ends all sessions of an account. */
export async function endSessions(db: Session, accountId: string): Promise<void> {
  await db.deleteFrom('accountSessions').where('accountId', '=', accountId).execute()
}
