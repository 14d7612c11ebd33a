import type { Accounts } from '../accounts/accounts.ts'
import type { Person } from '../accounts/base/access.ts'
import { ApiError } from '../api/api-error.ts'
import type { HttpCall } from '../api/http-call.ts'
import type { CallerAddress } from './caller-address.ts'
import { readCookies } from './cookies.ts'

/** How people's browsers reach the service. */
export interface PeopleAccess {
  readonly accounts: Accounts
  /** Returns the URL of the service for browsers, without a trailing slash. */
  readonly url: () => string
  readonly addressOf: CallerAddress
}

/** The cookies used for people. */
export type PeopleCookie = 'session' | 'browser' | 'oidc'

/**
 * Returns the name of a cookie. With the prefix, browsers only accept it from this host and over TLS. On loopback
 * without TLS, the name contains the port, because all ports of a host share cookies.
 */
export function cookieNameOf(url: string, cookie: PeopleCookie): string {
  const { protocol, port } = new URL(url)
  return protocol === 'https:' ? `__Host-trestle_${cookie}` : `trestle_${cookie}_${port || 80}`
}

/** How long a cookie lasts, and which requests include it. */
export interface CookieRules {
  /** The lifetime in seconds; 0 removes the cookie. */
  readonly maxAge: number
  /** `Lax` for a cookie that must be sent when another site redirects back to the service. @default 'Strict' */
  readonly sameSite?: 'Strict' | 'Lax'
}

/** Returns a `Set-Cookie` header. Scripts cannot read the cookie. */
export function writeCookie(
  url: string,
  [cookie, value]: readonly [PeopleCookie, string],
  { maxAge, sameSite = 'Strict' }: CookieRules,
): string {
  const secure = new URL(url).protocol === 'https:' ? '; Secure' : ''
  return `${cookieNameOf(url, cookie)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly${secure}; SameSite=${sameSite}`
}

/** Returns the value of a cookie; undefined if it is missing or sent more than once. */
export function readCookie(http: HttpCall, url: string, cookie: PeopleCookie): string | undefined {
  const values = readCookies(http, cookieNameOf(url, cookie))
  return values.length === 1 && values[0] !== '' ? values[0]?.slice(0, 4000) : undefined
}

/**
 * Rejects calls that pages from other origins make with a person's cookies. The URL to compare with comes from the
 * settings, never from the call.
 *
 * @throws {ApiError} 403
 */
export function admitBrowser(http: Pick<HttpCall, 'header' | 'method'>, url: string): void {
  const origin = http.header('origin')
  const site = http.header('sec-fetch-site')
  const isRead = http.method === 'GET' || http.method === 'HEAD'
  const isOwn = origin === undefined ? site === 'same-origin' || (isRead && isDirect(site)) : origin === originOf(url)
  if (isOwn && (site === undefined || site === 'same-origin' || site === 'none')) return
  throw new ApiError(
    403,
    `Only pages from ${originOf(url)} may call the studio. Open it there, or correct accounts.url.`,
  )
}

/** Accepts a missing header, because old browsers and other programs do not send it. */
const isDirect = (site: string | undefined): boolean => site === undefined || site === 'none'

const originOf = (url: string): string => new URL(url).origin

/**
 * Returns the person to whom the session of a call belongs.
 *
 * @throws {ApiError} 401, or 403 for a page from another origin.
 */
export async function findPerson(http: HttpCall, { accounts, url }: PeopleAccess): Promise<Person> {
  admitBrowser(http, url())
  const token = readCookie(http, url(), 'session')
  const person = token === undefined ? undefined : await accounts.sessions.find(token)
  if (person) return person
  throw new ApiError(401, 'You are not signed in, or your session has ended.', {
    extra: { signIn: { provider: accounts.oidc?.name ?? null } },
  })
}
