import { createContext, use } from 'react'
import { type Api, request } from '../api/api.ts'
import { ApiFailure } from '../api/api-failure.ts'
import type { Role } from '../base/access.tsx'
import { readStored, store } from './storage.ts'

/** An environment that the session covers. */
export interface Environment {
  /** The display name. */
  readonly name: string
  /** Identifier in the service. */
  readonly id: string
  /** The application identifier. */
  readonly applicationIdentifier: string
  /** The role of the person there; undefined without accounts. */
  readonly role?: Role
}

/** The account of the person. */
export interface Account {
  readonly id: string
  readonly email: string
  readonly name: string
  /** Whether they are admin of all environments. */
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
  /**
   * Replaces the secret key of the environment. A session that the old key opened continues with the new one.
   *
   * @param replace - Replaces it, and returns the new key.
   */
  replaceKey(replace: () => Promise<string>): Promise<string>
  /** The account of the person; undefined without accounts. */
  readonly account: Account | undefined
  /** Ends the session of an account. */
  signOut(): void
  /** Ends the session, if it was opened by an entered secret key. */
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
  /** This page's half of its proof. */
  readonly session: string
  /** The environments that it covers. */
  readonly environments: readonly Environment[]
  /** The URL of the bridge with which the service was started. */
  readonly bridgeUrl?: string | null
  /** Whether it was opened by a link of the service, or by a secret key. */
  readonly openedBy: 'link' | 'key' | 'account'
  /** The account of the person who signed in. */
  readonly account?: Account
}

/** Why there is no session: it is opened by a link or a key, or people sign in. */
export type Closed = 'no-session' | 'used-link' | SignIn

/** How people sign in. */
export interface SignIn {
  /** The name of the OpenID provider; null if there is none. */
  readonly provider: string | null
}

const path = '/studio/session'
const entry = 'trestle.session'

/** The token of the link; it is removed from the URL, because it is valid only once. */
const linkToken = takeToken()

function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return token
}

/**
 * Opens the session by the token of the link, else resumes the browser's session. Returns the reason if there is none.
 *
 * @throws {ApiFailure} The service does not answer.
 */
export async function openSession(): Promise<OpenSession | Closed> {
  const opened = linkToken === undefined ? undefined : await orRefused(openWith({ token: linkToken }))
  if (opened) return opened
  const session = readStored(entry) ?? ''
  const resumed = await resume(session)
  if (resumed) return 'openedBy' in resumed ? { ...resumed, session } : resumed
  return linkToken === undefined ? 'no-session' : 'used-link'
}

/** Returns the session that this browser has, or how people sign in. */
async function resume(session: string): Promise<OpenSession | SignIn | undefined> {
  try {
    return await send({ session }, 'GET')
  } catch (error) {
    if (error instanceof ApiFailure && error.details.signIn) return error.details.signIn
    return orRefused(Promise.reject(error))
  }
}

/**
 * Opens a session by the token of a link, or by a secret key, which is not stored.
 *
 * @throws {ApiFailure} The token or key is invalid, or the service does not answer.
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
  const response = await request(path, { method, ...toInit(proof) })
  return (await response.json()) as OpenSession
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
