import { request } from '../../api/api.ts'

/** The purpose of a one-time link, and its account. */
export interface LinkFacts {
  /** The purpose of the link. */
  readonly purpose: 'first-admin' | 'invite' | 'reset'
  /** The account's email address; null for the first admin. */
  readonly email: string | null
  readonly name: string
}

/** The fields of the one-time link page. */
export interface LinkFields {
  readonly token: string
  readonly password: string
  readonly name?: string | undefined
  readonly email?: string | undefined
}

const send = (path: string, method: 'POST' | 'PUT', body: object): Promise<Response> =>
  request(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/**
 * Signs in with a password.
 *
 * @throws {ApiFailure} The password is wrong, there were too many attempts, or the service does not respond.
 */
export async function signIn(email: string, password: string): Promise<void> {
  await send('/studio/session', 'POST', { email, password })
}

/**
 * Returns what a one-time link is for, without using it.
 *
 * @throws {ApiFailure} The link cannot be used.
 */
export async function readLink(token: string): Promise<LinkFacts> {
  return (await (await send('/studio/link', 'POST', { token })).json()) as LinkFacts
}

/**
 * Uses a one-time link: sets a password and signs in.
 *
 * @throws {ApiFailure} The link cannot be used, or a field is invalid.
 */
export async function redeemLink(fields: LinkFields): Promise<void> {
  await send('/studio/link', 'PUT', fields)
}

/** Returns the URL that redirects to the provider and then back to the current page. */
export function providerAddress(): string {
  return `/studio/oidc/start?to=${encodeURIComponent(location.pathname + location.search)}`
}
