import { ApiError } from '../error/error.ts'
import { isObject } from '../wire/to-text.ts'

/**
 * Checks that an argument of a call is an object.
 *
 * @throws ApiError - `RequestInvalid`.
 */
export function checkObject(name: string, value: unknown): void {
  if (isObject(value)) return
  throw new ApiError('RequestInvalid', `The ${name} of a call must be an object.`)
}
