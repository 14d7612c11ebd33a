import type { Person } from '../accounts/base/access.ts'
import { ApiError } from '../api/api-error.ts'
import type { HttpCall } from '../api/http-call.ts'
import type { SubscriberSession } from '../inbox/subscriber-session.ts'
import { findByKeyHash, readSecret } from '../keys/authenticate.ts'
import { hashKey, toKeyId } from '../keys/hash-key.ts'
import type { EnvironmentRow } from '../store/schema/account.ts'
import type { Session } from '../store/store.ts'
import { type AdmitOptions, admitHere } from './admit.ts'
import { readCookies } from './cookies.ts'
import { findPerson, type PeopleAccess, readCookie } from './identify-person.ts'
import type { Grant, LocalSessions } from './local-sessions.ts'

/** The header with the half of the session proof that is not in the cookie. */
export const sessionHeader = 'studio-session'
/** The header that selects one of the session's environments. */
export const environmentHeader = 'studio-environment'

/** Dependencies for identifying callers. */
export interface Identification {
  readonly db: Session
  readonly sessions: LocalSessions
  readonly admission: () => AdmitOptions
  /** How people reach the service; undefined if accounts are off. */
  readonly people: PeopleAccess | undefined
}

export interface Caller {
  /** The environment that the caller can access. */
  readonly environment: EnvironmentRow
  /** Identifies the secret key of the call in histories; absent for a studio or subscriber session. */
  readonly keyId?: string
  readonly session?: SubscriberSession
  /** The person, if the call has an account session. */
  readonly person?: Person
}

/**
 * Returns the caller, identified by the secret key in the `Authorization` header or by a studio session. If accounts
 * are on, this is an account session. Nothing else identifies a caller; its origin can only cause a rejection.
 *
 * @throws {ApiError} 401, or 403 for a session used from another origin or for another environment.
 */
export async function identify(http: HttpCall, identification: Identification): Promise<Caller> {
  const { db, people } = identification
  const header = http.header('authorization')
  if (people && header === undefined && readCookie(http, people.url(), 'session') !== undefined)
    return identifyPerson(http, db, people)
  if (people || header !== undefined || http.header(sessionHeader) === undefined) {
    const hash = hashKey(readSecret(header))
    return { environment: await findByKeyHash(db, hash), keyId: toKeyId(hash) }
  }
  const { environmentIds, keyHash } = findGrant(http, identification)
  const id = http.header(environmentHeader)
  if (id === undefined || !environmentIds.includes(id))
    throw new ApiError(403, `The header ${environmentHeader} must name an environment that the session covers.`)
  const environment = keyHash === undefined ? await findEnvironment(db, id) : await findByKeyHash(db, keyHash)
  return { environment }
}

async function identifyPerson(http: HttpCall, db: Session, people: PeopleAccess): Promise<Caller> {
  const person = await findPerson(http, people)
  const id = http.header(environmentHeader)
  if (id === undefined) throw new ApiError(403, `The header ${environmentHeader} must name an environment.`)
  return { environment: await findEnvironment(db, id), person }
}

/**
 * Returns the permissions of a call's session.
 *
 * @throws {ApiError} 401, or 403 for a session used from another origin.
 */
export function findGrant(
  http: HttpCall,
  { sessions, admission }: Pick<Identification, 'sessions' | 'admission'>,
): Grant {
  admitHere(http, admission())
  const grant = sessions.find(readSessionCookies(http, admission()), http.header(sessionHeader) ?? '')
  if (grant) return grant
  throw new ApiError(401, 'This studio session has ended. Open the link that the service printed at startup.')
}

/** Returns the cookie name, which contains the port because all ports of a host share cookies. */
export const cookieName = ({ port }: Pick<AdmitOptions, 'port'>): string => `trestle_studio_${port}`

const maxCookies = 5

/** Returns the session cookie values to try. */
export function readSessionCookies(http: HttpCall, admission: Pick<AdmitOptions, 'port'>): readonly string[] {
  return readCookies(http, cookieName(admission)).slice(0, maxCookies)
}

async function findEnvironment(db: Session, id: string): Promise<EnvironmentRow> {
  const row = await db.selectFrom('environments').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new ApiError(401, 'The environment of this session has been deleted.')
  return row
}
