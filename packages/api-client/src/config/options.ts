import { ApiError } from '../error/error.ts'
import { createRedact, type Redact } from '../error/redact.ts'
import { isBrowser } from './browser.ts'
import { type Limits, limitRules, resolveLimits } from './limits.ts'
import { defaultPlatform, type Platform, resolvePlatform } from './platform.ts'

/** The region of an account, chosen at signup; a key only works in its region. */
export type Region = 'us' | 'eu'

/** The options of an API client. Unknown options are rejected. */
export interface ApiClientOptions {
  /** The environment's secret key. Sent to `apiUrl` and to no other address. */
  readonly secretKey: string
  /** Base address without the version: of a self-hosted API, or of each region. Its path is kept. */
  readonly apiUrl: string | Readonly<Record<Region, string>>
  /** The regional address to use. @default 'us' */
  readonly region?: Region | undefined
  /** The timeout of one attempt including the response, in milliseconds: 1 to 2147483647. @default 30000 */
  readonly timeoutMs?: number | undefined
  /** The maximum size of a response, in bytes. @default 10485760 */
  readonly maxAnswerBytes?: number | undefined
  /** How many attempts follow the first: 0 to 100. @default 3 */
  readonly maxRetries?: number | undefined
  /**
   * The longest delay that the API can request, in milliseconds; a call that would wait longer fails immediately.
   * @default 60000
   */
  readonly maxRetryAfterMs?: number | undefined
  /** Sends requests. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Creates idempotency keys. @default crypto.randomUUID */
  readonly createKey?: (() => string) | undefined
  /** Returns the time, milliseconds since 1970. @default Date.now */
  readonly nowMs?: (() => number) | undefined
  /** Returns a number from 0 up to 1. @default Math.random */
  readonly random?: (() => number) | undefined
  /** Waits between attempts; rejects when the signal aborts. @default a timer */
  readonly sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined
  /** Calls back once after a time, and returns a function that cancels the callback. @default a timer */
  readonly startTimer?: ((ms: number, onTimeout: () => void) => () => void) | undefined
}

/** The options with their defaults filled in. */
export interface ResolvedOptions extends Limits, Platform {
  readonly secretKey: string
  /** The base address, without a trailing slash. */
  readonly baseUrl: string
  /** Removes the secret key from text. */
  readonly redact: Redact
}

/**
 * Fills in the defaults and validates the options.
 *
 * @param options - The options as the user passed them.
 * @throws ApiError - `BrowserRefused` in a web page; `RequestInvalid` for an invalid option.
 */
export function resolveOptions(options: ApiClientOptions): ResolvedOptions {
  if (isBrowser()) {
    throw new ApiError(
      'BrowserRefused',
      'The API client is for servers: a browser would expose the secret key to everyone.',
    )
  }
  checkNames(options)
  const { secretKey } = options
  // Other characters cannot be sent in a header, and the fetch error would contain the value.
  if (typeof secretKey !== 'string' || !/^[\x21-\x7e]+$/.test(secretKey)) {
    throw invalid('secretKey must be a secret key of the environment, without whitespace.')
  }
  return {
    secretKey,
    baseUrl: toBaseUrl(options),
    redact: createRedact(secretKey),
    ...resolveLimits(options),
    ...resolvePlatform(options),
  }
}

const names: readonly string[] = [
  'secretKey',
  'apiUrl',
  'region',
  ...Object.keys(limitRules),
  ...Object.keys(defaultPlatform),
]

function checkNames(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw invalid('createApiClient needs an object with secretKey and apiUrl.')
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) throw invalid(`Unknown option "${unknown}". The options are ${names.join(', ')}.`)
}

function toBaseUrl({ apiUrl, region = 'us' }: ApiClientOptions): string {
  if (region !== 'us' && region !== 'eu') throw invalid('region must be "us" or "eu".')
  const text: unknown = typeof apiUrl === 'object' && apiUrl !== null ? apiUrl[region] : apiUrl
  const url = typeof text === 'string' ? parseUrl(text) : undefined
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw invalid('apiUrl must be an http or https address without user info or query.')
  }
  return url.origin + url.pathname.replace(/\/+$/, '')
}

// Not `URL.canParse`: in Node 20, once optimized, it rejects host names with letters such as `ü`.
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

function invalid(message: string): ApiError {
  return new ApiError('RequestInvalid', message)
}
