import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { type RawBuilder, sql } from 'kysely'
import { ApiError } from '../../api/api-error.ts'
import type { Session, Store } from '../../store/store.ts'

/** The maximum number of attempts, and how quickly they are replenished. */
interface Limit {
  readonly capacity: number
  /** The time until one more attempt is allowed, in milliseconds. */
  readonly everyMs: number
}

/**
 * The limits on attempts. An account has one limit for all unknown browsers, and a separate one for each browser that
 * has signed in before. Attackers who use up the first therefore cannot lock out the owner.
 */
const limits: Readonly<Record<'address' | 'account' | 'browser', Limit>> = {
  address: { capacity: 30, everyMs: 5000 },
  account: { capacity: 10, everyMs: 30_000 },
  browser: { capacity: 10, everyMs: 30_000 },
}

/** The time without attempts after which a limit is full again, in milliseconds. */
export const attemptsLifeMs: number = 10 * 60_000

/** What is limited. */
export interface Attempted {
  readonly kind: 'address' | 'account' | 'browser'
  /** What the attempt counts for, such as an address. */
  readonly name: string
}

/** Limits attempts, across all processes that use a database. */
export interface Attempts {
  /**
   * Consumes one attempt from each limit.
   *
   * @throws {ApiError} 429 if one of them has no attempts left.
   */
  take(...attempted: readonly Attempted[]): Promise<void>
  /** Restores the attempt after a success. */
  giveBack(attempted: Attempted): Promise<void>
}

/**
 * Creates the limits on attempts.
 *
 * @param now - Returns the time, in milliseconds since 1970.
 */
export function createAttempts({ db, driver }: Pick<Store, 'db' | 'driver'>, now: () => number): Attempts {
  return {
    async take(...attempted) {
      for (const one of attempted) {
        const limit = limits[one.kind]
        const left = await take({ db, driver }, { ...limit, key: toKey(one), nowMs: now() })
        if (left) continue
        const seconds = String(Math.ceil(limit.everyMs / 1000))
        throw new ApiError(429, `Too many attempts to sign in. Wait ${seconds} seconds, then try again.`, {
          headers: { 'retry-after': seconds },
        })
      }
    },
    async giveBack(attempted) {
      await db
        .updateTable('attempts')
        .set((set) => ({ tokens: set('tokens', '+', 1) }))
        .where('key', '=', toKey(attempted))
        .where('tokens', '<=', limits[attempted.kind].capacity - 1)
        .execute()
    },
  }
}

/**
 * Hashes the name of a limit, because callers can choose names of any length. An IPv6 network counts as one address.
 */
function toKey({ kind, name }: Attempted): string {
  const limited = kind === 'address' && isIPv6(name) ? networkOf(name) : name
  return createHash('sha256')
    .update(JSON.stringify([kind, limited]))
    .digest('hex')
}

/** Returns the 64-bit network of an IPv6 address, because providers assign such networks. */
function networkOf(address: string): string {
  const [head = '', tail = ''] = (address.split('%', 1)[0] ?? '').split('::')
  const [first, last] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''))
  const missing = Math.max(0, 8 - (first?.length ?? 0) - (last?.length ?? 0))
  const groups = [...(first ?? []), ...Array.from({ length: missing }, () => '0'), ...(last ?? [])]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

interface Bucket extends Limit {
  readonly key: string
  readonly nowMs: number
}

/** The maximum clock difference between machines; if a bucket is further ahead, the clock was set back. */
const furthestAheadMs = 60_000

async function take({ db, driver }: Pick<Store, 'db' | 'driver'>, bucket: Bucket): Promise<boolean> {
  const { key, capacity, everyMs, nowMs } = bucket
  const [least, greatest] = (driver === 'postgres' ? ['least', 'greatest'] : ['min', 'max']).map((name) =>
    sql.raw<unknown>(name),
  ) as [RawBuilder<unknown>, RawBuilder<unknown>]
  const since = sql`${greatest}(${nowMs} - "attempts"."refilledAt", 0)`
  const isAhead = sql`"attempts"."refilledAt" > ${nowMs + furthestAheadMs}`
  const refilled = sql`case when ${isAhead} then ${capacity}
    else ${least}(${capacity}, "attempts"."tokens" + ${since} * 1.0 / ${everyMs}) end`
  const later = sql`case when ${isAhead} then ${nowMs} else ${greatest}("attempts"."refilledAt", ${nowMs}) end`
  const { rows } = await sql`
    insert into "attempts" ("key", "tokens", "refilledAt") values (${key}, ${capacity - 1}, ${nowMs})
    on conflict ("key") do update set "tokens" = ${refilled} - 1, "refilledAt" = ${later}
    where ${refilled} >= 1 returning "key"`.execute(db as Session)
  return rows.length > 0
}
