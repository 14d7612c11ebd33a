import { InboxError } from '../base/inbox-error.ts'
import { backoffMs, wait } from '../base/wait.ts'
import type { InboxOptions } from './inbox-options.ts'

export interface InboxRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path after `/v1/inbox`. */
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

interface InboxSession {
  readonly token: string
}

/** Calls the service with a session that is renewed when it expires. */
export interface InboxApi {
  /** Returns the response. Opens a session if needed; concurrent callers share it. */
  fetch(request: InboxRequest): Promise<Response>
  /** Returns the JSON of a successful response. */
  call<Body>(request: InboxRequest): Promise<Body>
}

/** The maximum number of attempts if the service requests a retry. */
const maxAttempts = 4

/** Statuses of a service, or of a proxy before it, that may respond normally a little later. */
const temporary: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504])

/** The request timeout, in milliseconds. The stream has a separate limit. */
const timeoutMs = 30_000

/** The maximum accepted `Retry-After`, in milliseconds. */
const maxWaitMs = 60_000

/**
 * Creates the API calls.
 *
 * @param signal - Aborts all requests when the inbox is closed.
 */
export function createApi(options: InboxOptions, signal: AbortSignal): InboxApi {
  const reach = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) throw new InboxError('Closed', 'The inbox is closed.')
      throw new InboxError('ServiceUnreachable', `${options.url} is unreachable: ${String(error)}`)
    }
  }
  const send = ({ method, path, query, body, headers, ...request }: InboxRequest, token?: string): Promise<Response> =>
    reach(() =>
      fetch(`${options.url}/v1/inbox${path}${toQuery(query)}`, {
        method,
        credentials: 'omit',
        cache: 'no-store',
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: request.signal ?? AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      }),
    )
  // The connection can be lost in the middle of a body. A body that is not JSON comes from a proxy.
  const readJson = <Body>(response: Response): Promise<Body> => reach(() => response.json() as Promise<Body>)
  const sessions = createSessions(async () => {
    const { applicationIdentifier, subscriber, subscriberHash } = options
    const body = { applicationIdentifier, subscriber: toObject(subscriber), subscriberHash }
    const response = await repeat(() => send({ method: 'POST', path: '/session', body }), signal)
    if (response.ok) return (await readJson<{ data: InboxSession }>(response)).data
    throw await toError(response, response.status < 500 ? 'SessionRefused' : 'RequestFailed')
  })
  const fetchWithSession = async (request: InboxRequest): Promise<Response> => {
    const used = sessions.current()
    const { token } = await used
    const response = await repeat(() => send(request, token), signal)
    if (response.status !== 401) return response
    sessions.discard(used)
    const { token: renewed } = await sessions.current()
    return repeat(() => send(request, renewed), signal)
  }
  return {
    fetch: fetchWithSession,
    async call<Body>(request: InboxRequest): Promise<Body> {
      const response = await fetchWithSession(request)
      if (!response.ok) throw await toError(response, 'RequestFailed')
      return response.status === 204 ? (undefined as Body) : readJson(response)
    },
  }
}

/** The session shared by all requests. */
interface Sessions {
  /** Returns the session, and opens it if needed. */
  current(): Promise<InboxSession>
  /** Drops an expired session. */
  discard(used: Promise<InboxSession>): void
}

function createSessions(open: () => Promise<InboxSession>): Sessions {
  let session: Promise<InboxSession> | undefined
  const discard = (used: Promise<InboxSession>): void => {
    if (session === used) session = undefined
  }
  return {
    current() {
      if (session) return session
      const opening = open()
      session = opening
      // The next call retries.
      opening.catch(() => discard(opening))
      return opening
    },
    discard,
  }
}

/** Retries a request while the service requests it. */
async function repeat(send: () => Promise<Response>, signal: AbortSignal): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await send()
    const isBusy = response.status === 429 || response.status === 503
    if (!isBusy || attempt === maxAttempts) return response
    await response.body?.cancel().catch(() => undefined)
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    await wait(seconds > 0 ? Math.min(maxWaitMs, seconds * 1000) : backoffMs(attempt), signal)
  }
}

const toObject = (subscriber: InboxOptions['subscriber']) =>
  typeof subscriber === 'string' ? { subscriberId: subscriber } : subscriber

function toQuery(query: InboxRequest['query'] = {}): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) params.append(name, String(item))
  const text = String(params)
  return text && `?${text}`
}

async function toError(response: Response, lasting: 'RequestFailed' | 'SessionRefused'): Promise<InboxError> {
  const { status } = response
  return new InboxError(temporary.has(status) ? 'ServiceUnreachable' : lasting, await messageOf(response), status)
}

async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined)
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
  return typeof message === 'string' ? message : `The service responded with status ${response.status}.`
}
