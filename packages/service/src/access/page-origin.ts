import { ApiError } from '../api/api-error.ts'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import { allowsOrigin } from '../inbox/inbox-settings.ts'
import type { Session } from '../store/store.ts'

/** Returns whether web pages from other origins can call a path. */
export const isInboxPath = (path: string): boolean => path.startsWith('/v1/inbox/')

/** The origin of a web page, and its permissions. */
export interface PageOrigin {
  /** Response headers that let the page read the response. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Checks that an environment allows the origin.
   *
   * @throws {ApiError} 403
   */
  check(environmentId: string): void
}

const exposed = 'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id'

/**
 * Returns the origin of the page that calls the inbox; undefined for callers other than web pages. Preflights and
 * expired tokens do not identify an environment; for these, it is enough that any environment allows the origin.
 *
 * @throws {ApiError} 403 if no environment allows the origin.
 */
export async function readPageOrigin(db: Session, http: HttpCall): Promise<PageOrigin | undefined> {
  const origin = http.header('origin')
  if (origin === undefined) return undefined
  const environments = await db.selectFrom('environments').select(['id', 'name', 'extra']).execute()
  const allowed = new Set(environments.filter((row) => allowsOrigin(row, origin)).map(({ id }) => id))
  const refused = (): ApiError =>
    new ApiError(
      403,
      `Web pages from ${origin.slice(0, 200)} may not call this inbox. Add the origin to inbox.origins of the environment.`,
    )
  if (allowed.size === 0) throw refused()
  return {
    headers: { 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed, vary: 'origin' },
    check(environmentId) {
      if (!allowed.has(environmentId)) throw refused()
    },
  }
}

/** Returns whether a call is a CORS preflight. */
export function isPreflight({ method, header }: HttpCall): boolean {
  return method === 'OPTIONS' && header('origin') !== undefined && header('access-control-request-method') !== undefined
}

/**
 * A list of header names; clients can send their own headers, such as a version. Without cookies, no header grants
 * access.
 */
const headerNames = /^[\w-]+( ?, ?[\w-]+){0,50}$/

/** Returns the response to a preflight from an allowed origin. */
export function answerPreflight({ header }: HttpCall): HttpReply {
  const asked = header('access-control-request-headers') ?? ''
  const headers = {
    'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
    'access-control-allow-headers': headerNames.test(asked) ? asked : 'authorization, content-type',
    'access-control-max-age': '600',
  }
  return { status: 204, headers, body: undefined }
}
