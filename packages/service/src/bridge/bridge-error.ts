import { ApiError } from '../api/api-error.ts'
import type { BridgeFailure } from './bridge-call.ts'

/**
 * Returns the error of the API for what a bridge could not do, with the bridge's own code and data.
 *
 * @param failure - What the call of the bridge came to; `undefined` where it gave no answer at all.
 */
export function toBridgeError(failure: BridgeFailure | undefined): ApiError {
  const { status = 502, message = 'The bridge did not answer.', code, data } = failure ?? {}
  return new ApiError(status >= 400 && status < 600 ? status : 502, message, { ctx: { code, data: data ?? null } })
}
