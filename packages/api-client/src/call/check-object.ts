import { ApiError } from '../error/error.ts'

/**
 * Checks that an argument of a call is an object.
 *
 * @throws ApiError - `RequestInvalid`.
 */
export function checkObject(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  throw new ApiError('RequestInvalid', `The ${name} of a call must be an object.`)
}
