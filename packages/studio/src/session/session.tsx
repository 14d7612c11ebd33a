import { createContext, use } from 'react'
import { type Api, request } from '../api/api.ts'
import { ApiFailure } from '../api/api-failure.ts'
import { readStored, store } from './storage.ts'

/** An environment that the studio may work in. */
export interface Environment {
  /** Name for people. */
  readonly name: string
  /** Identifier in the service. */
  readonly id: string
  /** Identifier that client libraries use. */
  readonly applicationIdentifier: string
}

/** What the studio works with. */
export interface Session {
  /** The environment that is shown. */
  readonly environment: Environment
  /** All environments there are to choose from. */
  readonly environments: readonly Environment[]
  /** Address of the bridge that the service was started with, where it was. */
  readonly bridgeUrl: string | undefined
  /** The service's API, as the environment that is shown. */
  readonly api: Api
  /** Shows another environment. */
  choose(name: string): void
  /** Ends the session, if it was opened by a secret key that was typed in. */
  readonly leave: (() => void) | undefined
}

/** Holds the session for all below it. */
export const SessionContext: React.Context<Session | undefined> = createContext<Session | undefined>(undefined)

/**
 * Returns the session.
 *
 * @throws {Error} Nothing above holds one.
 */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession is used outside of a session.')
  return session
}

/** A session of the service that is open in this browser. */
export interface OpenSession {
  /** The half of its proof that this page holds. */
  readonly session: string
  /** The environments that it covers. */
  readonly environments: readonly Environment[]
  /** Address of the bridge that the service was started with. */
  readonly bridgeUrl?: string | null
  /** Whether a link of the service opened it, or a secret key. */
  readonly openedBy: 'link' | 'key'
}

const path = '/studio/session'
const entry = 'trestle.session'

/** The token of the link that led here; it is taken out of the address, since it opens nothing a second time. */
const linkToken = takeToken()

function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return token
}

/**
 * Opens the session: by the token of the link that led here, else the one this browser has. Returns why there is none.
 *
 * @throws {ApiFailure} The service does not answer.
 */
export async function openSession(): Promise<OpenSession | 'no-session' | 'used-link'> {
  const opened = linkToken === undefined ? undefined : await orRefused(openWith({ token: linkToken }))
  if (opened) return opened
  const session = readStored(entry)
  const resumed = session === undefined ? undefined : await orRefused(send({ session }, 'GET'))
  if (resumed && session !== undefined) return { ...resumed, session }
  return linkToken === undefined ? 'no-session' : 'used-link'
}

/**
 * Opens a session by the token of a link, or by a secret key, which is not kept.
 *
 * @throws {ApiFailure} It opens nothing, or the service does not answer.
 */
export async function openWith(by: { readonly token: string } | { readonly secretKey: string }): Promise<OpenSession> {
  const opened = await send(by, 'POST')
  store(entry, opened.session)
  return opened
}

/** Ends a session, for all tabs of this browser. */
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
