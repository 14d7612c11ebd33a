import { request } from '../../api/api.ts'

/** The purpose of a one-time link, and its account. */
export interface LinkFacts {
  /** What it is for. */
  readonly purpose: 'first-admin' | 'invite' | 'reset'
  /** The mail address of its account; null for the first admin. */
  readonly email: string | null
  /** The name of its account. */
  readonly name: string
}

/** The fields of the page of a one-time link. */
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
 * @throws {ApiFailure} It is wrong, there were too many attempts, or the service does not answer.
 */
export async function signIn(email: string, password: string): Promise<void> {
  await send('/studio/session', 'POST', { email, password })
}

/**
 * Reads what a one-time link is for, without using it.
 *
 * @throws {ApiFailure} It cannot be used.
 */
export async function readLink(token: string): Promise<LinkFacts> {
  return (await (await send('/studio/link', 'POST', { token })).json()) as LinkFacts
}

/**
 * Uses a one-time link: sets a password and signs in.
 *
 * @throws {ApiFailure} It cannot be used, or a field is refused.
 */
export async function redeemLink(fields: LinkFields): Promise<void> {
  await send('/studio/link', 'PUT', fields)
}

/** Returns the address that leads to the provider and back to the page that is shown. */
export function providerAddress(): string {
  return `/studio/oidc/start?to=${encodeURIComponent(location.pathname + location.search)}`
}
