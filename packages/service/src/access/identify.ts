import { ApiError } from '../api/api-error.ts'
import type { HttpCall } from '../api/http-call.ts'
import type { SubscriberSession } from '../inbox/subscriber-session.ts'
import { authenticate, findByKeyHash } from '../keys/authenticate.ts'
import type { EnvironmentRow } from '../store/schema/account.ts'
import type { Session } from '../store/store.ts'
import { type AdmitOptions, admitHere } from './admit.ts'
import type { Grant, LocalSessions } from './local-sessions.ts'

/** The header with the half of a session's proof that is not in the cookie. */
export const sessionHeader = 'studio-session'
/** The header that names the environment, one of those the session covers. */
export const environmentHeader = 'studio-environment'

/** What callers are identified with. */
export interface Identification {
  /** The database. */
  readonly db: Session
  /** The sessions of the studio. */
  readonly sessions: LocalSessions
  /** Who may call. */
  readonly admission: () => AdmitOptions
}

/** Who calls. */
export interface Caller {
  /** The environment that is opened. */
  readonly environment: EnvironmentRow
  /** Whether the call came with a secret key, and not from a session of the studio or of a subscriber. */
  readonly hasKey: boolean
  /** The subscriber whose session it is. */
  readonly session?: SubscriberSession
}

/**
 * Returns who calls: by the secret key in the header `Authorization`, or by a session of the studio. Nothing else about
 * a call proves anything; where it seems to come from can only refuse it.
 *
 * @throws {ApiError} 401, or 403 for a session that is used from elsewhere or for another environment.
 */
export async function identify(http: HttpCall, identification: Identification): Promise<Caller> {
  const { db } = identification
  const header = http.header('authorization')
  if (header !== undefined || http.header(sessionHeader) === undefined)
    return { environment: await authenticate(db, header), hasKey: true }
  const { environmentIds, keyHash } = findGrant(http, identification)
  const id = http.header(environmentHeader)
  if (id === undefined || !environmentIds.includes(id))
    throw new ApiError(403, `The header ${environmentHeader} must name an environment that the session covers.`)
  const environment = keyHash === undefined ? await findEnvironment(db, id) : await findByKeyHash(db, keyHash)
  return { environment, hasKey: false }
}

/**
 * Returns what the session of a call may do.
 *
 * @throws {ApiError} 401, or 403 for a session that is used from elsewhere.
 */
export function findGrant(http: HttpCall, { sessions, admission }: Omit<Identification, 'db'>): Grant {
  admitHere(http, admission())
  const grant = sessions.find(readCookies(http, admission()), http.header(sessionHeader) ?? '')
  if (grant) return grant
  throw new ApiError(401, 'This session of the studio has ended. Open the link that the service printed at its start.')
}

/** The cookie's name has the port: cookies are shared by all ports of a host. */
export const cookieName = ({ port }: Pick<AdmitOptions, 'port'>): string => `trestle_studio_${port}`

const maxCookies = 5

/** Returns the values of the session's cookie: another port of the host may have set one of the same name. */
export function readCookies(http: HttpCall, admission: Pick<AdmitOptions, 'port'>): readonly string[] {
  const start = `${cookieName(admission)}=`
  const pairs = (http.header('cookie') ?? '').split(/[;,]/).map((pair) => pair.trim())
  const values = pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length))
  return values.slice(0, maxCookies)
}

async function findEnvironment(db: Session, id: string): Promise<EnvironmentRow> {
  const row = await db.selectFrom('environments').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new ApiError(401, 'The environment of this session has been deleted.')
  return row
}
