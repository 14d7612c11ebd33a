import { ApiError } from '../error/error.ts'
import { isBrowser } from './browser.ts'

/** Where the account lives. Chosen at signup; a key of one region fails in the other. */
export type Region = 'us' | 'eu'

/** What a client of the API is set up with. */
export interface ApiClientOptions {
  /** The environment's secret key. Sent to `apiUrl` and to no other address. */
  readonly secretKey: string
  /** Base address without the version: of a self-hosted API, or of each region. A path in it is kept. */
  readonly apiUrl: string | Readonly<Record<Region, string>>
  /** Which of the regional addresses is used. @default 'us' */
  readonly region?: Region
  /** The time of one attempt, answer included, milliseconds. @default 30000 */
  readonly timeoutMs?: number
  /** The largest answer that is read, bytes. @default 10485760 */
  readonly maxAnswerBytes?: number
  /** How many attempts follow the first. @default 3 */
  readonly maxRetries?: number
  /** The longest wait the API may ask for; a call that would wait longer fails at once, milliseconds. @default 60000 */
  readonly maxRetryAfterMs?: number
  /** Sends requests. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch
  /** Makes idempotency keys. @default crypto.randomUUID */
  readonly createKey?: () => string
  /** The clock, milliseconds since 1970. @default Date.now */
  readonly nowMs?: () => number
  /** A number from 0 up to 1. @default Math.random */
  readonly random?: () => number
  /** Waits between attempts; rejects when the signal aborts. @default a timer */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** Calls back once after a time and returns what takes the callback back. @default a timer */
  readonly startTimer?: (ms: number, onTimeout: () => void) => () => void
}

/** The options with their defaults filled in. */
export type ResolvedOptions = Readonly<Required<Omit<ApiClientOptions, 'apiUrl' | 'region'>>> & {
  /** The base address that is used, without a slash at its end. */
  readonly baseUrl: string
}

/**
 * Fills in the defaults and checks what would fail later.
 *
 * @param options - As the user gave them.
 * @throws ApiError - `BrowserRefused` in a web page; `RequestInvalid` for a secret or an address that cannot be used.
 */
export function resolveOptions(options: ApiClientOptions): ResolvedOptions {
  if (isBrowser()) {
    throw new ApiError(
      'BrowserRefused',
      'The API is for servers: in a browser the secret key would be known to everyone.',
    )
  }
  const { secretKey, apiUrl, region = 'us' } = options
  // Characters outside this range cannot be sent in a header, and fetch would tell the value in its error.
  if (typeof secretKey !== 'string' || !/^[\x21-\x7e]+$/.test(secretKey)) {
    throw new ApiError('RequestInvalid', 'secretKey must be a secret key of the environment, without white space.')
  }
  return {
    secretKey,
    baseUrl: toBaseUrl(typeof apiUrl === 'object' ? apiUrl[region] : apiUrl),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxAnswerBytes: options.maxAnswerBytes ?? 10 * 1024 * 1024,
    maxRetries: options.maxRetries ?? 3,
    maxRetryAfterMs: options.maxRetryAfterMs ?? 60_000,
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    createKey: options.createKey ?? (() => crypto.randomUUID()),
    nowMs: options.nowMs ?? Date.now,
    random: options.random ?? Math.random,
    sleep: options.sleep ?? sleepFor,
    startTimer: options.startTimer ?? startTimer,
  }
}

function toBaseUrl(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw new ApiError('RequestInvalid', 'apiUrl must be an http or https address without user info and query.')
  }
  return url.origin + url.pathname.replace(/\/+$/, '')
}

function sleepFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      stopTimer()
      reject(signal?.reason)
    }
    const stopTimer = startTimer(ms, () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    })
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
  })
}

function startTimer(ms: number, onTimeout: () => void): () => void {
  const timer = setTimeout(onTimeout, ms)
  return () => clearTimeout(timer)
}
