import { createContext, use } from 'react'
import { type Api, readAnswer, request } from '../api/api.ts'
import { ApiFailure } from '../api/api-failure.ts'
import type { Role } from '../base/access.tsx'
import { readStored, store } from './storage.ts'

/** An environment that the session covers. */
export interface Environment {
  /** The display name. */
  readonly name: string
  /** The environment's id in the service. */
  readonly id: string
  readonly applicationIdentifier: string
  /** The user's role in the environment; undefined without accounts. */
  readonly role?: Role
}

/** The user's account. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly name: string
  /** Whether the user is an admin of all environments. */
  readonly managesPeople: boolean
}

/** The context of the studio. */
export interface Session {
  /** The current environment. */
  readonly environment: Environment
  /** All available environments. */
  readonly environments: readonly Environment[]
  /** The URL of the bridge with which the service was started, if any. */
  readonly bridgeUrl: string | undefined
  /** The service's API for the current environment. */
  readonly api: Api
  /** Switches to another environment. */
  choose(name: string): void
  /** Fetches the session again, after an environment was created or renamed. */
  refresh(): Promise<void>
  /**
   * Replaces the environment's secret key. A session that the old key opened continues with the new one.
   *
   * @param replace - Replaces the key, and returns the new one.
   */
  replaceKey(replace: () => Promise<string>): Promise<string>
  /** The user's account; undefined without accounts. */
  readonly account: Account | undefined
  /** Ends the account's session. */
  signOut(): void
  /** Ends the session if it was opened with a secret key. */
  readonly leave: (() => void) | undefined
}

/** Provides the session to its children. */
export const SessionContext: React.Context<Session | undefined> = createContext<Session | undefined>(undefined)

/**
 * Returns the session.
 *
 * @throws {Error} There is no session provider.
 */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession is used outside of a session.')
  return session
}

/** An open session of this browser. */
export interface OpenSession {
  /** This page's half of the session's proof. */
  readonly session: string
  /** The environments that the session covers. */
  readonly environments: readonly Environment[]
  /** The URL of the bridge with which the service was started. */
  readonly bridgeUrl?: string | null
  /** Whether it was opened with a link from the service or with a secret key. */
  readonly openedBy: 'link' | 'key' | 'account'
  /** The account of the signed-in user. */
  readonly account?: Account
}

/** Why there is no session: a link or key is required, or the user must sign in. */
export type Closed = 'no-session' | 'used-link' | SignIn

/** The available sign-in methods. */
export interface SignIn {
  /** The name of the OpenID provider; null if there is none. */
  readonly provider: string | null
}

const path = '/studio/session'
const entry = 'trestle.session'

/** The token of the link, until it is used; it is removed from the URL, because it is valid only once. */
let linkToken = takeToken()
const hadLink = linkToken !== undefined

function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return token
}

/**
 * Opens a session with the token of the link, or else resumes the browser's session. Returns the reason if there is no
 * session.
 *
 * @throws {ApiFailure} The service does not respond.
 */
export async function openSession(): Promise<OpenSession | Closed> {
  const token = linkToken
  const opened = token === undefined ? undefined : await orRefused(openWith({ token }))
  linkToken = undefined
  if (opened) return opened
  const session = readStored(entry) ?? ''
  const resumed = await resume(session)
  if (resumed) return 'openedBy' in resumed ? { ...resumed, session } : resumed
  return hadLink ? 'used-link' : 'no-session'
}

/** Returns the browser's session, or the available sign-in methods. */
async function resume(session: string): Promise<OpenSession | SignIn | undefined> {
  try {
    return await send({ session }, 'GET')
  } catch (error) {
    if (error instanceof ApiFailure && error.details.signIn) return error.details.signIn
    return orRefused(Promise.reject(error))
  }
}

/**
 * Opens a session with the token of a link, or with a secret key, which is not stored.
 *
 * @throws {ApiFailure} The token or key is invalid, or the service does not respond.
 */
export async function openWith(by: { readonly token: string } | { readonly secretKey: string }): Promise<OpenSession> {
  const opened = await send(by, 'POST')
  store(entry, opened.session)
  return opened
}

/** Ends the session in all tabs of this browser. */
export async function closeSession({ session }: Pick<OpenSession, 'session'>): Promise<void> {
  store(entry, undefined)
  await orRefused(request(path, { method: 'DELETE', headers: { 'studio-session': session } }))
}

type Proof = { readonly token: string } | { readonly secretKey: string } | { readonly session: string }

async function send(proof: Proof, method: 'GET' | 'POST'): Promise<OpenSession> {
  return readAnswer(await request(path, { method, ...toInit(proof) }))
}

function toInit(proof: Proof): RequestInit {
  if ('token' in proof)
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token: proof.token }) }
  if ('secretKey' in proof) return { headers: { authorization: `ApiKey ${proof.secretKey}` } }
  return { headers: { 'studio-session': proof.session } }
}

async function orRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiFailure && [401, 403, 404].includes(error.details.status)) return undefined
    throw error
  }
}
