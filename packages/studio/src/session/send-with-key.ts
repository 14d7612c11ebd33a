import { readAnswer, request } from '../api/api.ts'
import { ApiFailure } from '../api/api-failure.ts'
import type { Environment } from '../api/generated/resources.ts'

/** A request that requires a secret key, because its response contains one. */
export interface KeyCall {
  /** The secret key, as entered. */
  readonly secretKey: string
  /** Row id of the environment that the key must belong to. */
  readonly environmentId: string
  /** The API path. */
  readonly path: string
  /** The body, sent as JSON. */
  readonly body?: unknown
}

/**
 * Sends a request with a secret key instead of the session.
 *
 * @throws {ApiFailure} The key is unknown or belongs to another environment, or the service rejects the request.
 */
export async function sendWithKey<T>({ secretKey, environmentId, path, body }: KeyCall): Promise<T> {
  const authorization = `ApiKey ${secretKey.trim()}`
  const own = await readAnswer<Environment>(
    await request('/v1/environments/me', { headers: { authorization } }).catch(explain),
  )
  if (own._id !== environmentId) throw new ApiFailure(`This key belongs to ${own.name}.`, { status: 403 })
  const headers = { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const init = { method: 'POST', headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  return readAnswer<T>(await request(path, init))
}

function explain(error: unknown): never {
  if (error instanceof ApiFailure && error.details.status === 401)
    throw new ApiFailure('The service does not know this key.', { status: 401 })
  throw error
}
