import { ApiError } from '../api/api-error.ts'
import type { BridgeFailure } from './bridge-call.ts'

/**
 * Returns the API error for a bridge failure, with the bridge's own code and data.
 *
 * @param failure - The failure; `undefined` if the bridge did not respond.
 */
export function toBridgeError(failure: BridgeFailure | undefined): ApiError {
  const { status = 502, message = 'The bridge did not answer.', code, data } = failure ?? {}
  return new ApiError(status >= 400 && status < 600 ? status : 502, message, { ctx: { code, data: data ?? null } })
}
