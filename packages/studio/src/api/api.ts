import { isObject, parseJson } from '@trestle/protocol'
import { ApiFailure } from './api-failure.ts'
import { reachability } from './reachability.ts'

/** Query parameters; undefined ones are omitted, arrays are repeated. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** A request that changes something. */
export interface SendRequest {
  /** HTTP method. */
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with its version, such as `/v1/events/trigger`. */
  readonly path: string
  /** The JSON body. */
  readonly body?: unknown
  /** Query parameters. */
  readonly query?: Query | undefined
}

/** The REST API of the service, for one environment. */
export interface Api {
  /** Sends a GET request. Responses of the form `{ data }` are unwrapped, pages are not. */
  read<T>(path: string, options?: { query?: Query | undefined; signal?: AbortSignal }): Promise<T>
  /** Sends a change and returns the response, unwrapped as in `read`. */
  send<T>(request: SendRequest, signal?: AbortSignal): Promise<T>
  /** Opens a stream of server-sent events. */
  open(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
}

/**
 * The credentials for requests to one environment; the other half of the proof is a cookie that scripts cannot read.
 */
export interface ApiAccess {
  /** This page's half of the session's proof. */
  readonly session: string
  /** The id of the environment. */
  readonly environmentId: string
  /** Called when the service no longer accepts the session. */
  onEnded(): void
}

/** Creates the API client for one environment. */
export function createApi({ session, environmentId, onEnded }: ApiAccess): Api {
  const proof = { 'studio-session': session, 'studio-environment': environmentId }
  const call = async (address: string, init: RequestInit): Promise<Response> => {
    try {
      return await request(address, init)
    } catch (error) {
      if (error instanceof ApiFailure && error.details.status === 401) onEnded()
      throw error
    }
  }
  return {
    read: async <T>(path: string, { query, signal }: { query?: Query | undefined; signal?: AbortSignal } = {}) =>
      readAnswer<T>(await call(addressOf(path, query), { headers: proof, signal: signal ?? null })),
    send: async <T>({ method, path, body, query }: SendRequest, signal?: AbortSignal) =>
      readAnswer<T>(
        await call(addressOf(path, query), {
          method,
          headers: { ...proof, ...(body !== undefined && { 'content-type': 'application/json' }) },
          body: body === undefined ? null : JSON.stringify(body),
          signal: signal ?? null,
        }),
      ),
    open: async (path, signal) => {
      const { body } = await call(path, { headers: { ...proof, accept: 'text/event-stream' }, signal })
      if (!body) throw new ApiFailure('The service sent an empty stream.', { status: 200 })
      return body
    },
  }
}

function addressOf(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const item of Array.isArray(value) ? value : [value]) parameters.append(name, String(item))
  }
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}

/**
 * Sends a request to the service.
 *
 * @throws {ApiFailure} The request failed, or there was no response.
 */
export async function request(address: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address, init).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    reachability.note(false)
    throw new ApiFailure('The service does not respond. Check that it is running, then try again.', { status: 0 })
  })
  reachability.note(true)
  if (response.ok) return response
  throw toFailure(response.status, await response.text())
}

/**
 * Returns the JSON of a response. The form `{ data }` is unwrapped, pages are not.
 *
 * @throws {ApiFailure} The response is not JSON.
 */
export async function readAnswer<T>(response: Response): Promise<T> {
  const text = await response.text()
  if (text === '') return undefined as T
  const answer = parseJson(text)
  if (answer === undefined)
    throw new ApiFailure('The response is not JSON. Check for a proxy between this browser and the service.', {
      status: response.status,
    })
  return (isObject(answer) && Object.keys(answer).join() === 'data' ? answer['data'] : answer) as T
}

function toFailure(status: number, text: string): ApiFailure {
  const answer = parseJson(text)
  if (!isObject(answer)) return new ApiFailure(`The service responded with ${status}.`, { status })
  const { message, code, errors, errorId, signIn } = answer
  const said = Array.isArray(message) ? message.join(' ') : message
  return new ApiFailure(typeof said === 'string' ? said : `The service responded with ${status}.`, {
    status,
    code: typeof code === 'string' ? code : undefined,
    fields: Array.isArray(errors) ? fieldsOfList(errors) : isObject(errors) ? fieldsOf(errors) : undefined,
    signIn: isObject(signIn)
      ? { provider: typeof signIn['provider'] === 'string' ? signIn['provider'] : null }
      : undefined,
    errorId: typeof errorId === 'string' ? errorId : undefined,
  })
}

function fieldsOf(errors: Readonly<Record<string, unknown>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(errors).map(([field, fieldError]) => {
      const messages =
        isObject(fieldError) && Array.isArray(fieldError['messages']) ? fieldError['messages'] : [fieldError]
      return [field, messages.map(String)]
    }),
  )
}

/**
 * Splits payload errors, which the service returns as a list with one entry per error; errors in the payload itself
 * have no field name.
 */
function fieldsOfList(errors: readonly unknown[]): Readonly<Record<string, readonly string[]>> {
  const fields = new Map<string, readonly string[]>()
  for (const one of errors) {
    if (!isObject(one) || typeof one['field'] !== 'string') continue
    fields.set(one['field'], [...(fields.get(one['field']) ?? []), String(one['message'])])
  }
  return Object.fromEntries(fields)
}
