import { ApiError } from '../error/error.ts'
import { createRedact, type Redact } from '../error/redact.ts'
import { isBrowser } from './browser.ts'
import { type Limits, limitRules, resolveLimits } from './limits.ts'
import { defaultPlatform, type Platform, resolvePlatform } from './platform.ts'

/** Where an account lives. Chosen at signup; a key of one region fails in the other. */
export type Region = 'us' | 'eu'

/** The options of a client of the API. Any other name is refused. */
export interface ApiClientOptions {
  /** The environment's secret key. Sent to `apiUrl` and to no other address. */
  readonly secretKey: string
  /** Base address without the version: of a self-hosted API, or of each region. A path in it is kept. */
  readonly apiUrl: string | Readonly<Record<Region, string>>
  /** Which of the regional addresses is used. @default 'us' */
  readonly region?: Region | undefined
  /** The time of one attempt, answer included, milliseconds: 1 to 2147483647. @default 30000 */
  readonly timeoutMs?: number | undefined
  /** The largest answer that is read, bytes. @default 10485760 */
  readonly maxAnswerBytes?: number | undefined
  /** How many attempts follow the first: 0 to 100. @default 3 */
  readonly maxRetries?: number | undefined
  /** The longest wait the API may ask for; a call that would wait longer fails at once, milliseconds. @default 60000 */
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
  /** Calls back once after a time and returns what takes the callback back. @default a timer */
  readonly startTimer?: ((ms: number, onTimeout: () => void) => () => void) | undefined
}

/** The options with their defaults filled in. */
export interface ResolvedOptions extends Limits, Platform {
  /** The environment's secret key. */
  readonly secretKey: string
  /** The base address that is used, without a slash at its end. */
  readonly baseUrl: string
  /** Takes the secret key out of a text. */
  readonly redact: Redact
}

/**
 * Fills in the defaults and checks what would fail later.
 *
 * @param options - The options as the user passed them.
 * @throws ApiError - `BrowserRefused` in a web page; `RequestInvalid` for an option that cannot be used.
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
  // Characters outside this range cannot be sent in a header, and fetch would tell the value in its error.
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

// Not `URL.canParse`: in Node 20, once it is called often, it denies host names with letters such as `ü`.
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
