import { createContext, use } from 'react'
import { type Api, createApi } from '../api/api.ts'

/** An environment that the studio may work in. */
export interface Environment {
  /** Name for people. */
  readonly name: string
  /** Identifier in the service. */
  readonly id: string
  /** Identifier that client libraries use. */
  readonly applicationIdentifier: string
  /** Opens the environment's API. */
  readonly secretKey: string
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
  /** Forgets the secret key, where one was typed in. */
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

/** Answer of the service when it was started with the studio. */
export interface SessionAnswer {
  /** Environments with their keys. */
  readonly environments: readonly Environment[]
  /** Address of the bridge that the service was started with. */
  readonly bridgeUrl?: string | null
}

/** Reads the environments from a service that hands them to its own studio, or null where a key is needed. */
export async function fetchSession(): Promise<SessionAnswer | null> {
  const response = await fetch('/studio/session', { headers: { accept: 'application/json' } })
  const isJson = response.headers.get('content-type')?.includes('json') === true
  if (response.status === 404 || !isJson) return null
  const answer = (await response.json()) as { data?: SessionAnswer } & SessionAnswer & { message?: string }
  if (!response.ok) throw new Error(answer.message ?? `The service answered with ${response.status}.`)
  return answer.data ?? answer
}

/**
 * Reads the environment that a secret key opens.
 *
 * @param secretKey - What someone typed in.
 * @throws {ApiFailure} The key opens nothing, or the service does not answer.
 */
export async function fetchEnvironment(secretKey: string): Promise<Environment> {
  const found = await createApi(secretKey).read<{ _id: string; name: string; identifier: string }>(
    '/v1/environments/me',
  )
  return { name: found.name, id: found._id, applicationIdentifier: found.identifier, secretKey }
}
