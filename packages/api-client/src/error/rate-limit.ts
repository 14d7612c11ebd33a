/** The rate limit policy that applied to a request, from the `RateLimit-Policy` header. */
export interface RateLimitPolicy {
  /** Tokens in a window. */
  readonly limit?: number
  /** Length of the window, in seconds. */
  readonly windowSeconds?: number
  /** Tokens that may be used above the limit. */
  readonly burst?: number
  readonly comment?: string
  /** The bucket: events, configuration or global; other values are passed through. */
  readonly category?: string
  /** `single` or `bulk`. */
  readonly cost?: string
  readonly serviceLevel?: string
}

/** The values of the rate limit headers; missing and invalid ones are absent. */
export interface RateLimit {
  /** Tokens of the current window. */
  readonly limit?: number
  /** Tokens left in the current window. */
  readonly remaining?: number
  /** Seconds until all tokens are available again. */
  readonly resetSeconds?: number
  readonly policy?: RateLimitPolicy
}

/**
 * Reads the rate limit headers of a response. If a header is repeated, the stricter value is used.
 *
 * @source service-api.md#rate-limits
 */
export function parseRateLimit(headers: Headers): RateLimit {
  const policy = headers.get('ratelimit-policy')
  return dropAbsent({
    limit: choose(headers.get('ratelimit-limit'), Math.min),
    remaining: choose(headers.get('ratelimit-remaining'), Math.min),
    resetSeconds: choose(headers.get('ratelimit-reset'), Math.max),
    policy: policy === null ? undefined : parsePolicy(policy),
  })
}

/**
 * Reads the header `Retry-After`, in seconds or as a date. If it is repeated, the longest delay is used.
 *
 * @param value - The header's value; `null` when it is absent.
 * @param nowMs - The clock, milliseconds since 1970.
 * @returns Milliseconds, or `undefined` if no value is a number of seconds or a future date.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  // Repeated headers are joined with commas, and a date contains a comma after its weekday.
  const waits = [...(value ?? '').matchAll(/(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,[^,]*|[^,]+/gi)].flatMap(([text]) => {
    const seconds = toNumber(text)
    if (seconds !== undefined) return [seconds * 1000]
    // Dates contain letters; Date.parse would also accept "-5".
    const ms = /[a-z]/i.test(text) ? Date.parse(text) - nowMs : Number.NaN
    return ms >= 0 ? [ms] : []
  })
  return waits.length === 0 ? undefined : Math.max(...waits)
}

/** Returns whether a response was replayed, according to its `Idempotency-Replay` header. */
export function isReplayed(headers: Headers): boolean {
  const values = headers.get('idempotency-replay')?.split(',') ?? []
  return values.some((value) => value.trim().toLowerCase() === 'true')
}

function parsePolicy(text: string): RateLimitPolicy {
  const [limit = '', ...parts] = text.split(';').map((part) => part.trim())
  const named = new Map(
    parts.map((part) => {
      const at = part.indexOf('=')
      return [
        part.slice(0, at).trim(),
        part
          .slice(at + 1)
          .trim()
          .replace(/^"|"$/g, ''),
      ]
    }),
  )
  return dropAbsent({
    limit: toNumber(limit),
    windowSeconds: toNumber(named.get('w')),
    burst: toNumber(named.get('burst')),
    comment: named.get('comment'),
    category: named.get('category'),
    cost: named.get('cost'),
    serviceLevel: named.get('serviceLevel'),
  })
}

function choose(value: string | null, pick: (...numbers: number[]) => number): number | undefined {
  const numbers = (value ?? '').split(',').map(toNumber)
  return numbers.every((number) => number !== undefined) ? pick(...numbers) : undefined
}

function toNumber(text: string | null | undefined): number | undefined {
  return typeof text === 'string' && /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined
}

function dropAbsent<T extends object>(value: T): { [TKey in keyof T]?: Exclude<T[TKey], undefined> } {
  const present = Object.entries(value).filter(([, part]) => part !== undefined)
  return Object.freeze(Object.fromEntries(present)) as { [TKey in keyof T]?: Exclude<T[TKey], undefined> }
}
