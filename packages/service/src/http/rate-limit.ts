import { type RawBuilder, sql } from 'kysely'
import { ApiError } from '../api/api-error.ts'
import type { Plan } from '../config/options.ts'
import type { Operation, RateCategory } from '../context/operation.ts'
import type { Session, Store } from '../store/store.ts'

const windowSeconds = 5
const burstShare = 1.1

/** Tokens per second by plan and category. @source service-api.md#rate-limits */
const perSecond: Readonly<Record<Exclude<Plan, 'off'>, Readonly<Record<RateCategory, number>>>> = {
  free: { events: 60, configuration: 20, global: 30 },
  pro: { events: 240, configuration: 80, global: 120 },
  team: { events: 600, configuration: 200, global: 300 },
  enterprise: { events: 6000, configuration: 2000, global: 3000 },
}

/** The clocks of machines differ by less than this; if a bucket is further ahead, the clock was set back. */
const furthestAheadMs = 60_000

const costs = { single: 1, bulk: 100 } as const

/** Dependencies for taking tokens. */
export interface RateLimitOptions {
  /** The database; all its processes share the buckets. */
  readonly store: Pick<Store, 'db' | 'driver'>
  /** The plan; `off` disables the limit. */
  readonly plan: Plan
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/** The result of taking tokens. */
export interface RateVerdict {
  /** Headers of the response, successful or not. */
  readonly headers: Readonly<Record<string, string>>
  /** The rejection if there were too few tokens, in which case none were taken. */
  readonly refusal?: ApiError
}

/**
 * Takes the tokens of one call from the bucket of its environment and category, in one database statement. A bucket
 * holds the tokens of five seconds plus a tenth, and refills steadily.
 *
 * @source service-api.md#rate-limits
 */
export async function takeTokens(
  { category, cost: kind = 'single' }: Pick<Operation, 'category' | 'cost'>,
  environmentId: string,
  { store, plan, nowMs }: RateLimitOptions,
): Promise<RateVerdict> {
  if (plan === 'off') return { headers: {} }
  const rate = perSecond[plan][category]
  const limit = rate * windowSeconds
  const capacity = Math.floor(limit * burstShare)
  const cost = costs[kind]
  const bucket: Bucket = { environmentId, category, capacity, cost, rate, nowMs }
  const left = await take(store, bucket)
  const tokens = left ?? (await read(store, bucket))
  const headers = {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, Math.floor(tokens))),
    'ratelimit-reset': String(secondsUntil(capacity - tokens, rate)),
    'ratelimit-policy': `${limit};w=${windowSeconds};burst=${capacity};comment="token bucket";category="${category}";cost="${kind}";serviceLevel="${plan}"`,
  }
  if (left !== undefined) return { headers }
  const retryAfter = String(Math.max(1, secondsUntil(cost - tokens, rate)))
  const refusal = new ApiError(429, 'API rate limit exceeded', { headers: { 'retry-after': retryAfter } })
  return { headers, refusal }
}

interface Bucket {
  readonly environmentId: string
  readonly category: RateCategory
  readonly capacity: number
  readonly cost: number
  readonly rate: number
  readonly nowMs: number
}

const secondsUntil = (missing: number, rate: number): number => Math.max(0, Math.ceil(missing / rate))

/** Takes the tokens; returns undefined and takes none if there are too few. */
async function take({ db, driver }: RateLimitOptions['store'], bucket: Bucket): Promise<number | undefined> {
  const { environmentId, category, capacity, cost, nowMs } = bucket
  const refilled = refill(driver, bucket)
  const greatest = sql.raw(driver === 'postgres' ? 'greatest' : 'max')
  const later = sql`case when ${isAhead(nowMs)} then ${nowMs} else ${greatest}("rateBuckets"."refilledAt", ${nowMs}) end`
  const { rows } = await sql<{ readonly tokens: number }>`
    insert into "rateBuckets" ("environmentId", "category", "tokens", "refilledAt")
    values (${environmentId}, ${category}, ${capacity - cost}, ${nowMs})
    on conflict ("environmentId", "category") do update set "tokens" = ${refilled} - ${cost}, "refilledAt" = ${later}
    where ${refilled} >= ${cost} returning "tokens"`.execute(db)
  return rows[0]?.tokens
}

async function read({ db, driver }: RateLimitOptions['store'], bucket: Bucket): Promise<number> {
  const { rows } = await sql<{
    readonly tokens: number
  }>`select ${refill(driver, bucket)} as "tokens" from "rateBuckets"
    where "environmentId" = ${bucket.environmentId} and "category" = ${bucket.category}`.execute(db as Session)
  return rows[0]?.tokens ?? 0
}

/** The current tokens of a bucket. */
function refill(driver: Store['driver'], { capacity, rate, nowMs }: Bucket): RawBuilder<number> {
  const [least, greatest] = driver === 'postgres' ? ['least', 'greatest'] : ['min', 'max']
  const since = sql`${sql.raw(greatest)}(${nowMs} - "rateBuckets"."refilledAt", 0)`
  const filled = sql`${sql.raw(least)}(${capacity}, "rateBuckets"."tokens" + ${since} * ${rate} / 1000.0)`
  return sql`case when ${isAhead(nowMs)} then ${capacity} else ${filled} end`
}

/** Otherwise such a bucket would not refill until its time is reached again. */
const isAhead = (nowMs: number): RawBuilder<boolean> =>
  sql<boolean>`"rateBuckets"."refilledAt" > ${nowMs + furthestAheadMs}`
