import { ApiError } from '../error/error.ts'

/** The longest supported timer; a longer one would fire immediately. */
export const longestTimerMs = 2_147_483_647

/** An option that is a whole number. */
export interface LimitRule {
  /** The default value. */
  readonly fallback: number
  readonly min: number
  readonly max: number
}

/** A numeric option of a client. */
export type LimitName = 'timeoutMs' | 'maxAnswerBytes' | 'maxRetries' | 'maxRetryAfterMs'

/** The numeric options of a client. */
export const limitRules: Readonly<Record<LimitName, LimitRule>> = Object.freeze({
  timeoutMs: { fallback: 30_000, min: 1, max: longestTimerMs },
  maxAnswerBytes: { fallback: 10 * 1024 * 1024, min: 1, max: Number.MAX_SAFE_INTEGER },
  maxRetries: { fallback: 3, min: 0, max: 100 },
  maxRetryAfterMs: { fallback: 60_000, min: 0, max: longestTimerMs },
})

/** The numeric options with their defaults filled in. */
export type Limits = Readonly<Record<LimitName, number>>

/**
 * Fills in the defaults of the numeric options and checks them.
 *
 * @throws ApiError - `RequestInvalid`: a value is not a whole number within its limits.
 */
export function resolveLimits(options: { readonly [K in LimitName]?: number | undefined }): Limits {
  const entries = Object.entries(limitRules).map(([name, { fallback, min, max }]) => {
    const value: unknown = options[name as LimitName] ?? fallback
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return [name, value]
    const description = typeof value === 'number' ? String(value) : `of type ${typeof value}`
    throw new ApiError('RequestInvalid', `${name} must be an integer from ${min} to ${max}; it is ${description}.`)
  })
  return Object.fromEntries(entries) as Limits
}
